#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""estimate, check, list, link, help: exit codes, sentences, formats that machines read."""
import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')
# Llama 3 8B as its config.json states it: 32 layers, 8 KV heads, head_dim 4096 / 32 = 128.
CONFIG = {'architectures': ['LlamaForCausalLM'], 'model_type': 'llama', 'hidden_size': 4096,
          'intermediate_size': 14336, 'num_attention_heads': 32, 'num_hidden_layers': 32,
          'num_key_value_heads': 8, 'vocab_size': 128256, 'max_position_embeddings': 8192,
          'torch_dtype': 'bfloat16', 'tie_word_embeddings': False}
# 2 (K and V) x 32 layers x 8 heads x 128 x 2 B; and x 8,192 tokens.
BYTES_PER_TOKEN = 131072
BYTES_PER_REQUEST = 1 << 30


def run(*words, text=None, env=None):
    return subprocess.run([CLI, *words], capture_output=True, text=True, timeout=60, input=text or '',
                          env={**os.environ, **(env or {})})


def rows(done):
    return {r['id']: r for r in json.loads(done.stdout)['rows']}


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def config(self, **changes):
        kept = {k: v for k, v in {**CONFIG, **changes}.items() if v is not None}
        return self.file('config.json', json.dumps(kept))


class Answers(WithFolder):
    def test_a_config_gives_exact_bytes(self):
        got = rows(run('estimate', '--model-config', self.config(), '--ctx', '8k', '-o', 'json'))
        self.assertEqual(got['kv.bytes_per_token']['value'], BYTES_PER_TOKEN)
        self.assertEqual(got['kv.bytes_per_request']['value'], BYTES_PER_REQUEST)
        self.assertEqual(got['model.weight_bytes']['value'], 16060522496)

    def test_requests_that_fit_a_stated_budget(self):
        for heads, fit in ((32, 15), (8, 60), (1, 480)):  # 60 GiB / (heads x 2 x 32 x 128 x 2 x 8192)
            got = rows(run('estimate', '--model', 'llama-3-8b', '--engine', 'none', '--kv-budget',
                           '60GiB', '--ctx', '8192', '--kv-heads', str(heads), '-o', 'json'))
            self.assertEqual(got['batch.max']['value'], fit)

    def test_check_is_a_gate(self):
        for words, code in ((['--model', 'llama-3-8b'], 0), (['--model', 'llama-3-70b'], 3),
                            (['--model', 'qwen2.5-7b', '--gpu', 'h100-80gb-sxm', '--tp', '8'], 3),
                            (['--model', 'nosuch'], 2)):
            done = run('check', '--gpu', 'a100-80gb-sxm', '--ctx', '8192', *words)
            self.assertEqual(done.returncode, code, words)

    def test_check_reads_a_command_line_and_says_what_it_left(self):
        done = run('check', '--from', 'vllm serve meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2'
                   ' --max-model-len 32768 --kv-cache-dtype fp8 --api-key secret-word',
                   '--gpu', 'h100-80gb-sxm', '-o', 'json')
        scenario = json.loads(done.stdout)['scenario']
        self.assertEqual((scenario['tp'], scenario['ctx'], scenario['kv']), (2, 32768, 'fp8'))
        self.assertIn('--api-key', done.stdout + done.stderr)
        self.assertNotIn('secret-word', done.stdout + done.stderr)

    def test_a_command_without_a_length_has_the_models(self):
        # max_position_embeddings of Qwen3-8B: 40,960; vLLM's max_model_len where none is asked.
        def ctx(command, *more):
            done = run('check', '--from', command, '--gpu', 'h100-80gb-sxm', '-o', 'json', *more)
            return json.loads(done.stdout)['scenario']['ctx']
        self.assertEqual(ctx('vllm serve Qwen/Qwen3-8B'), 40960)
        self.assertEqual(ctx('vllm serve Qwen/Qwen3-8B --max-model-len 4096'), 4096)
        self.assertEqual(ctx('vllm serve Qwen/Qwen3-8B', '--ctx', '16k'), 16384)
        self.assertEqual(ctx('vllm serve Qwen/Qwen3-8B --max-model-len $LEN'), 8192)

    def test_many_scenarios_answer_in_order_and_a_bad_line_answers_too(self):
        done = run('estimate', '--scenarios', '-', '-o', 'jsonl', text=
                   '{"model":"llama-3-8b","ctx":8192}\nnonsense\n{"model":"llama-3-8b","ctx":16384}\n')
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(lines), 3)
        sizes = [next((r['value'] for r in x['rows'] if r['id'] == 'kv.bytes_per_request'), None)
                 for x in lines]
        self.assertEqual(sizes, [BYTES_PER_REQUEST, None, 2 * BYTES_PER_REQUEST])
        self.assertTrue(lines[1]['issues'][0]['text'])

    def test_a_link_is_canonical_and_opens_the_same_scenario(self):
        words = ['--model', 'llama-3.1-8b', '--ctx', '32768', '--tp', '2']
        link = run('link', *words).stdout.strip()
        self.assertEqual(link, 'v=1&model=llama-3.1-8b&tp=2&ctx=32k')
        self.assertEqual(run('link', '--link', link).stdout.strip(), link)
        self.assertEqual(run('estimate', '--link', link, '-o', 'json').stdout,
                         run('estimate', *words, '-o', 'json').stdout)

    def test_a_link_with_an_unknown_part_keeps_the_rest_and_says_so(self):
        done = run('estimate', '--link', 'v=1&model=llama-3-8b&ctx=16k&bogus=1', '-o', 'json')
        answer = json.loads(done.stdout)
        self.assertEqual(answer['scenario']['ctx'], 16384)
        self.assertTrue(any('bogus' in i['text'] for i in answer['issues']), answer['issues'])


