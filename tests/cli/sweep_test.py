#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sweep: points, filters, order, Pareto front, prices, formats and refusals, by exit code and output."""
import csv
import io
import itertools
import json
import os
import subprocess
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')


def run(*words, text=None):
    return subprocess.run([CLI, *words], capture_output=True, text=True, timeout=120, input=text or '')


def sweep(*words):
    done = run('sweep', *words, '-o', 'jsonl')
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(*words):
    done = run('sweep', *words, '-o', 'csv')
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def value(point, row):
    return next((r['value'] for r in point['rows'] if r['id'] == row), None)


class Points(unittest.TestCase):
    def test_every_combination_equals_estimate(self):
        rows = 'tp.verdict,batch.max,decode.tpot_s,kv.bytes_per_request'
        points = sweep('--tp', '1,2,3', '--ctx', '4k..16k', '--kv', 'bf16,fp8', '--rows', rows)
        self.assertEqual(len(points), 18)
        keys = [(p['scenario']['tp'], p['scenario']['ctx'], p['scenario']['kv']) for p in points]
        self.assertEqual(sorted(keys), sorted(itertools.product((1, 2, 3), (4096, 8192, 16384), ('bf16', 'fp8'))))
        scenarios = ''.join(json.dumps(p['scenario']) + '\n' for p in points)
        done = run('estimate', '--scenarios', '-', '--rows', rows, '-o', 'jsonl', text=scenarios)
        for point, line in zip(points, done.stdout.splitlines()):
            alone = json.loads(line)
            self.assertEqual(point['scenario'], alone['scenario'])
            self.assertEqual(point['issues'], alone['issues'])
            for row in alone['rows']:
                row.pop('derivation', None)
            by_id = {r['id']: r for r in alone['rows']}
            self.assertEqual({r['id']: r for r in point['rows']}, by_id)
        for point in points[::5]:
            linked = json.loads(run('estimate', '--link', point['link'], '--rows', rows, '-o', 'json').stdout)
            self.assertEqual(point['link'], linked['link'])
            self.assertEqual({r['id']: r['value'] for r in point['rows']},
                             {r['id']: r['value'] for r in linked['rows']})

    def test_all_takes_the_catalog(self):
        gpus = json.loads(run('list', 'gpus', '-o', 'json').stdout)
        self.assertEqual(len(sweep('--gpu', 'all', '--rows', 'batch.max')), len(gpus))

    def test_a_range_of_shares(self):
        self.assertEqual([p['scenario']['util'] for p in sweep('--util', '0.7..0.9..0.1')], [.7, .8, .9])


