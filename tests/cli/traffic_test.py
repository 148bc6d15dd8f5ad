#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""traffic: concurrency of mixed lengths; arithmetic, seeds, tables and refusals."""
import json
import os
import subprocess
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')
# 2 (K and V) x 32 layers x 8 heads x 128 x 2 B a token of Llama 3 8B: 60 GiB hold 491,520 tokens.
PLAIN = ['--model', 'llama-3-8b', '--engine', 'none', '--kv-budget', '60GiB', '--kv', 'bf16', '--ctx', '8k']
TOKENS = 60 * 2**30 // 131072


def run(*words, text=None):
    return subprocess.run([CLI, 'traffic', *words], capture_output=True, text=True, timeout=120,
                          input=text or '')


def rows(*words, text=None):
    done = run(*words, '-o', 'json', text=text)
    assert done.returncode == 0, done.stderr
    return {r['id']: r for r in json.loads(done.stdout)}


class Constant(unittest.TestCase):
    def test_one_token_of_answer_is_the_budget_over_the_request(self):
        got = rows(*PLAIN, '--in', '1023', '--out', '1')
        self.assertEqual(TOKENS // 1024, 480)
        for row in ('traffic.concurrency', 'traffic.concurrency_1pct'):
            self.assertEqual(got[row]['value'], 480)
        # Nothing grows, so the seeds agree.
        self.assertEqual(got['traffic.concurrency_1pct']['low'], 480)
        self.assertEqual(got['traffic.concurrency_1pct']['high'], 480)
        self.assertEqual(got['batch.max']['value'], TOKENS // 8192)
        self.assertEqual(got['traffic.cut']['value'], 0)

    def test_a_request_under_way_holds_its_mean(self):
        # 1,000 tokens in, 1..999 out: 1,001 to 1,999 held, 1,500 in the mean.
        got = rows(*PLAIN, '--in', '1000', '--out', '999')
        self.assertEqual(got['traffic.blocks_per_request']['value'], 1500)
        self.assertEqual(got['traffic.longest_blocks']['value'], 1999)
        self.assertEqual(got['traffic.concurrency']['value'], TOKENS // 1500)
        one = got['traffic.concurrency_1pct']
        # All at their longest always fit; more than the mean holds never do.
        self.assertTrue(TOKENS // 1999 <= one['low'] <= one['value'] <= one['high'] <= TOKENS // 1500)

    def test_blocks_of_an_engine(self):
        # 16 tokens a block: 491,520 / 16 = 30,720, of which vLLM keeps one; 1,023 + 1 tokens are 64.
        got = rows('--model', 'llama-3-8b', '--engine', 'vllm', '--kv-budget', '60GiB', '--kv', 'bf16',
                   '--in', '1023', '--out', '1', '--max-seqs', '4096')
        self.assertEqual(got['engine.block_tokens']['value'], 16)
        self.assertEqual(got['traffic.blocks']['value'], 30719)
        self.assertEqual(got['traffic.concurrency']['value'], 30719 // 64)
        capped = rows('--model', 'llama-3-8b', '--engine', 'vllm', '--kv-budget', '60GiB', '--kv', 'bf16',
                      '--in', '1023', '--out', '1', '--max-seqs', '100')
        self.assertEqual(capped['traffic.concurrency']['value'], 100)


class Tables(unittest.TestCase):
    def test_a_histogram_has_its_means(self):
        got = rows(*PLAIN, '--lengths', '-', text='prompt,completion,count\n100,10,3\n200,30,1\n')
        self.assertEqual(got['traffic.mean_in']['value'], 125)   # (3 x 100 + 200) / 4
        self.assertEqual(got['traffic.mean_out']['value'], 15)   # (3 x 10 + 30) / 4
        # Held in the mean, by steps: 3 x 10 of 105.5, 1 x 30 of 215.5.
        self.assertEqual(got['traffic.blocks_per_request']['value'], 160.5)
        self.assertEqual(got['traffic.concurrency']['value'], int(TOKENS / 160.5))

    def test_order_separators_and_one_column(self):
        names = rows(*PLAIN, '--lengths', '-', text='"output";"input"\r\n10;100\r\n')
        bare = rows(*PLAIN, '--lengths', '-', text='# pasted\n100 10\n\n')
        self.assertEqual(names, bare)
        one = rows(*PLAIN, '--out', '10', '--lengths', '-', text='prompt\n100\n')
        self.assertEqual(one, bare)

    def test_lengths_end_at_the_context(self):
        got = rows(*PLAIN, '--lengths', '-', text='100,10,3\n9000,10,1\n')
        self.assertEqual(got['traffic.cut']['value'], .25)
        self.assertEqual(got['traffic.longest_blocks']['value'], 8192)

    def test_what_is_wrong_is_named(self):
        for text, word in (('', 'no request'), ('100,0\n', 'line 1'), ('in,out\n5,x\n', 'line 2'),
                           ('100\n', 'line 1')):
            done = run(*PLAIN, '--lengths', '-', text=text)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stdout, '')
        self.assertEqual(run(*PLAIN, '--lengths', 'no-such-file').returncode, 2)


class Shapes(unittest.TestCase):
    WORDS = [*PLAIN, '--in-p50', '800', '--in-p95', '4000', '--out-mean', '300', '--out-p50', '200']

    def test_the_same_seed_gives_the_same(self):
        first = run(*self.WORDS, '-o', 'json').stdout
        self.assertEqual(first, run(*self.WORDS, '-o', 'json').stdout)
        self.assertNotEqual(first, run(*self.WORDS, '--seed', '2', '-o', 'json').stdout)

    def test_one_per_cent_is_below_the_expected_and_above_the_maximum(self):
        got = rows(*self.WORDS)
        one = got['traffic.concurrency_1pct']
        self.assertTrue(one['low'] <= one['value'] <= one['high'])
        self.assertLess(one['value'], got['traffic.concurrency']['value'])
        self.assertGreater(one['value'], got['batch.max']['value'])

    def test_more_memory_holds_more(self):
        words = [w if w != '60GiB' else '30GiB' for w in self.WORDS]
        self.assertLess(rows(*words)['traffic.concurrency_1pct']['high'],
                        rows(*self.WORDS)['traffic.concurrency_1pct']['low'])

    def test_refusals(self):
        # 512 MiB are 4,096 tokens; the longest request has 8,000.
        for words, word in ((['--in-p50', '800', '--in-p95', '100'], 'contradict'),
                            (['--engine', 'llamacpp'], 'page'),
                            (['--model', 'no-such-model'], 'no-such-model'),
                            (['--in', '7900', '--out', '100', '--kv-budget', '512MiB'], 'longest')):
            done = run(*PLAIN, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stdout, '')

    def test_a_budget_that_is_assumed_stays_assumed(self):
        words = ['--model', 'llama-3.1-8b', '--gpu', 'h100-80gb-sxm', '--ctx', '32k']
        done = subprocess.run([CLI, 'estimate', *words, '-o', 'json'], capture_output=True, text=True)
        alone = next(r for r in json.loads(done.stdout)['rows'] if r['id'] == 'batch.max')
        got = rows(*words)
        for part in ('value', 'low', 'high', 'basis'):
            self.assertEqual(got['batch.max'][part], alone.get(part), part)
        self.assertEqual(got['traffic.concurrency']['basis'], alone['basis'])

    def test_windows_are_marked_assumed(self):
        got = rows('--model', 'gemma-3-27b', '--gpu', 'h100-80gb-sxm', '--in', '2000', '--out', '200')
        self.assertEqual(got['traffic.concurrency']['basis'], 'assumed')


class Everywhere(unittest.TestCase):
    """The same keys in an estimate, a link, a JSON scenario and a sweep."""
    TABLE = '100:10:3~200:30'

    def estimate(self, *words, text=None):
        done = subprocess.run([CLI, 'estimate', *words, '-o', 'json'], capture_output=True, text=True,
                              timeout=60, input=text or '')
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_an_estimate_has_the_rows_of_the_command(self):
        own = rows(*PLAIN, '--lengths', self.TABLE)
        answer = self.estimate(*PLAIN, '--lengths', self.TABLE)
        got = {r['id']: r for r in answer['rows']}
        for row in own:
            self.assertEqual(got[row]['value'], own[row]['value'], row)
        self.assertEqual(got['traffic.mean_in']['value'], 125)  # (3 x 100 + 200) / 4
        self.assertEqual(answer['scenario']['lengths'], self.TABLE)
        linked = self.estimate('--link', answer['link'])
        self.assertEqual(linked['rows'], answer['rows'])
        again = self.estimate('--scenario', '-', text=json.dumps(answer['scenario']))
        self.assertEqual(again['rows'], answer['rows'])

    def test_no_keys_no_rows(self):
        self.assertFalse([r for r in self.estimate(*PLAIN)['rows'] if r['id'].startswith('traffic.')])

    def test_every_format_shows_them(self):
        words = [*PLAIN, '--in-p50', '800', '--in-p95', '4000']
        for form in ('text', 'md', 'csv'):
            done = subprocess.run([CLI, 'estimate', *words, '-o', form], capture_output=True, text=True)
            self.assertIn('1 % preempted', done.stdout, form)

    def test_a_mean_may_have_decimals(self):
        answer = self.estimate(*PLAIN, '--in-mean', '160.5', '--in-p50', '120')
        self.assertEqual(answer['scenario']['in-mean'], 160.5)

    def test_a_contradiction_stops_these_rows_alone(self):
        answer = self.estimate(*PLAIN, '--in-p50', '800', '--in-p95', '100')
        self.assertIn('contradict', answer['issues'][0]['text'])
        ids = [r['id'] for r in answer['rows']]
        self.assertIn('batch.max', ids)
        self.assertNotIn('traffic.concurrency', ids)

    def test_a_long_table_stays_out_of_the_link_and_says_so(self):
        table = '~'.join(f'{i}:{i}' for i in range(1, 400))
        answer = self.estimate(*PLAIN, '--lengths', table)
        self.assertNotIn('lengths', answer['link'])
        self.assertTrue([i for i in answer['issues'] if 'too long for a link' in i['text']])

    def test_a_sweep_filters_and_sorts_by_them(self):
        done = subprocess.run([CLI, 'sweep', *PLAIN, '--in-p50', '200,400,800', '--in-p95', '2000', '--rows',
                               'traffic.concurrency', '--sort', 'traffic.concurrency_1pct', '-o', 'jsonl'],
                              capture_output=True, text=True, timeout=60)
        points = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([p['scenario']['in-p50'] for p in points], [200, 400, 800])
        held = [p['rows'][0]['value'] for p in points]
        self.assertEqual(held, sorted(held, reverse=True))
        self.assertGreater(held[0], held[2])


if __name__ == '__main__':
    unittest.main()
