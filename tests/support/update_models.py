#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the computed columns of core/data/models.tsv again, from config files.

    update_models.py PROGRAM [FOLDER]

PROGRAM is the built kvg_model_rows. A row is made again from FOLDER/org__name.json (org/name is
its first alias) or, where there is none, from its line in tests/import/catalog_configs.jsonl; a row
with neither stays. Run it after a change of the importer and read the difference.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, 'core/data/models.tsv')
FACTS = os.path.join(ROOT, 'tests/import/catalog_configs.jsonl')
COMPUTED = range(3, 11)  # model_type to assumed


def main(program, folder=None):
    facts = {}
    with open(FACTS, encoding='utf-8') as f:
        for line in f:
            row = json.loads(line)
            facts[row['id']] = row
    with open(TABLE, encoding='utf-8') as f:
        lines = f.read().split('\n')
    paths = {}
    with tempfile.TemporaryDirectory() as scratch:
        for n, line in enumerate(lines):
            cells = line.split('\t')
            if line.startswith('#') or len(cells) < 14 or cells[0] == 'id':
                continue
            name = os.path.join(folder or '', cells[2].split(';')[0].replace('/', '__') + '.json')
            if not folder or not os.path.exists(name):
                fact = facts.get(cells[0])
                if not fact:
                    continue
                name = os.path.join(scratch, cells[0] + '.json')
                with open(name, 'w', encoding='utf-8') as f:
                    json.dump(fact['config'], f)
                if 'hf_quant_config' in fact:
                    with open(name[:-5] + '.hf_quant_config.json', 'w', encoding='utf-8') as f:
                        json.dump(fact['hf_quant_config'], f)
            paths[name] = n
        text = subprocess.run([program, *paths], capture_output=True, text=True, check=True).stdout
    for made in text.splitlines():
        new = made.split('\t')
        cells = lines[paths[new[0]]].split('\t')
        for i in COMPUTED:
            cells[i] = new[i]
        cells[3], cells[4] = cells[3] or cells[4], cells[4] or cells[3]
        lines[paths[new[0]]] = '\t'.join(cells)
    with open(TABLE, 'w', encoding='utf-8') as f:
        f.write('\n'.join(lines))
    print(f'{len(paths)} rows made again')


if __name__ == '__main__':
    main(*sys.argv[1:])
