#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare: scenarios side by side, with the difference of each from the first."""
import csv
import io
import os
import subprocess
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')


def run(*words):
    return subprocess.run([CLI, 'compare', *words], capture_output=True, text=True, timeout=60)


class Compare(unittest.TestCase):
    def test_half_the_bytes_are_minus_a_half(self):
        done = run('--model', 'llama-3-8b', '--kv', 'bf16', 'tp=1', 'kv=fp8', 'v=1&kv=bf16&tp=2', '-o', 'csv')
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {r['id']: r for r in csv.DictReader(io.StringIO(done.stdout))}
        token = rows['kv.bytes_per_token']  # 2 x 32 x 8 x 128 x 2 B
        self.assertEqual((token['tp=1'], token['kv=fp8']), ('131072', '65536'))
        self.assertEqual(token['difference 2'], '-0.5')
        self.assertEqual(token['difference 3'], '')  # the same model
        self.assertEqual(rows['tp.kv_heads_per_gpu']['difference 3'], '-0.5')  # 8 heads over 2 GPUs
        self.assertEqual(rows['batch.limit']['tp=1'], 'memory')

    def test_people_read_percent(self):
        done = run('--model', 'llama-3-8b', '--kv', 'bf16', 'tp=1', 'kv=fp8', '-o', 'md')
        line = next(x for x in done.stdout.splitlines() if 'kv.bytes_per_token ' in x)
        self.assertIn('128 KiB', line)
        self.assertIn('-50 %', line)

    def test_refusals(self):
        self.assertEqual(run('tp=1').returncode, 2)
        self.assertEqual(run('tp=1', 'tp=2', 'tp=4', 'tp=8', 'tp=16').returncode, 2)
        done = run('tp=1', 'tp=none')
        self.assertEqual(done.returncode, 2)
        self.assertIn('tp', done.stderr)


if __name__ == '__main__':
    unittest.main()
