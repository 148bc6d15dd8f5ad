#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-format 14 would change nothing. With --fix it changes what it would."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/structure'))
import sources  # noqa: E402

SUFFIXES = ('.h', '.cc', '.c', '.cu', '.cuh')


def main():
    tool = shutil.which('clang-format-14') or shutil.which('clang-format')
    version = subprocess.run([tool, '--version'], capture_output=True, text=True).stdout if tool else ''
    if ' 14.' not in version:
        print('format.py: no clang-format 14 here', file=sys.stderr)
        return 1
    paths = sources.files(*SUFFIXES)
    if '--fix' in sys.argv:
        return subprocess.run([tool, '-i', *paths], cwd=sources.ROOT).returncode
    bad = 0
    for path in paths:
        text = sources.read(path)
        formatted = subprocess.run([tool, '--assume-filename', os.path.join(sources.ROOT, path)],
                                   input=text, cwd=sources.ROOT, capture_output=True, text=True)
        if formatted.returncode or formatted.stdout != text:
            bad += 1
            print(f'{path}: clang-format would change it (make format)')
    print(f'{len(paths) - bad} passed, {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
