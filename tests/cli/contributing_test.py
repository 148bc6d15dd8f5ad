#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What CONTRIBUTING.md says of a GPU, a model and a plain model family, done once: the program with
one row each (tests/support/contribute.py) answers for them."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from contribute import CONFIG, FAMILY  # noqa: E402

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')
WALKED = os.environ.get('KVGAUGE_CONTRIBUTED', '')
# 2 (K and V) x 24 layers x 4 KV heads x 2048 / 32 x 2 B.
KV_PER_TOKEN = 24576
# A layer: q and o 2048 x 2048, k and v 2048 x 256, three of 2048 x 5632, two norms; 24 of them, two
# embeddings of 32,000 x 2048, the last norm.
PARAMS = 24 * (2 * 2048 * 2048 + 2 * 2048 * 256 + 3 * 2048 * 5632 + 2 * 2048) \
    + 2 * 32000 * 2048 + 2048


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=60)


@unittest.skipUnless(WALKED, 'KVGAUGE_CONTRIBUTED names no program')
class Contributing(unittest.TestCase):
    def rows(self, *words):
        done = run(WALKED, 'estimate', *words, '-o', 'json')
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return {r['id']: r.get('value') for r in json.loads(done.stdout)['rows']}

    def test_a_gpu_is_one_row(self):
        rows = self.rows('--gpu', 'walk-96gb', '--engine', 'none')
        self.assertEqual(rows['budget.gpu_bytes'], 95 << 30)
        self.assertEqual(rows['gpu.ridge'], 250)  # 500e12 / 2000e9
        self.assertIn('walk-96gb', run(WALKED, 'list', 'gpus').stdout)
        self.assertNotEqual(run(CLI, 'estimate', '--gpu', 'walk-96gb').returncode, 0)

    def test_a_model_is_one_row_and_one_line_that_tests_it(self):
        for name in ('walk-1b', 'walkers/walk-1b', 'Walk 1B'):
            rows = self.rows('--model', name, '--gpu', 'walk gpu')
            self.assertEqual(rows['kv.bytes_per_token'], KV_PER_TOKEN)
            self.assertEqual(rows['model.params'], PARAMS)
            self.assertGreater(rows['batch.max'], 0)
        self.assertNotEqual(run(CLI, 'estimate', '--model', 'walk-1b').returncode, 0)

    def test_a_plain_family_is_one_row(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, 'config.json')
            with open(file, 'w', encoding='utf-8') as f:
                json.dump({**CONFIG, 'model_type': FAMILY,
                           'architectures': ['WalkformerForCausalLM']}, f)
            rows = self.rows('--model-config', file)
            self.assertEqual(rows['kv.bytes_per_token'], KV_PER_TOKEN)
            self.assertEqual(rows['model.params'], PARAMS)
            basis = [next(r['basis'] for r in json.loads(
                run(program, 'estimate', '--model-config', file, '-o', 'json').stdout)['rows']
                          if r['id'] == 'kv.bytes_per_token') for program in (CLI, WALKED)]
            self.assertEqual(basis, ['assumed', 'exact'])  # a name not known, then known


if __name__ == '__main__':
    unittest.main()
