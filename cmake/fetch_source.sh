#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch_source.sh SUITE PACKAGE VERSION FILE SHA256 FOLDER
# Fetches the upstream tarball of a Debian source package through apt-get and unpacks it into FOLDER.
# The mirror is the one this machine is configured for; apt's state and lists are private, so the
# machine's own sources stay as they are. Writes FOLDER in one step: it is whole or it is not there.
set -eu
suite=$1 package=$2 version=$3 file=$4 sum=$5 folder=$6

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$(dirname "$folder")/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' 'Label: Debian' | sort -u | head -n 1)
if [ -z "$mirror" ]; then
    echo "setup: no Debian mirror is configured here, or 'apt-get update' never ran;" \
        "cannot fetch the sources of $package $version" >&2
    exit 1
fi
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/parts"
cat > "$work/src.sources" <<END
Types: deb-src
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
options="-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$work/parts
    -o Dir::State=$work/state -o Dir::Cache=$work/cache -o Acquire::Languages=none"
mv "$work/src.sources" "$work/parts/"
[ "$(id -u)" -ne 0 ] || options="$options -o APT::Sandbox::User=root"
cd "$work"
# shellcheck disable=SC2086
apt-get $options -q update > "$work/log" 2>&1 &&
    apt-get $options -q source --download-only "$package=$version" >> "$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "setup: apt-get could not fetch $package $version from $suite" >&2
    exit 1
}
echo "$sum  $file" | sha256sum --quiet -c - >&2
mkdir tree
tar -xf "$file" -C tree --strip-components=1
rm -rf "$folder"
mv tree "$folder"
