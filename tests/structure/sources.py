# SPDX-License-Identifier: MIT
"""The files of the repository, for the tests beside this file."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = {'build', 'node_modules', '.git', '__pycache__'}


def files(*suffixes):
    """Paths relative to the root, of tracked and new files, or of all files outside a checkout."""
    try:
        listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others',
                                 '--exclude-standard'], cwd=ROOT, capture_output=True, check=True)
        paths = listed.stdout.decode().split('\0')
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, below, names in os.walk(ROOT):
            below[:] = [name for name in below if name not in SKIPPED]
            paths += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return sorted(p for p in set(paths) if p and (not suffixes or p.endswith(suffixes))
                  and os.path.isfile(os.path.join(ROOT, p)))


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()
