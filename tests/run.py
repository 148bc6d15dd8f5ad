#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Configures, builds and runs every test suite and adds up the counts.

Usage: run.py [preset ...]      default: all of SUITES, in this order
The last line is `N passed, N failed[, N skipped]`; the exit status is 0 only if nothing failed.
A suite that does not configure or build counts as one failure and the others still run.
Counts come from the closing lines of the runners themselves (GoogleTest, unittest, node --test, or
a plain `N passed, N failed[, N skipped]`); a test without such a line counts as one.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUITES = ['plain', 'web']
# By name: native, web-tests, fuzz, asan; not seen green on this tree as a whole.
JOBS = os.environ.get('KVGAUGE_JOBS', str(os.cpu_count() or 2))
PLAIN = re.compile(r'^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$', re.M)


def number(pattern, text):
    found = re.findall(pattern, text, re.M)
    return int(found[-1]) if found else 0


def count(text, ok):
    """(passed, failed, skipped) of one ctest entry with this output; ok: its exit status was 0."""
    plain = PLAIN.findall(text)
    if plain:
        passed, failed, skipped = (int(n or 0) for n in plain[-1])
    elif '[==========]' in text:
        passed = len(re.findall(r'^\[       OK \]', text, re.M))
        failed = number(r'^\[  FAILED  \] (\d+) tests?, listed below', text)
        skipped = number(r'^\[  SKIPPED \] (\d+) tests?, listed below', text)
    elif re.search(r'^Ran \d+ tests? in', text, re.M):
        failed = number(r'failures=(\d+)', text) + number(r'errors=(\d+)', text)
        skipped = number(r'skipped=(\d+)', text)
        passed = number(r'^Ran (\d+) tests? in', text) - failed - skipped
    elif re.search(r'^(?:#|ℹ) pass \d+', text, re.M):
        passed, failed, skipped = (number(rf'^(?:#|ℹ) {w} (\d+)', text)
                                   for w in ('pass', 'fail', 'skipped'))
    else:
        return (1, 0, 0) if ok else (0, 1, 0)
    return passed, failed if ok or failed else 1, skipped


def run(*command):
    print('+ ' + ' '.join(command), flush=True)
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0


def suite(preset):
    """Yields (name, passed, failed, skipped) of every ctest entry of this preset."""
    start = time.time()
    if not run('cmake', '--preset', preset) or not run('cmake', '--build', '--preset', preset,
                                                       '-j', JOBS):
        yield f'{preset}: does not build', 0, 1, 0
        return
    print(f'  {preset}: built in {time.time() - start:.0f} s', flush=True)
    with tempfile.NamedTemporaryFile(suffix='.xml') as report:
        run('ctest', '--preset', preset, '--output-junit', report.name)
        try:
            cases = ET.parse(report.name).getroot().findall('testcase')
        except ET.ParseError:
            yield f'{preset}: ctest left no report', 0, 1, 0
            return
    for case in cases:
        ok = case.get('status') == 'run'
        text = case.findtext('system-out') or ''
        yield (f'{preset}: {case.get("name")}', *count(text, ok))
        for line in re.findall(r'^.*skipped:? .*$|^.*: Skipped$', text, re.M)[:5]:
            print(f'    {line.strip()}')


def main(presets):
    rows = []
    for preset in presets or SUITES:
        rows += suite(preset)
    print()
    for name, passed, failed, skipped in rows:
        print(f'{name:<40} {passed:>6} passed {failed:>4} failed {skipped:>4} skipped')
    passed, failed, skipped = (sum(row[i] for row in rows) for i in (1, 2, 3))
    if not passed + failed:
        failed = 1
        print('no test was run')
    print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
