#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a version may be released, builds what is published and gathers it: `make release`.

    release.py VERSION [--dry-run] [--built] [--root FOLDER] [--make "make CUDA=0"]

Refused, with every reason at once: a version that CMakeLists.txt, the metainfo or CHANGELOG.md does not
name, a section without a date or a word, a tree with changes, a tag that is another commit, a version not
above the last tag. --dry-run stops after the checks and says what would be run. --built gathers what lies
in build/ already. build/release then holds the packages, the site as a zip and as one file, NOTES.md
(the section of the changelog) and SHA256SUMS.
"""
import argparse
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

TARGETS = ('package', 'site')


def parts(version):
    return tuple(map(int, version.split('.')))


def section(changelog, version):
    """The head's remark and the text of `## VERSION (remark)`, or None."""
    found = re.search(rf'^## {re.escape(version)}(?: \(([^)]*)\))?\n(.*?)(?=^## |\Z)', changelog,
                      re.M | re.S)
    return (found.group(1) or '', found.group(2).strip()) if found else None


def git(root, *words):
    return subprocess.run(['git', *words], cwd=root, capture_output=True, text=True).stdout.strip()


def faults(root, version):
    if not re.fullmatch(r'\d+\.\d+\.\d+', version):
        yield f"'{version}' is not MAJOR.MINOR.PATCH"
        return
    stated = re.search(r'^project\(kvgauge VERSION (\S+)', (root / 'CMakeLists.txt').read_text(), re.M)
    if not stated or stated.group(1) != version:
        yield f'CMakeLists.txt says {stated.group(1) if stated else "no version"}, not {version}'
    for file in sorted((root / 'native/packaging').rglob('*.metainfo.xml')):
        newest = re.search(r'<release version="([^"]*)"', file.read_text(encoding='utf-8'))
        if not newest or newest.group(1) != version:
            yield f'{file.name}: its first release is not {version}'
    text = section((root / 'CHANGELOG.md').read_text(encoding='utf-8'), version)
    if text is None:
        yield f'CHANGELOG.md has no section "## {version}"'
    else:
        if not re.fullmatch(r'\d{4}-\d\d-\d\d', text[0]):
            yield f'CHANGELOG.md: "## {version}" needs a date (YYYY-MM-DD) in brackets, found "{text[0]}"'
        if not text[1]:
            yield f'CHANGELOG.md: the section of {version} is empty'
    if git(root, 'status', '--porcelain'):
        yield 'the tree has changes that are not committed'
    tags = [t[1:] for t in git(root, 'tag', '--list', 'v*').split()
            if re.fullmatch(r'v\d+\.\d+\.\d+', t)]
    if version in tags:
        if git(root, 'rev-list', '-n1', 'v' + version) != git(root, 'rev-parse', 'HEAD'):
            yield f'the tag v{version} is another commit'
        tags.remove(version)
    if tags and max(map(parts, tags)) >= parts(version):
        yield f'{version} is not above {".".join(map(str, max(map(parts, tags))))}, which is tagged'


def gather(root, version):
    """Copies what is published; the names."""
    build, out = root / 'build', root / 'build/release'
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    found = {}
    for kind, pattern in (('.deb', f'kvgauge_{version}*.deb'),
                          ('.tar.gz', f'kvgauge-{version}-*.tar.gz')):
        files = sorted((build / 'package').glob(pattern))
        if len(files) != 1:
            sys.exit(f'release: build/package holds {len(files)} files {pattern}, expected 1')
        found[files[0].name] = files[0]
    found[f'kvgauge-site-{version}.zip'] = build / 'package/kvgauge-site.zip'
    found[f'kvgauge-{version}.html'] = build / 'site-single/kvgauge.html'
    for name, file in found.items():
        if not file.is_file() or not file.stat().st_size:
            sys.exit(f'release: {file.relative_to(root)} is not there')
        shutil.copyfile(file, out / name)
    (out / 'SHA256SUMS').write_text(''.join(
        f'{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n' for name in sorted(found)))
    notes = section((root / 'CHANGELOG.md').read_text(encoding='utf-8'), version)
    (out / 'NOTES.md').write_text(notes[1] + '\n', encoding='utf-8')
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('version')
    parser.add_argument('--dry-run', action='store_true')
    parser.add_argument('--built', action='store_true')
    parser.add_argument('--root', type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument('--make', default='make')
    args = parser.parse_args()
    found = list(faults(args.root, args.version))
    for text in found:
        print(f'release: {text}', file=sys.stderr)
    if found:
        return 1
    for target in () if args.built else TARGETS:
        command = [*shlex.split(args.make), target]
        print('+ ' + ' '.join(command), flush=True)
        if not args.dry_run and subprocess.run(command, cwd=args.root).returncode:
            sys.exit(f'release: {" ".join(command)} failed')
    if args.dry_run:
        print(f'{args.version} may be released; nothing was built')
        return 0
    for name in gather(args.root, args.version):
        print(f'build/release/{name}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
