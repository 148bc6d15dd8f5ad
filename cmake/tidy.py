#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy 14 with the checks of .clang-tidy over core/*.cc: `make tidy`.

    tidy.py [FILE ...]

Reads the compile commands of the preset `plain`; GCC's own flags, which clang does not know, are
no matter. The last line is `N passed, N failed`, one a file.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / 'build/plain'


def check(tool, file):
    done = subprocess.run([tool, '-p', str(BUILD), '--quiet', '--extra-arg=-Wno-unknown-warning-option',
                           file], cwd=ROOT, capture_output=True, text=True)
    return file, done.returncode, done.stdout


def main(files):
    tool = shutil.which('clang-tidy-14')
    if not tool:
        print('tidy: no clang-tidy-14 here', file=sys.stderr)
        return 1
    if subprocess.run(['cmake', '--preset', 'plain'], cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
        return 1
    files = files or sorted(str(p.relative_to(ROOT)) for p in (ROOT / 'core').rglob('*.cc'))
    bad = 0
    jobs = int(os.environ.get('KVGAUGE_JOBS', os.cpu_count() or 2))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for file, code, text in pool.map(lambda f: check(tool, f), files):
            if code:
                bad += 1
                print(text.strip() or f'{file}: clang-tidy ended with {code}', flush=True)
    print(f'{len(files) - bad} passed, {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
