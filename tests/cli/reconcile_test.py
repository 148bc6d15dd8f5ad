#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reconcile: exit codes, what it fills in, and that a link with the fitted numbers answers alike."""
import json
import os
import subprocess
import tempfile
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')
GIB = 2 ** 30
# vllm-project/vllm#10511: 0.9 x 79.22 - 14.96 - 1.79 - 1.26 = 53.29 GiB.
LOG = '''INFO llm_engine.py:249] Initializing an LLM engine (v0.6.5) with config: \
model='meta-llama/Meta-Llama-3-8B', tensor_parallel_size=1, max_seq_len=8192
INFO model_runner.py:1092] Loading model weights took 14.96 GB
INFO worker.py:241] Memory profiling results: total_gpu_memory=79.22GiB \
non_torch_memory=1.79GiB peak_torch_memory=16.22GiB kv_cache_size=53.29GiB \
gpu_memory_utilization=0.90
'''


def run(*words, text=None):
    return subprocess.run([CLI, *words], capture_output=True, text=True, timeout=120, input=text)


def reconcile(log, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'start.log')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(log)
        return run('reconcile', path, *words)


class Reconcile(unittest.TestCase):
    def test_a_log_beside_the_prediction(self):
        done = reconcile(LOG, '-o', 'json')
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer['schema'], 'kvgauge.reconcile/1')
        (log,) = answer['runs']
        rows = {r['id']: r for r in log['rows']}
        for row, gib in [('log.total', 79.22), ('log.weights', 14.96), ('log.other', 1.79),
                         ('log.activation', 1.26), ('log.kv', 53.29), ('log.beside', 3.048)]:
            self.assertAlmostEqual(rows[row]['observed'] / GIB, gib, places=2, msg=row)
        self.assertIn('util=0.9', log['link'])
        self.assertAlmostEqual(log['overhead'] / GIB, 3.048, places=3)

    def test_the_kept_overhead_answers_alike_from_its_link(self):
        (log,) = json.loads(reconcile(LOG, '-o', 'json').stdout)['runs']
        link = f'{log["link"]}&overhead={int(log["overhead"])}'
        done = run('estimate', '--link', link, '-o', 'json')
        self.assertEqual(done.returncode, 0, done.stderr)
        kv = {r['id']: r for r in json.loads(done.stdout)['rows']}['budget.kv_bytes']
        # The catalog's total of this card differs from the log's by a few hundredths of a GiB.
        self.assertAlmostEqual(kv['value'] / GIB, 53.29, delta=0.06)
        self.assertEqual(kv.get('low', kv['value']), kv.get('high', kv['value']))

    def test_text_and_korean(self):
        self.assertIn('14.96 GiB', reconcile(LOG).stdout)
        self.assertIn('가중치', reconcile(LOG, '--lang', 'ko').stdout)

    def test_what_is_no_log_is_said_and_exit_2(self):
        done = reconcile('nothing of an engine\n')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, '')
        self.assertTrue(done.stderr.strip().endswith('.'), done.stderr)
        missing = run('reconcile', '/no/such/file.log')
        self.assertEqual(missing.returncode, 2)
        self.assertIn('/no/such/file.log', missing.stderr)

    def test_a_model_the_catalog_lacks_is_named(self):
        log = LOG.replace('meta-llama/Meta-Llama-3-8B', 'someone/else')
        answer = json.loads(reconcile(log, '-o', 'json').stdout)
        self.assertTrue(any('someone/else' in i['text'] for i in answer['runs'][0]['issues']))
        named = json.loads(reconcile(log, '--model', 'llama-3-8b', '-o', 'json').stdout)
        rows = {r['id']: r for r in named['runs'][0]['rows']}
        self.assertIn('predicted', rows['log.weights'])


class Calibration(unittest.TestCase):
    FIT = {'device': 'NVIDIA A100-SXM4-80GB', 'e_w': 0.9123456, 'e_kv': 0.761, 't0': 2.63e-5,
           'residual': 0.053}

    def test_a_file_and_the_link_made_of_it_answer_alike(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a100.json')
            with open(path, 'w', encoding='utf-8') as f:
                json.dump({'schema': 'kvgauge.measurement/1', 'fit': self.FIT}, f)
            keys = ['--model', 'llama-3-8b', '--batch', '8', '--calibration', path]
            by_file = json.loads(run('estimate', *keys, '-o', 'json').stdout)
            link = run('link', *keys).stdout.strip()
        self.assertIn('calibration=', link)
        by_link = json.loads(run('estimate', '--link', link, '-o', 'json').stdout)
        self.assertEqual(by_link['rows'], by_file['rows'])
        rows = {r['id']: r for r in by_file['rows']}
        for row in ('decode.tpot_s', 'decode.tokens_per_s', 'prefill.ttft_s'):
            self.assertEqual(rows[row]['basis'], 'measured', row)
        plain = json.loads(run('estimate', *keys[:4], '-o', 'json').stdout)
        default = {r['id']: r for r in plain['rows']}['decode.tpot_s']['value']
        self.assertEqual(rows['decode.tpot_default_s']['value'], default)
        self.assertNotEqual(rows['decode.tpot_s']['value'], default)
        self.assertEqual(rows['calibration.residual']['value'], 0.053)


if __name__ == '__main__':
    unittest.main()
