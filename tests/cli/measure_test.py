#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measure and devices: exit codes, sentences, the file and its use. No time is judged."""
import json
import os
import subprocess
import tempfile
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')
SHAPE = 'ctx=8k,q-heads=8,kv-heads=2,head-dim=128,kv=bf16'
MEASURED = (0, 5)  # 5: on a busy machine


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)


class Devices(unittest.TestCase):
    def test_the_cpu_is_always_there(self):
        done = run('devices', '-o', 'json')
        self.assertEqual(done.returncode, 0, done.stderr)
        devices = {d['id']: d for d in json.loads(done.stdout)['devices']}
        self.assertNotIn('problem', devices['cpu'])
        self.assertIn('cpu', run('devices').stdout)


class Measure(unittest.TestCase):
    def test_a_gpu_that_cannot_be_used_is_one_sentence_and_exit_4(self):
        listed = json.loads(run('devices', '-o', 'json').stdout)['devices']
        if any(d['id'] == 'cuda:0' and 'problem' not in d for d in listed):
            self.skipTest('there is a GPU here')
        done = run('measure', '--device', 'cuda:0', '--quick')
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stdout, '')
        self.assertEqual(len(done.stderr.strip().split('\n')), 1)
        self.assertTrue(done.stderr.strip().endswith('.'), done.stderr)

    def test_wrong_words_are_named_and_exit_2(self):
        for words, named in [(['--device', 'gpu'], 'gpu'), (['--shape', 'heads=3'], 'heads'),
                             (['--shape', 'ctx=none'], 'ctx'), (['--model', 'no-such-model'], 'no-such-model'),
                             (['-o', 'xml'], 'xml')]:
            done = run('measure', '--quick', *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(named, done.stderr)
            self.assertEqual(done.stdout, '')

    def test_a_shape_is_measured_saved_and_read_as_a_calibration(self):
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, 'cpu.json')
            done = run('measure', '--device', 'cpu', '--quick', '--threads', '1', '--shape', SHAPE,
                       '--save', saved, '-o', 'json')
            self.assertIn(done.returncode, MEASURED, done.stderr)
            answer = json.loads(done.stdout)
            with open(saved) as f:
                self.assertEqual(json.load(f), answer)
            self.assertEqual(answer['schema'], 'kvgauge.measurement/1')
            self.assertTrue(answer['time'].endswith('Z'))
            kernels = [c['kernel'] for c in answer['cases']]
            self.assertEqual(kernels[0], 'read')
            decode = [c for c in answer['cases'] if c['kernel'] == 'decode']
            self.assertGreaterEqual(len(decode), 3)
            first = decode[0]
            self.assertEqual({k: first['shape'][k] for k in ('batch', 'ctx', 'q_heads', 'kv_heads', 'group',
                                                             'head_dim', 'kv')},
                             dict(batch=1, ctx=8192, q_heads=8, kv_heads=2, group=4, head_dim=128, kv='bf16'))
            # K and V: 2 x 8192 tokens x 2 heads x 128 x 2 bytes; 4 FLOP an element and query head.
            self.assertEqual(first['bytes'], 2 * 8192 * 2 * 128 * 2)
            self.assertEqual(first['flops'], 4 * 8192 * 8 * 128)
            for case in answer['cases']:
                self.assertEqual(case['n'], len(case['samples_ns']))
                self.assertAlmostEqual(case['gb_s'], case['bytes'] / case['median'], delta=0.01 * case['gb_s'])
            self.assertGreater(first['share_of_read'], 0)
            self.assertGreater(answer['fit']['e_kv'], 0)
            estimate = run('estimate', '--calibration', saved, '-o', 'json')
            self.assertEqual(estimate.returncode, 0, estimate.stderr)

    def test_tables_for_people(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, 'table.md')
            done = run('measure', '--device', 'cpu', '--quick', '--threads', '1', '--shape', SHAPE, '-o', 'md',
                       '--output', out)
            self.assertIn(done.returncode, MEASURED, done.stderr)
            self.assertEqual(done.stdout, '')
            with open(out) as f:
                text = f.read()
            self.assertIn('| decode | 1 x 8192 tokens, 8/2 heads of 128, bf16, 1 thread |', text)
            self.assertIn('read bandwidth', text)


if __name__ == '__main__':
    unittest.main()
