#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks CONTRIBUTING.md's first three ways in a copy of the files they name: a GPU, a model, a plain
model family. What comes out is compiled into kvgauge_contributed, which
tests/cli/contributing_test.py asks.

    contribute.py --rows kvg_model_rows --out FOLDER

FOLDER then holds tree/ (the files, edited) and the sources to compile. GPU and model are made up.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = ('core/data/check.py', 'core/data/generate.py', 'core/data/notation.py',
         'core/data/model_words.def', 'core/data/models.tsv', 'core/data/gpus.tsv',
         'core/import/config_family.cc', 'tests/import/catalog_configs.jsonl',
         'tests/support/update_models.py')

GPU = {'id': 'walk-96gb', 'name': 'Walk 96GB', 'aliases': 'walk gpu', 'vendor': 'NVIDIA',
       'arch': 'Hopper', 'driver_mib': '98304', 'visible_gib': '95', 'bandwidth_gbs': '2000',
       'flops16_tf': '500', 'flops8_tf': '1000', 'fp8': 'yes', 'bf16': 'yes', 'cc': '9.0',
       'sms': '100', 'tdp_w': '400', 'source': 'M', 'date': '2026-11'}
MODEL = {'id': 'walk-1b', 'name': 'Walk 1B', 'aliases': 'walkers/walk-1b',
         'source': 'walkers/walk-1b@0123abcde', 'path': 'config.json', 'date': '2026-11'}
CONFIG = {'architectures': ['LlamaForCausalLM'], 'model_type': 'llama', 'hidden_size': 2048,
          'intermediate_size': 5632, 'num_attention_heads': 32, 'num_hidden_layers': 24,
          'num_key_value_heads': 4, 'vocab_size': 32000, 'max_position_embeddings': 32768,
          'torch_dtype': 'bfloat16', 'tie_word_embeddings': False}
FAMILY = 'walkformer'  # its config.json is a Llama's but for the name


def edit(path, change):
    with open(path, encoding='utf-8') as f:
        text = f.read()
    with open(path, 'w', encoding='utf-8') as f:
        f.write(change(text))


def with_row(row):
    def change(text):
        head = next(x for x in text.split('\n') if x.startswith('id\t')).split('\t')
        return text.rstrip('\n') + '\n' + '\t'.join(row.get(c, '') for c in head) + '\n'
    return change


def with_family(text):
    """An entry of kTypes in its place; the table is sorted by name."""
    start = text.index('kTypes[]')
    end = text.index('};', start)
    at = next((start + m.start() for m in re.finditer(r'\{"([^"]+)", "', text[start:end])
               if m.group(1) > FAMILY), end)
    return f'{text[:at]}{{"{FAMILY}", "llama"}}, {text[at:]}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rows', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()
    tree = os.path.join(args.out, 'tree')
    shutil.rmtree(tree, ignore_errors=True)
    for name in FILES:
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, name), os.path.join(tree, name))

    def path(name):
        return os.path.join(tree, name)

    def python(name, *words):
        subprocess.run([sys.executable, path(name), *words], check=True,
                       stdout=subprocess.DEVNULL)
    edit(path('core/data/gpus.tsv'), with_row(GPU))  # a GPU: one row
    # A model: a line that tests it, a row whose computed columns the importer writes.
    line = json.dumps({'id': MODEL['id'], 'config': CONFIG}, separators=(',', ':'))
    edit(path('tests/import/catalog_configs.jsonl'), lambda text: text.rstrip('\n') + f'\n{line}\n')
    edit(path('core/data/models.tsv'), with_row(MODEL))
    python('tests/support/update_models.py', os.path.abspath(args.rows))
    python('core/data/check.py')
    python('core/data/generate.py', '--out', args.out, path('core/data'))
    edit(path('core/import/config_family.cc'), with_family)  # a plain family: one line
    shutil.copy(path('core/import/config_family.cc'), args.out)


if __name__ == '__main__':
    main()
