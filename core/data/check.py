#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks models.tsv and gpus.tsv before they are built in: `make data`.

    check.py [FOLDER_OF_THE_TSV_FILES]

Everything that generate.py refuses, and what it cannot see row by row: names that stand twice,
figures out of their unit's range or out of order, source tags without an explanation, dates after
the file's revision. All faults are printed, as FILE:LINE:COLUMN, and the exit code is 1.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
from generate import GPU_COLUMNS, MODEL_COLUMNS, Names, pack_gpu, pack_model, read_table
from notation import Words

# The least and most that a column can say in its unit; a figure of another unit falls outside.
GPU_RANGES = {
    'driver_mib': (2048, 2 << 20), 'visible_gib': (1, 2048), 'bandwidth_gbs': (30, 40000),
    'flops16_tf': (1, 20000), 'flops8_tf': (1, 40000), 'flops4_tf': (1, 80000),
    'link_gbs': (8, 4000), 'pcie_gbs': (3, 300), 'l2_mib': (0.5, 2048), 'cc': (5, 20),
    'sms': (1, 1024), 'tdp_w': (10, 5000),
}
MODEL_RANGES = {'hidden': (64, 131072), 'vocab': (128, 4194304), 'ctx': (128, 1 << 27)}
TAG = re.compile(r'^#\s+([A-Z]{1,4}): \S', re.M)


class Faults:
    """Gathers what the reader's functions end the program with."""

    def __init__(self):
        self.texts = []

    def run(self, fn, *args):
        try:
            return fn(*args)
        except SystemExit as e:
            self.texts.append(str(e))
            return None


def figure(row, column):
    text = row.text(column).lstrip('~')
    return float(text) if re.fullmatch(r'\d+(\.\d+)?', text) else None


def in_range(row, column, value, low, high):
    if value is not None and not low <= value <= high:
        row.fault(column, f'{value:g} is not between {low:g} and {high:g}')


def dated(row, revision):
    if row.text('date')[:7] > revision[:7] or row.text('date') > revision and \
            len(row.text('date')) == len(revision):
        row.fault('date', f"{row.text('date')} is after the file's revision, {revision}")


def gpu_ranges(row):
    for column, (low, high) in GPU_RANGES.items():
        in_range(row, column, figure(row, column), low, high)


def gpu_order(row):
    """Each narrower format is at least as fast; fp8 needs a rate; a process sees no more than is
    there; a link has a name and a rate."""
    rates = [(c, figure(row, c)) for c in ('flops16_tf', 'flops8_tf', 'flops4_tf')]
    rates = [(c, v) for c, v in rates if v is not None]
    for (wide, slow), (column, fast) in zip(rates, rates[1:]):
        if fast < slow:
            row.fault(column, f'{fast:g} is below {wide}, {slow:g}')
    if row.text('fp8') == 'yes' and figure(row, 'flops8_tf') is None:
        row.fault('fp8', 'yes needs flops8_tf')
    seen, total = figure(row, 'visible_gib'), figure(row, 'driver_mib')
    if seen and total and seen * 1024 > total * 1.001:
        row.fault('visible_gib', f'{seen:g} GiB is more than driver_mib, {total / 1024:.2f} GiB')
    if bool(row.text('link_kind')) != bool(row.text('link_gbs')):
        row.fault('link_gbs', 'link_kind and link_gbs stand together or not at all')
    if row.text('vendor') == 'NVIDIA' and figure(row, 'cc') is None:
        row.fault('cc', 'an NVIDIA GPU needs its compute capability')


def gpu_memory(row):
    """`-80gb-` of an id and driver_mib are the same memory, within what a carve-out takes."""
    named, total = re.search(r'-(\d+)gb', row.text('id')), figure(row, 'driver_mib')
    if named and total:
        share = total * 2**20 / (int(named.group(1)) * 1e9)
        if not 0.75 <= share <= 1.1:
            row.fault('driver_mib', f'{total:g} MiB is not the {named.group(1)} GB of the id')


def gpu_source(row, tags):
    for m in re.finditer(r'(?:^|;)([A-Z]{1,4})(?=[;(]|$)', row.text('source')):
        if m.group(1) not in tags:
            row.fault('source', f"'{m.group(1)}' is not among the source tags of the file",
                      m.start(1))


def model_ranges(row):
    for m in re.finditer(r'(\w+):(\d+)', row.text('model')):
        if m.group(1) in MODEL_RANGES:
            in_range(row, 'model', int(m.group(2)), *MODEL_RANGES[m.group(1)])


def model_heads(row):
    for m in re.finditer(r'\[([^\]]*)\]', row.text('layers')):
        words = dict(re.findall(r'(\w+):(\d+)', m.group(1)))
        q, kv = int(words.get('q', 0)), int(words.get('kv', 0))
        if kv and q % kv:
            row.fault('layers', f'{q} query heads are no multiple of {kv} KV heads', m.start())


def check(folder):
    """The faults, and a line on what was read."""
    faults = Faults()
    words = Words(os.path.join(folder, 'model_words.def'))
    counts = []
    for name, columns, pack, rules in (
            ('gpus.tsv', GPU_COLUMNS, pack_gpu, (gpu_ranges, gpu_order, gpu_memory)),
            ('models.tsv', MODEL_COLUMNS, lambda row, names: pack_model(row, words, names),
             (model_ranges, model_heads))):
        path = os.path.join(folder, name)
        table = faults.run(read_table, path, columns)
        if table is None:
            continue
        revision, rows = table
        with open(path, encoding='utf-8') as f:
            tags = set(TAG.findall(f.read()))
        names = Names()
        for row in rows:
            faults.run(pack, row, names)
            for rule in rules:
                faults.run(rule, row)
            faults.run(dated, row, revision)
            if name == 'gpus.tsv':
                faults.run(gpu_source, row, tags)
        counts.append(f'{name}: {len(rows)} rows, revision {revision}')
    return faults.texts, counts


def main(folder=None):
    faults, counts = check(folder or os.path.dirname(os.path.abspath(__file__)))
    for text in faults:
        print(text, file=sys.stderr)
    if faults:
        sys.exit(f'{len(faults)} faults')
    print('\n'.join(counts))


if __name__ == '__main__':
    main(*sys.argv[1:])
