#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every benchmark and says on what machine: `make bench`.

    all.py [--program kvgauge_bench] [--out build/bench] [--only NAME ...]

Prints Markdown as it comes; --out also gets it as results.md, and results.json with the same
figures and the machine's facts. Parts: the Google Benchmark program, tests/bench/*_bench.py and
*_bench.mjs. A part that fails is named, the others run, and the exit code is 1.
"""
import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


def output(*words):
    try:
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True,
                              timeout=30).stdout.strip()
    except OSError:
        return ''


def first(path, pattern):
    try:
        found = re.search(pattern, Path(path).read_text(), re.M)
    except OSError:
        return ''
    return found.group(1) if found else ''


def machine():
    kib = first('/proc/meminfo', r'^MemTotal:\s+(\d+)')
    return {
        'date': datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='minutes'),
        'commit': output('git', 'rev-parse', '--short', 'HEAD'),
        'cpu': first('/proc/cpuinfo', r'^model name\s*: (.*)$') or platform.processor(),
        'cores': os.cpu_count(), 'memory_gib': round(int(kib) / 2**20, 1) if kib else None,
        'system': first('/etc/os-release', r'^PRETTY_NAME="?([^"\n]*)') or platform.system(),
        'kernel': platform.release(),
        'gpu': output('nvidia-smi', '--query-gpu=name', '--format=csv,noheader')
        if shutil.which('nvidia-smi') else '',
        'load': [round(x, 1) for x in os.getloadavg()],
    }


def native(program, out, say):
    """The Google Benchmark program: its table, and its JSON."""
    file = out / 'native.json'
    done = subprocess.run([program, f'--benchmark_out={file}', '--benchmark_out_format=json'], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode:
        say(done.stdout + done.stderr)
        return None
    rows = json.loads(file.read_text())['benchmarks']
    say('## Native\n\n| benchmark | time | CPU | unit | label | counters |\n|---|--:|--:|---|---|---|')
    own = {'name', 'family_index', 'per_family_instance_index', 'run_name', 'run_type', 'repetitions',
           'repetition_index', 'threads', 'iterations', 'real_time', 'cpu_time', 'time_unit', 'label'}
    for row in rows:
        counters = ', '.join(f'{k} {v:.4g}' for k, v in row.items()
                             if k not in own and isinstance(v, (int, float)))
        say(f'| {row["name"]} | {row["real_time"]:.4g} | {row["cpu_time"]:.4g} | {row["time_unit"]} | '
            f'{row.get("label", "")} | {counters} |')
    say('')
    return rows


def script(words, say):
    text = []
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True) as running:
        for line in running.stdout:
            say(line.rstrip('\n'))
            text.append(line)
    say('')
    return ''.join(text) if running.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program')
    parser.add_argument('--out', type=Path, default=ROOT / 'build/bench')
    parser.add_argument('--only', nargs='*')
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    lines, parts, failed = [], {}, []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    facts = machine()
    say('# Benchmarks\n\n' + ''.join(f'- {k}: {v}\n' for k, v in facts.items() if v not in ('', None)))
    work = [('native', lambda: native(args.program, args.out, say))] if args.program else []
    node = shutil.which('node') or shutil.which('nodejs')
    for file in sorted([*HERE.glob('*_bench.py'), *HERE.glob('*_bench.mjs')]):
        words = [sys.executable, str(file)] if file.suffix == '.py' else [node, str(file)]
        if words[0] is None:
            say(f'{file.name}: not run, there is no node here\n')
            continue
        work.append((file.stem, lambda words=words: script(words, say)))
    for name, run in work:
        if args.only and name not in args.only:
            continue
        parts[name] = run()
        if parts[name] is None:
            failed.append(name)
            say(f'**{name} failed**\n')
    (args.out / 'results.md').write_text('\n'.join(lines) + '\n')
    (args.out / 'results.json').write_text(json.dumps(
        {'schema': 'kvgauge.bench/1', 'machine': facts, 'parts': parts, 'failed': failed},
        indent=1) + '\n')
    print(f'{len(parts) - len(failed)} parts ran, {len(failed)} failed: '
          f'{args.out}/results.md, results.json')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
