#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines of core/ that the unit tests run, by gcov: `make coverage`.

    coverage.py [--report-only] [--least 90] [--files N]

Builds the preset `coverage`, runs the unit tests of core's modules and prints lines and per cent of
each module, the N files with most lines not run, and the total. A line counts once however many
programs hold it. Exit code 1: a test failed or the total is below --least.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / 'build/coverage'
MODULES = ('model', 'data', 'engine', 'estimate', 'import', 'probe', 'text', 'ui')


def run(*words):
    print('+ ' + ' '.join(map(str, words)), flush=True)
    return subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0


def measure():
    jobs = os.environ.get('KVGAUGE_JOBS', str(os.cpu_count() or 2))
    tests = [f'kvg_{m}_test' for m in MODULES]
    if not run('cmake', '--preset', 'coverage') or not run(
            'cmake', '--build', 'build/coverage', '-j', jobs, '--target', *tests):
        sys.exit('coverage: does not build')
    for file in BUILD.rglob('*.gcda'):
        file.unlink()
    good = [run(BUILD / t, '--gtest_brief=1') for t in tests]
    return all(good)


def lines_of(file):
    """{source: {line: times}} of one object, sources of core only."""
    done = subprocess.run(['gcov', '--json-format', '--stdout', str(file)], cwd=ROOT,
                          capture_output=True, text=True, check=True)
    out = {}
    for text in done.stdout.splitlines():
        data = json.loads(text)
        for source in data['files']:
            # Relative to the build folder, or through the include links.
            real = os.path.realpath(os.path.join(data['current_working_directory'], source['file']))
            name = os.path.relpath(real, ROOT)
            if name.startswith('core/') and not name.startswith('core/ui/sdl/'):
                counts = out.setdefault(name, {})
                for line in source['lines']:
                    n = line['line_number']
                    counts[n] = max(counts.get(n, 0), line['count'])
    return out


def merged():
    total = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Objects of libraries and tests alike: headers are run in both.
        for part in pool.map(lines_of, sorted(BUILD.rglob('*.gcno'))):
            for name, counts in part.items():
                for line, n in counts.items():
                    total[name][line] = max(total[name].get(line, 0), n)
    return total


def module_of(name):
    parts = name.split('/')
    return parts[1] if len(parts) > 2 else 'estimate'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--report-only', action='store_true')
    parser.add_argument('--least', type=float, default=90)
    parser.add_argument('--files', type=int, default=15)
    args = parser.parse_args()
    good = args.report_only or measure()
    files = {name: (sum(n > 0 for n in counts.values()), len(counts))
             for name, counts in merged().items()}
    if not files:
        sys.exit('coverage: no counters in build/coverage')
    modules = collections.defaultdict(lambda: [0, 0])
    for name, (hit, lines) in files.items():
        for key in (module_of(name), 'core'):
            modules[key][0] += hit
            modules[key][1] += lines
    print(f'\n{"file":<40} {"run":>7} {"lines":>7} {"%":>7}')
    for name in sorted(files, key=lambda n: files[n][0] - files[n][1])[:args.files]:
        hit, lines = files[name]
        print(f'{name:<40} {hit:>7} {lines:>7} {100 * hit / lines:>7.1f}')
    print(f'\n{"module":<40} {"run":>7} {"lines":>7} {"%":>7}')
    for name in (*MODULES, 'core'):
        hit, lines = modules[name]
        print(f'{name:<40} {hit:>7} {lines:>7} {100 * hit / max(lines, 1):>7.1f}')
    hit, lines = modules['core']
    if not good:
        print('a test failed')
    if 100 * hit / lines < args.least:
        print(f'below {args.least:g} %')
    return 0 if good and 100 * hit / lines >= args.least else 1


if __name__ == '__main__':
    sys.exit(main())
