#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How near the speed model comes to public measurements, as Markdown. Part of the documentation is this
output: no figure of it is written by hand."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from accuracy import compared, errors, kernel_rows, kernels_compared, median, serving_rows, share_of  # noqa: E402

TITLES = {
    'serving': 'TPOT of serving engines',
    'decode': 'Decode alone, Qwen3-8B on one A100 PCIe under vLLM, 128 to 32,640 tokens (vLLM PR 53060)',
    'nim': 'Llama-70B fp8 on two H100 under NIM 1.8, 5,000 in, 500 out, 1 to 50 at once',
    'llamacpp': 'One sequence under llama.cpp, May 2024, single GPUs',
}


def per_cent(v):
    return f'{100 * v:.1f} %'


def line(name, rows):
    e, f = errors(rows), errors(rows, 'floor')
    inside = sum(r['low'] <= r['measured'] <= r['high'] for r in rows) / len(rows)
    return (f'| {name} | {len(rows)} | {per_cent(median(e))} | {per_cent(share_of(e, .9))} | '
            f'{per_cent(median(f))} | {per_cent(inside)} |')


def tpot_tables(rows):
    for kind, title in TITLES.items():
        part = [r for r in rows if r['set'] == kind]
        if not part:
            continue
        print(f'\n### {title}\n')
        print('| | rows | median error | 9 in 10 below | roofline alone, median | inside the band |')
        print('|---|--:|--:|--:|--:|--:|')
        print(line('all', part))
        if kind == 'serving':
            for key in sorted({(r['engine'], r['gpu']) for r in part}):
                print(line(' on '.join(key), [r for r in part if (r['engine'], r['gpu']) == key]))


def ttft_table(rows):
    rows = [r for r in rows if r['set'] == 'serving' and r['ttft_ms']]
    if not rows:
        return
    print('\n### Time to first token under load\n')
    print('It is mostly queueing: the floor and the band of a closed loop are shown, no single number.\n')
    print('| | rows | floor above the measurement | inside the band |')
    print('|---|--:|--:|--:|')
    for engine in ['all', *sorted({r['engine'] for r in rows})]:
        part = [r for r in rows if engine in ('all', r['engine'])]
        above = sum(r['ttft_floor'] > float(r['ttft_ms']) / 1e3 for r in part)
        inside = sum(r['ttft'] <= float(r['ttft_ms']) / 1e3 <= r['ttft_high'] for r in part) / len(part)
        print(f'| {engine} | {len(part)} | {above} | {per_cent(inside)} |')


def kernel_table(rows):
    print('\n### Decode attention kernels, cold buffers\n')
    print('| | rows | median error | 9 in 10 below | roofline alone, median |')
    print('|---|--:|--:|--:|--:|')
    for gpu in ['all', *sorted({r['gpu'] for r in rows})]:
        part = [r for r in rows if gpu in ('all', r['gpu'])]
        e, f = errors(part), errors(part, 'floor')
        print(f'| {gpu} | {len(part)} | {per_cent(median(e))} | {per_cent(share_of(e, .9))} | '
              f'{per_cent(median(f))} |')


def main():
    kind, rows = serving_rows()
    rows = compared(rows)
    print('## Accuracy of the speed model\n')
    print('Nothing is fitted here: defaults, and one pair of numbers a kernel from kernel tables.'
          + ('' if kind == 'shared' else ' The trimmed set of the repository.'))
    tpot_tables(rows)
    ttft_table(rows)
    kernel_table(kernels_compared(kernel_rows()[1]))


if __name__ == '__main__':
    main()