class Formats(unittest.TestCase):
    def test_machine_formats_are_clean_and_equal_in_content(self):
        words = ('estimate', '--model', 'llama-3-8b')
        as_json = rows(run(*words, '-o', 'json'))
        table = list(csv.DictReader(io.StringIO(run(*words, '-o', 'csv').stdout)))
        self.assertEqual([r['id'] for r in table], list(as_json))
        jsonl = run(*words, '-o', 'jsonl').stdout
        self.assertEqual(jsonl.count('\n'), 1)
        self.assertEqual(rows(run(*words, '-o', 'jsonl')).keys(), as_json.keys())
        self.assertEqual(list(rows(run(*words, '-o', 'json', '--rows', 'batch.max'))), ['batch.max'])

    def test_markdown_is_one_table_of_five_columns(self):
        lines = [l for l in run('estimate', '-o', 'md').stdout.splitlines() if l.startswith('|')]
        self.assertEqual({l.replace('\\|', '').count('|') for l in lines}, {6})

    def test_no_colour_where_nobody_looks(self):
        for env in ({'NO_COLOR': '1'}, {}):
            self.assertNotIn('\x1b', run('estimate', env=env).stdout)

    def test_output_goes_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'out.json')
            done = run('estimate', '-o', 'json', '--output', path)
            self.assertEqual((done.returncode, done.stdout), (0, ''))
            with open(path, encoding='utf-8') as f:
                self.assertEqual(json.load(f)['schema'], 'kvgauge.estimate/1')
            self.assertEqual(run('estimate', '--output', folder + '/no/where').returncode, 1)

    def test_lists(self):
        models = run('list', 'models', '-o', 'csv').stdout.splitlines()
        self.assertGreater(len(models), 101)
        gpus = json.loads(run('list', 'gpus', '-o', 'json').stdout)
        self.assertGreater(len(gpus), 50)
        self.assertEqual(run('list', 'nothing').returncode, 2)

    def test_every_subcommand_has_its_help(self):
        page = run('--help').stdout
        for name in ('estimate', 'check', 'sweep', 'list', 'link', 'reconcile', 'measure', 'devices'):
            done = run(name, '--help')
            self.assertEqual(done.returncode, 0)
            self.assertTrue(done.stdout.startswith('## ' + name), done.stdout[:40])
            self.assertIn(name, page)
        self.assertEqual(run('--version').stdout.split()[0], 'kvgauge')


class BadInput(WithFolder):
    def refused(self, *words, names=()):
        done = run('estimate', *words)
        self.assertEqual(done.returncode, 2, (words, done.stdout[:200]))
        for name in names:
            self.assertIn(name, done.stderr)
        self.assertTrue(done.stderr.strip().endswith('.'), done.stderr)

    def test_unreadable_configs(self):
        self.refused('--model-config', self.file('broken.json', '{"a":'), names=['broken.json', 'JSON'])
        self.refused('--model-config', self.folder.name + '/none.json', names=['none.json'])
        self.refused('--model-config', self.folder.name, names=[])
        self.refused('--model-config', self.file('list.json', '[1]'), names=['list.json'])
        self.refused('--gguf', self.file('no.gguf', 'GGUX'), names=['no.gguf'])

    def test_missing_zero_negative_absurd_and_overflowing_fields(self):
        self.refused('--model-config', self.config(hidden_size=None), names=['hidden_size'])
        for key in ('num_hidden_layers', 'num_attention_heads', 'num_key_value_heads', 'hidden_size',
                    'vocab_size'):
            for value in (0, -1, 1e30, 2 ** 63, 2 ** 64, '8', [8], 2.5):
                if key == 'vocab_size' and value == 0:
                    continue  # a decoder without a table of its own: no bytes are lost
                self.refused('--model-config', self.config(**{key: value}), names=[key])

    def test_keys(self):
        for words in (['--ctx', '1e30'], ['--ctx', '-5'], ['--ctx', '0'], ['--ctx', ''],
                      ['--tp', '1.5'], ['--kv', 'fp7'], ['--util', '2'], ['--engine', 'vllm@x'],
                      ['--kv-budget', '99999999TiB']):
            self.refused(*words, names=[words[0][2:]])
        self.refused('--no-such-key', '1', names=['--no-such-key'])

    def test_an_unknown_model_names_near_ones_only(self):
        done = run('estimate', '--model', 'llama-3-8')
        self.assertEqual(done.returncode, 2)
        self.assertIn('llama-3-8b', done.stderr)
        self.assertNotIn('Nearest', run('estimate', '--model', 'zzzzzzzz').stderr)


if __name__ == '__main__':
    unittest.main()
