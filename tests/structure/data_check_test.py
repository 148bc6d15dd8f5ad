#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`make data` passes the catalogs as they are, and names place and fault of bad rows, all of them."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, 'core/data')
FILES = ('check.py', 'generate.py', 'notation.py', 'model_words.def', 'models.tsv', 'gpus.tsv')


class DataCheck(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in FILES:
            shutil.copy(os.path.join(DATA, name), self.folder)

    def check(self):
        done = subprocess.run([sys.executable, os.path.join(self.folder, 'check.py')],
                              capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr.strip().split('\n')

    def lines(self, name):
        with open(os.path.join(self.folder, name), encoding='utf-8') as f:
            return f.read().split('\n')

    def set(self, name, row, **cells):
        """Writes cells of the row with this id; its line."""
        lines = self.lines(name)
        head = next(x for x in lines if x.startswith('id\t')).split('\t')
        at = next(i for i, x in enumerate(lines) if x.startswith(row + '\t'))
        texts = lines[at].split('\t')
        for column, text in cells.items():
            texts[head.index(column)] = text
        lines[at] = '\t'.join(texts)
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
            f.write('\n'.join(lines))
        return at + 1

    def refused(self, name, row, text, **cells):
        line = self.set(name, row, **cells)
        code, _, said = self.check()
        self.assertEqual(code, 1)
        self.assertRegex(said[0], rf'^{name}:{line}:\d+: ')
        self.assertIn(text, said[0])
        self.assertEqual(said[1:], ['1 faults'])

    def test_the_files_as_they_are(self):
        code, out, _ = self.check()
        self.assertEqual(code, 0)
        for name in ('gpus.tsv', 'models.tsv'):
            rows = sum(1 for x in self.lines(name) if x and not x.startswith(('#', 'id\t')))
            self.assertIn(f'{name}: {rows} rows', out)

    def test_a_rate_in_another_unit(self):  # 2,039 GB/s written in bytes/s
        self.refused('gpus.tsv', 'a100-80gb-sxm', 'is not between', bandwidth_gbs='203900')

    def test_memory_in_another_unit(self):  # GiB where MiB belong
        line = self.set('gpus.tsv', 'a100-80gb-sxm', driver_mib='80')
        code, _, said = self.check()
        self.assertEqual(code, 1)
        self.assertTrue(any(s.startswith(f'gpus.tsv:{line}:') and 'not between' in s
                            for s in said), said)

    def test_memory_that_is_not_the_ids(self):
        self.refused('gpus.tsv', 'a100-80gb-sxm', 'is not the 80 GB of the id',
                     driver_mib='143771', visible_gib='')

    def test_a_process_that_sees_more_than_there_is(self):
        self.refused('gpus.tsv', 'a100-80gb-sxm', 'more than driver_mib', visible_gib='90')

    def test_rates_out_of_order(self):
        self.refused('gpus.tsv', 'h100-80gb-sxm', 'is below flops16_tf', flops8_tf='100')

    def test_a_link_without_a_rate(self):
        self.refused('gpus.tsv', 'h100-80gb-sxm', 'stand together', link_gbs='')

    def test_fp8_without_a_rate(self):
        self.refused('gpus.tsv', 'h100-80gb-sxm', 'yes needs flops8_tf', flops8_tf='')

    def test_a_source_nobody_explained(self):
        self.refused('gpus.tsv', 'h100-80gb-sxm', "'ZZ' is not among the source tags",
                     source='XD;ZZ(bw)')

    def test_no_source(self):
        self.refused('gpus.tsv', 'h100-80gb-sxm', 'source: is empty', source='')
        self.setUp()
        self.refused('models.tsv', 'llama-3-8b', 'source: is empty', source='')

    def test_a_date_to_come(self):
        self.refused('models.tsv', 'llama-3-8b', "after the file's revision", date='2031-01')

    def test_no_date(self):
        self.refused('models.tsv', 'llama-3-8b', 'is not YYYY-MM', date='')

    def test_a_name_that_stands_twice(self):
        self.refused('models.tsv', 'llama-3-70b', "'Llama_3 8B' already names",
                     aliases='Llama_3 8B')

    def test_heads_that_do_not_divide(self):
        self.refused('models.tsv', 'llama-3-8b', '32 query heads are no multiple of 5 KV heads',
                     layers='32x[full q:32 kv:5 d:128 ffn:14336 norm:8192]')

    def test_a_vocabulary_no_model_has(self):
        self.refused('models.tsv', 'llama-3-8b', 'is not between',
                     model='hidden:4096 vocab:12 ctx:8192 final_norm:4096')

    def test_every_fault_is_told(self):
        self.set('gpus.tsv', 'h100-80gb-sxm', link_gbs='')
        self.set('gpus.tsv', 't4-16gb', tdp_w='70000')
        self.set('models.tsv', 'llama-3-8b', date='2031-01')
        code, _, said = self.check()
        self.assertEqual(code, 1)
        self.assertEqual(said[-1], '3 faults')


if __name__ == '__main__':
    unittest.main()