class GroupSizes(unittest.TestCase):
    def test_every_number_of_kv_heads_side_by_side(self):
        done = run('sweep', '--model', 'llama-3-8b', '--engine', 'none', '--kv-budget', '60GiB', '--kv',
                   'bf16', '--kv-heads', 'all', '-o', 'csv')
        points = {int(p['kv-heads']): p for p in csv.DictReader(io.StringIO(done.stdout))}
        self.assertEqual(sorted(points), [1, 2, 4, 8, 16, 32])
        for heads, p in points.items():
            self.assertEqual(float(p['attn.group_size']), 32 / heads)
            # K and V: 32 layers x 2 x 4,096 x heads x 128 weights, two FLOP each per token.
            self.assertEqual(float(p['attn.kv_proj_params']), 32 * 2 * 4096 * heads * 128)
            self.assertEqual(float(p['attn.kv_proj_flops']), 2 * 32 * 2 * 4096 * heads * 128)
            self.assertEqual(float(p['kv.bytes_per_token']), 2 * 32 * heads * 128 * 2)
            self.assertEqual(float(p['batch.max']), 60 * 2**30 // (2 * 32 * heads * 128 * 2 * 8192))
            # No engine's rules: a size that divides the KV heads, or that they divide, by copies.
            for tp in (1, 2, 4, 8):
                self.assertEqual(p[f'tp.verdict@{tp}'], 'ok' if heads % tp == 0 else 'ok_replicated')
        # Ainslie et al. 2023 (arXiv 2305.13245), table 1: beside the table, not in it.
        for figure in ('1.51', '0.28', '0.24', '47.2', '47.1', '46.6', 'not scaled'):
            self.assertIn(figure, done.stderr)
        self.assertNotIn('47.2', done.stdout)
        self.assertNotIn('47.2', run('sweep', '--tp', '1,2').stderr)


class Filters(unittest.TestCase):
    def test_where(self):
        words = ['--tp', '1,2,3,4', '--batch', '1..64..x2', '--model', 'llama-3-8b']
        kept = sweep(*words, '--where', 'fits,tpot<12ms,tp.verdict=ok')
        every = sweep(*words)
        expected = [p for p in every if value(p, 'batch.max') and value(p, 'tp.verdict') == 'ok' and
                    value(p, 'decode.tpot_s') < .012]
        self.assertEqual([p['link'] for p in kept], [p['link'] for p in expected])
        self.assertTrue(0 < len(kept) < len(every))

    def test_sort_and_limit(self):
        words = ['--batch', '1,64,8', '--rows', 'decode.tokens_per_s,decode.tpot_s']
        rates = [float(r['decode.tokens_per_s']) for r in table(*words, '--sort', 'decode.tokens_per_s')]
        self.assertEqual(rates, sorted(rates, reverse=True))
        times = [float(r['decode.tpot_s']) for r in table(*words, '--sort', 'tpot')]
        self.assertEqual(times, sorted(times))
        self.assertEqual(len(table(*words, '--sort', '-decode.tpot_s', '--limit', '2')), 2)

    def test_pareto_is_what_no_plan_beats(self):
        words = ['--gpu', 'h100-80gb-sxm,a100-80gb-sxm,l40s-48gb', '--tp', '1,2,4', '--batch', '1..256..x4',
                 '--price', 'h100-80gb-sxm=2.5,a100-80gb-sxm=1.5,l40s-48gb=1',
                 '--rows', 'gpus,cost.per_hour,decode.tpot_s,decode.tokens_per_s']
        def plan(r):
            return (-float(r['decode.tokens_per_s']), float(r['decode.tpot_s']), float(r['gpus']),
                    float(r['cost.per_hour']))
        every = table(*words, '--where', 'fits')
        plans = [plan(r) for r in every]
        front = [p for p in plans if not any(q != p and all(x <= y for x, y in zip(q, p)) for q in plans)]
        self.assertEqual(sorted(plan(r) for r in table(*words, '--pareto')), sorted(front))
        self.assertTrue(2 < len(front) < len(plans))

    def test_prices(self):
        row = table('--tp', '2,4', '--price', '2.5', '--where', 'tp=4')[0]
        self.assertEqual(float(row['cost.per_hour']), 10)
        # Money an hour over tokens an hour.
        rate = float(row['decode.tokens_per_s'])
        self.assertAlmostEqual(float(row['cost.per_million_tokens']), 10 / 3600 / rate * 1e6, delta=1e-3)


class Heads(unittest.TestCase):
    def test_group_sizes_side_by_side(self):
        rows = table('--model', 'llama-3-8b', '--kv', 'bf16', '--kv-heads', 'all')
        self.assertEqual([r['kv-heads'] for r in rows], ['1', '2', '4', '8', '16', '32'])
        for r in rows:
            heads = int(r['kv-heads'])
            # 32 layers x 2 x heads x 128 x 2 B; K and V projections 32 x 2 x 4,096 x heads x 128.
            self.assertEqual(int(r['kv.bytes_per_token']), 32 * 2 * heads * 128 * 2)
            self.assertEqual(int(r['attn.kv_proj_params']), 32 * 2 * 4096 * heads * 128)
            self.assertEqual(float(r['attn.group_size']), 32 / heads)
            self.assertEqual(float(r['attn.intensity']), 32 / heads)  # FLOP/B in 16 bit


class Formats(unittest.TestCase):
    def test_json_is_one_array(self):
        points = json.loads(run('sweep', '--tp', '1,2', '-o', 'json').stdout)
        self.assertEqual([p['scenario']['tp'] for p in points], [1, 2])

    def test_text_and_markdown(self):
        text = run('sweep', '--tp', '1,2', '--rows', 'batch.max').stdout.splitlines()
        self.assertEqual(len(text), 3)
        md = run('sweep', '--tp', '1,2', '--rows', 'batch.max', '-o', 'md').stdout.splitlines()
        self.assertTrue(md[1].startswith('|---'))
        self.assertEqual(len(md), 4)


class Refusals(unittest.TestCase):
    def test_wrong_words_are_named_and_exit_2(self):
        for words, named in ((['--tp', '1'], 'several values'), (['--tp', '8..1'], 'tp'),
                             (['--tp', '1,x'], 'tp'), (['--tp', '1,2', '--rows', 'nothing'], 'nothing'),
                             (['--tp', '1,2', '--where', 'tpot<30'], 'unit'),
                             (['--tp', '1,2', '--where', 'nothing>1'], 'nothing'),
                             (['--tp', '1,2', '--sort', 'tp.verdict'], 'tp.verdict'),
                             (['--tp', '1,2', '--price', 'x=1'], 'x'),
                             (['--gpu', 'h100-80gb-sxm,none-such'], 'none-such')):
            done = run('sweep', *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stdout, '', words)
            self.assertIn(named, done.stderr, words)


if __name__ == '__main__':
    unittest.main()
