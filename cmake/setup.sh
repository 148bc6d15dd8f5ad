#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh [native|web|tests ...]: installs what is missing for the given parts (none: all of them).
# Debian and Ubuntu packages through apt-get (as root, or with sudo), sources that Debian ships only as
# source packages into the cache folder, npm packages there too. Does nothing, quickly, when all is there.
# KVGAUGE_CACHE names another cache folder; KVGAUGE_SETUP=0 leaves the machine alone.
set -eu
[ "${KVGAUGE_SETUP:-1}" != 0 ] || exit 0
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cache=${KVGAUGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kvgauge}
parts=${*:-native web tests}

# A command in PATH, wherever from, is as good as its package.
has() { command -v "$1" > /dev/null 2>&1; }
say() { printf 'setup: %s\n' "$*" >&2; }

packages="cmake ninja-build ccache g++ python3 python3-fonttools python3-brotli fonts-inter
    fonts-noto-cjk libfmt-dev libfast-float-dev rapidjson-dev dpkg-dev xz-utils ca-certificates"
for part in $parts; do
    case $part in
    native) packages="$packages libsdl2-dev libgl-dev libcli11-dev libpng-dev lowdown" ;;
    web)
        packages="$packages brotli python3-markdown"
        has emcc || packages="$packages emscripten"
        has node || packages="$packages nodejs"
        has npm || packages="$packages npm" ;;
    tests) packages="$packages libgtest-dev googletest libbenchmark-dev chromium xvfb xauth libegl1
        libgl1-mesa-dri firefox-esr clang-format-14 clang-tidy-14 clang-14 libclang-rt-14-dev desktop-file-utils appstream" ;;
    *) say "unknown part '$part'; accepted are native, web, tests"; exit 2 ;;
    esac
done


install_packages() {
    has dpkg-query && has apt-get || { say "no apt-get here; the build looks for what it needs by itself"; return; }
    # shellcheck disable=SC2086
    missing=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $packages 2> /dev/null |
        awk -v want="$packages" '$2 == "installed" { have[$1] = 1 }
            END { n = split(want, w); for (i = 1; i <= n; ++i) if (!(w[i] in have)) printf "%s ", w[i] }')
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        has sudo || { say "missing packages, and neither root nor sudo: $missing"; exit 1; }
        as_root="sudo -n"
    fi
    say "installing $missing"
    log=$(mktemp)
    # shellcheck disable=SC2086
    if ! { $as_root apt-get -q update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing
    } > "$log" 2>&1 < /dev/null; then
        tail -n 30 "$log" >&2
        say "apt-get could not install: $missing"
        exit 1
    fi
    rm -f "$log"
}

# source SUITE PACKAGE VERSION FILE SHA256 FOLDER: fetched once for all clones on this machine
source_package() {
    folder="$cache/src/$6"
    [ ! -e "$folder" ] || return 0
    say "fetching the sources of $2 $3"
    sh "$here/fetch_source.sh" "$1" "$2" "$3" "$4" "$5" "$folder" ||
        say "the build will try the pinned tag of $2 instead"
}

# tests/web/node_modules links to a folder of the cache named by the lock file's content.
npm_packages() {
    folder=$root/$1
    [ -f "$folder/package-lock.json" ] || return 0
    key=$(cat "$folder/package.json" "$folder/package-lock.json" | sha256sum | cut -c 1-16)
    kept="$cache/npm/$key"
    if [ ! -e "$kept/node_modules" ]; then
        say "installing the npm packages of $1"
        mkdir -p "$cache/npm"
        work=$(mktemp -d "$cache/npm/.new.XXXXXX")
        cp "$folder/package.json" "$folder/package-lock.json" "$work/"
        (cd "$work" && npm ci --no-audit --no-fund --loglevel=error < /dev/null >&2) ||
            { rm -rf "$work"; say "npm could not install the packages of $1"; exit 1; }
        mv "$work" "$kept" 2> /dev/null || rm -rf "$work"
    fi
    [ "$(readlink "$folder/node_modules" || true)" = "$kept/node_modules" ] || {
        rm -rf "$folder/node_modules"
        ln -s "$kept/node_modules" "$folder/node_modules"
    }
}

install_packages
source_package trixie imgui 1.90.1+ds-1 imgui_1.90.1+ds.orig.tar.xz \
    ecce377df0f90b292f15dcbd83d438bddc162b2388c881132bde18c787572a1c imgui-1.90.1
case " $parts " in *" web "*)
    source_package bookworm libsdl2 2.26.5+dfsg-1 libsdl2_2.26.5+dfsg.orig.tar.gz \
        b3f2c822151804125d08db94c65852f711c2e5df2145a59da120748dc32eb9c3 sdl2-2.26.5
    npm_packages tests/web ;;
esac
