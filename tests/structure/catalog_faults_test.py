#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A fault in models.tsv or gpus.tsv stops the build and names file, line and column."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, 'core/data')
FILES = ('generate.py', 'notation.py', 'model_words.def', 'models.tsv', 'gpus.tsv')


class CatalogFaults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in FILES:
            shutil.copy(os.path.join(DATA, name), self.folder)

    def generate(self):
        out = os.path.join(self.folder, 'out')
        done = subprocess.run([sys.executable, os.path.join(self.folder, 'generate.py'), '--out', out,
                               self.folder], capture_output=True, text=True)
        return done.returncode, done.stderr.strip()

    def edit(self, name, old, new):
        """Replaces the first `old` of a data row; the line and column of the place."""
        path = os.path.join(self.folder, name)
        with open(path, encoding='utf-8') as f:
            lines = f.read().split('\n')
        for n, line in enumerate(lines):
            if not line.startswith(('#', 'id\t')) and old in line:
                lines[n] = line.replace(old, new, 1)
                with open(path, 'w', encoding='utf-8') as f:
                    f.write('\n'.join(lines))
                return n + 1, line.index(old) + 1
        self.fail(f'{old} is not in {name}')

    def refused(self, name, old, new, text, offset=0):
        line, column = self.edit(name, old, new)
        code, said = self.generate()
        self.assertEqual(code, 1, said)
        self.assertTrue(said.startswith(f'{name}:{line}:{column + offset}: '), said)
        self.assertIn(text, said)

    def test_the_files_as_they_are(self):
        self.assertEqual(self.generate(), (0, ''))

    def test_words(self):
        self.refused('models.tsv', ' ffn:', ' fnn:', "unknown word 'fnn'", 1)

    def test_numbers(self):
        self.refused('models.tsv', 'hidden:', 'hidden:-', 'needs a whole number')

    def test_flags(self):
        self.refused('models.tsv', ' qkv_bias', ' qkv_bias:1', 'takes no number', 1)

    def test_twice(self):
        self.refused('models.tsv', ' ffn:', ' q:1 ffn:', "'q' stands twice", 1)

    def test_missing_words(self):
        self.refused('models.tsv', '[sliding q:32', '[sliding', 'a sliding layer needs q')

    def test_kinds(self):
        self.refused('models.tsv', '[full q', '[full mla q', 'a second kind of attention', 6)

    def test_brackets(self):
        self.refused('models.tsv', 'x(', 'x((', "'(' is not closed", 1)

    def test_names(self):
        self.refused('models.tsv', 'A=[', 'A=[full q:1 kv:1 d:1] A=[', "'A' is named twice", 22)

    def test_formats(self):
        self.refused('models.tsv', '\tmxfp4 attention:bf16', '\tmxfp4 attention:b16',
                     "'b16' is not one of", 7)

    def test_dates(self):
        self.refused('models.tsv', '\t2026-11', '\t2026-13', 'is not YYYY-MM', 1)

    def test_same_names(self):
        self.edit('gpus.tsv', 'h100;h100-80gb', 'a100;h100-80gb')
        code, said = self.generate()
        self.assertEqual(code, 1)
        self.assertIn("'a100' already names the row in line", said)

    def test_decimals(self):
        self.refused('gpus.tsv', '\t1555\t', '\t1.5e3\t', 'is not a decimal number', 1)

    def test_columns(self):
        self.edit('gpus.tsv', '\tNVIDIA\t', '\tNVIDIA\t\t')
        code, said = self.generate()
        self.assertEqual(code, 1)
        self.assertIn('columns, expected', said)


if __name__ == '__main__':
    unittest.main()
