#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns models.tsv and gpus.tsv into catalog_data.cc: one packed byte table each.

    generate.py --out DIR FOLDER_OF_THE_TSV_FILES

catalog_decode.cc reads the tables. Every fault of a file is reported as FILE:LINE:COLUMN (the column
counts characters) and the exit code is 1.
"""
import argparse
import os
import re
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
from notation import Fault, Program, Words, assignments, number, string, weight_format

MODEL_COLUMNS = ('id name aliases model_type architecture model layers mtp weights kv assumed '
                 'source path date').split()
GPU_COLUMNS = ('id name aliases vendor arch driver_mib visible_gib bandwidth_gbs flops16_tf '
               'flops8_tf flops4_tf fp8 bf16 link_kind link_gbs pcie_gbs l2_mib cc sms tdp_w source '
               'date unsure note').split()
# Packed as strings, in this order; and the numbers of a GPU, in thousandths of the unit.
MODEL_TEXTS = 'id name aliases model_type architecture assumed source date'.split()
GPU_TEXTS = 'id name aliases vendor arch link_kind source date unsure note'.split()
GPU_NUMBERS = ('bandwidth_gbs flops16_tf flops8_tf flops4_tf link_gbs pcie_gbs l2_mib cc sms '
               'tdp_w').split()
OPTIONAL = 'aliases assumed link_kind unsure note'.split()
ID = re.compile(r'[a-z0-9][a-z0-9.\-]*$')
DAY = r'20\d\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])'
DATE = re.compile(r'20\d\d-(0[1-9]|1[0-2])$|' + DAY + '$')


def fail(name, line, column, text):
    sys.exit(f'{name}:{line}:{column}: {text}')


class Row:
    """One line with its place, so that a fault names file, line and column."""

    def __init__(self, file, line, cells):
        self.file, self.line, self.cells = file, line, cells

    def text(self, column):
        return self.cells[column][0]

    def fault(self, column, text, at=0):
        fail(self.file, self.line, self.cells[column][1] + at + 1, f'{column}: {text}')

    def run(self, column, fn):
        try:
            return fn(self.text(column))
        except Fault as f:
            return self.fault(column, str(f), f.at)

    def required(self, column):
        if not self.text(column):
            self.fault(column, 'is empty')
        return self.text(column)

    def choice(self, column, known):
        if self.text(column) not in known:
            self.fault(column, f"'{self.text(column)}' is not one of: {' '.join(known)}")
        return self.text(column)

    def milli(self, column, mark=''):
        """A decimal with at most three places, in thousandths; empty is 0."""
        t = self.text(column)
        if mark and t.startswith(mark):
            t = t[len(mark):]
        if not t:
            return 0
        m = re.fullmatch(r'(\d{1,9})(?:\.(\d{1,3}))?', t)
        if not m:
            self.fault(column, f"'{t}' is not a decimal number of at most three places")
        return int(m.group(1)) * 1000 + int((m.group(2) or '0').ljust(3, '0'))


def read_table(path, columns):
    """The revision of the file and its rows."""
    name = os.path.basename(path)
    revision, rows, head = None, [], False
    with open(path, encoding='utf-8', newline='') as f:
        lines = f.read().split('\n')
    for n, line in enumerate(lines, 1):
        if line.startswith('# revision: '):
            revision = line[12:]
            if not re.fullmatch(DAY, revision):
                fail(name, n, 13, 'revision needs a date YYYY-MM-DD')
        if not line or line.startswith('#'):
            continue
        texts = line.split('\t')
        if not head:
            if texts != columns:
                fail(name, n, 1, 'columns are to be: ' + ' '.join(columns))
            head = True
            continue
        if len(texts) != len(columns):
            fail(name, n, 1, f'{len(texts)} columns, expected {len(columns)}')
        cells, at = {}, 0
        for column, text in zip(columns, texts):
            if text != text.strip():
                fail(name, n, at + 1, f'{column}: blank at its begin or end')
            cells[column] = text, at
            at += len(text) + 1
        rows.append(Row(name, n, cells))
    if revision is None:
        fail(name, 1, 1, "no '# revision: YYYY-MM-DD' line")
    return revision, rows


class Names:
    """Ids and aliases of one table share a name space, in which case and blanks do not count."""

    def __init__(self):
        self.lines = {}

    def note(self, row, column, text):
        key = re.sub(r'[ _]', '-', text.lower())
        if self.lines.setdefault(key, row.line) != row.line:
            row.fault(column, f"'{text}' already names the row in line {self.lines[key]}")


def pack_texts(row, names, columns):
    if not ID.match(row.required('id')):
        row.fault('id', f"'{row.text('id')}' is not a lower-case release name")
    names.note(row, 'id', row.text('id'))
    for alias in filter(None, row.text('aliases').split(';')):
        names.note(row, 'aliases', alias)
    if not DATE.match(row.text('date')):
        row.fault('date', f"'{row.text('date')}' is not YYYY-MM or YYYY-MM-DD")
    return b''.join(string(row.text(c) if c in OPTIONAL else row.required(c)) for c in columns)


def pack_model(row, words, names):
    out = pack_texts(row, names, MODEL_TEXTS)
    packed, seen = row.run('model', lambda t: assignments(t, 0, words.model))
    for need in ('hidden', 'vocab'):
        if need not in seen:
            row.fault('model', 'needs ' + need)
    out += packed
    out += row.run('weights', lambda t: weight_format(t, words))
    out += number(words.kv[row.choice('kv', words.kv)])
    layers = []
    programs = [row.run(c, lambda t: Program(t, words, layers)) for c in ('layers', 'mtp')]
    if not programs[0].runs:
        row.fault('layers', 'no layer')
    out += number(len(layers)) + b''.join(layers)
    return out + b''.join(p.packed() for p in programs)


def pack_gpu(row, names):
    out = pack_texts(row, names, GPU_TEXTS)
    for column in ('driver_mib', 'bandwidth_gbs'):
        row.required(column)
    visible = row.milli('visible_gib', mark='~')
    assumed = not visible or row.text('visible_gib').startswith('~')
    out += number(row.milli('driver_mib')) + number(visible)
    out += b''.join(number(row.milli(c)) for c in GPU_NUMBERS)
    flags = [row.choice(c, ('yes', 'no')) == 'yes' for c in ('fp8', 'bf16')] + [assumed]
    return out + number(sum(1 << i for i, f in enumerate(flags) if f))


def literal(name, data):
    lines = [', '.join(str(b) for b in data[i:i + 24]) for i in range(0, len(data), 24)]
    return (f'const unsigned char {name}[] = {{\n    ' + ',\n    '.join(lines) + ',\n};\n'
            f'const std::size_t {name}_size = sizeof {name};\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', required=True)
    parser.add_argument('folder')
    args = parser.parse_args()
    words = Words(os.path.join(args.folder, 'model_words.def'))
    models, rows = read_table(os.path.join(args.folder, 'models.tsv'), MODEL_COLUMNS)
    names = Names()
    model_table = number(len(rows)) + b''.join(pack_model(r, words, names) for r in rows)
    gpus, rows = read_table(os.path.join(args.folder, 'gpus.tsv'), GPU_COLUMNS)
    names = Names()
    gpu_table = number(len(rows)) + b''.join(pack_gpu(r, names) for r in rows)
    text = ('// SPDX-License-Identifier: MIT\n'
            '// Made by generate.py from models.tsv and gpus.tsv.\n'
            '#include "data/catalog_data.h"\n\nnamespace kvgauge::catalog_data {\n\n'
            f'const char revision[] = "{max(models, gpus)}";\n'
            + literal('models', model_table) + literal('gpus', gpu_table)
            + '\n}  // namespace kvgauge::catalog_data\n')
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, 'catalog_data.cc'), 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main()
