#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of the accuracy page: site/docs/accuracy.en.md and accuracy.ko.md.

    accuracy.py [--cli build/native/kvgauge] [--out site/docs]

Runs the command over measured data that is not part of this repository: the folder that
KVGAUGE_SHARED names, or ../shared beside the repository, with data/ in it. Where there is none, the
committed tables stay as they are and this says so.
"""
import argparse
import csv
import datetime
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GPUS = {'H100-SXM5-80GB': 'h100-80gb-sxm', 'H200-SXM': 'h200-141gb-sxm',
        'B200-SXM': 'b200-180gb-sxm', 'A100-SXM4-80GB': 'a100-80gb-sxm'}
# How the names of start-up logs say the GPU. Without one there is nothing to compare a budget with.
LOG_GPUS = {'h100': 'h100-80gb-sxm', 'h200': 'h200-141gb-sxm', 'rtx3090': 'rtx-3090-24gb',
            'rtx5090': 'rtx-5090-32gb'}
# Longest first: each name holds the next.
MODELS = ('llama-3.3-70b', 'llama-3.1-70b', 'llama-3.1-8b', 'llama-3-70b', 'llama-3-8b',
          'qwen3-32b', 'qwen3-8b')
ENGINES = {'vllm': 'vLLM', 'sglang': 'SGLang', 'trtllm': 'TensorRT-LLM', 'tgi': 'TGI',
           'llamacpp': 'llama.cpp'}


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def percent(x):
    return f'{100 * x:.1f} %'


class Command:
    def __init__(self, program):
        self.program = program

    def run(self, *words, **more):
        return subprocess.run([self.program, *words], capture_output=True, text=True, check=False,
                              **more).stdout

    def estimates(self, scenarios):
        """One {row id: row} for each scenario, in order."""
        text = ''.join(json.dumps(s) + '\n' for s in scenarios)
        lines = self.run('estimate', '--scenarios', '-', '-o', 'jsonl', input=text).splitlines()
        if len(lines) != len(scenarios):
            sys.exit(f'{len(scenarios)} scenarios gave {len(lines)} answers')
        return [{row['id']: row for row in json.loads(line)['rows']} for line in lines]


def value(answer, row):
    return answer.get(row, {}).get('value')


def configurations(command, data):
    """(what, checked, equal): KV bytes to the byte; parameters within 0.1 %."""
    rows = list(csv.DictReader(open(data / 'expected.tsv'), delimiter='\t'))
    asked, wanted = [], []
    for row in rows:
        for ctx in (8192, 131072):
            expected = row[f'kv_B_{ctx}_engine']
            if not expected.isdigit():
                continue
            asked.append({'model-config': str(data / 'configs' / row['file']), 'ctx': ctx,
                          'kv': 'bf16', 'gpu': 'h200-141gb-sxm', 'engine': 'vllm'})
            # The published figure may or may not count the index of sparse attention.
            index = int(row['aux_index_B_per_token'] or 0) * ctx
            wanted.append((row, ctx, {int(expected), int(expected) + index}))
    answers = command.estimates(asked)
    kv = [value(a, 'kv.bytes_per_request') in w for a, (_, _, w) in zip(answers, wanted)]
    params = []
    for answer, (row, ctx, _) in zip(answers, wanted):
        known = row['params_text_model']
        if ctx == 8192 and row['published_params'].isdigit() and known.isdigit():
            ours = value(answer, 'model.params')
            params.append(bool(ours) and abs(ours - int(known)) <= 1e-3 * int(known))
    return [('kv', len(kv), sum(kv)), ('params', len(params), sum(params))]


def verdicts(command, data):
    """Tensor-parallel vectors that name query heads, KV heads and a size."""
    asked, wanted = [], []
    for v in json.load(open(data / 'engine_vectors.json')):
        given = v['inputs']
        if not v['id'].startswith('tp') or 'q' not in given:
            continue
        asked.append({'model': 'custom', 'layers': 32, 'hidden': given['q'] * 128,
                      'inter': 64 * given['q'] * given['tp'], 'vocab': 32000 * given['tp'],
                      'params': 8000000000, 'q-heads': given['q'], 'kv-heads': given['kv'],
                      'head-dim': 128, 'gpu': 'h200-141gb-sxm', 'tp': given['tp'],
                      'engine': 'tgi' if 'tgi' in v['id'] else 'vllm'})
        wanted.append(v['expect'] if isinstance(v['expect'], list) else [v['expect']])
    good = 0
    for answer, expect in zip(command.estimates(asked), wanted):
        same = (value(answer, 'tp.verdict') == 'error') == (expect[0] == 'error')
        if expect[0] != 'error' and len(expect) > 2 and isinstance(expect[2], int):
            same = same and value(answer, 'tp.copies') == expect[2]
        good += same
    return [('tp', len(wanted), good)]


def start_logs(command, data):
    """Per engine, where the GPU is known: logs, figures compared, inside the range or the print's
    rounding."""
    out = defaultdict(lambda: [0, 0, 0])
    for file in sorted((data / 'start_logs').glob('*.txt')):
        gpu = next((LOG_GPUS[word] for word in file.stem.split('-') if word in LOG_GPUS), None)
        if gpu is None:
            continue
        text = command.run('reconcile', str(file), '--gpu', gpu, '-o', 'json')
        for run in json.loads(text)['runs'] if text else []:
            rows = [r for r in run['rows'] if 'observed' in r and 'predicted' in r]
            if not rows:
                continue
            tally = out[run['engine'].split('@')[0]]
            tally[0] += 1
            tally[1] += len(rows)
            tally[2] += sum(r['inside'] for r in rows)
    return out


def serving(command, data):
    """Per engine and GPU: the errors of TPOT, of the roofline, and floors above a measurement."""
    asked, measured = [], []
    for row in csv.DictReader(open(data / 'system_measurements.csv')):
        model = next((m for m in MODELS if m in row['model'].lower().replace('meta-', '')), None)
        if row['use'] != 'fit' or row['gpu'] not in GPUS or not model:
            continue
        try:
            batch, n_in, n_out, tpot = (float(row[k]) for k in (
                'batch_or_concurrency', 'input_len', 'output_len', 'tpot_ms'))
        except ValueError:
            continue
        weights = next((w for w, mark in (('nvfp4', 'fp4'), ('fp8', 'fp8'))
                        if mark in row['weight_dtype']), 'bf16')
        asked.append({'model': model, 'gpu': GPUS[row['gpu']], 'engine': row['engine'],
                      'tp': int(float(row['tp'] or 1)), 'weights': weights,
                      'kv': 'fp8' if 'fp8' in row['kv_dtype'] else 'bf16', 'batch': int(batch),
                      'in': int(n_in), 'out': int(n_out), 'ctx': int(n_in + n_out)})
        measured.append((row, tpot / 1e3))
    groups = defaultdict(list)
    for answer, scenario, (row, tpot) in zip(command.estimates(asked), asked, measured):
        ours, floor = value(answer, 'decode.tpot_s'), value(answer, 'decode.floor_s')
        first = value(answer, 'prefill.floor_s')
        above = bool(row['ttft_ms']) and first > float(row['ttft_ms']) / 1e3 * 1.001
        groups[ENGINES[scenario['engine']], row['gpu']].append(
            (abs(ours / tpot - 1), abs(floor / tpot - 1), floor > tpot * 1.03, above))
    return groups


WORDS = {
    'en': dict(
        date='Run on {day} with {version}.', exact='Exact figures', what='what', n='cases',
        good='equal', kv='KV bytes of one request, to the byte',
        params='parameters within 0.1 % of the published number',
        tp='tensor-parallel verdict and copies', logs='Start-up logs', engine='engine',
        runs='logs', compared='figures compared', inside='inside the range or the print\'s rounding',
        speed='Time per token', gpu='GPU', rows='rows', median='median error', p90='90th percentile',
        roof='roofline, median', all='all',
        floors='Floors above a measurement: {tpot} of {n} for the time per token (3 % allowed for '
               'rounding), {ttft} of {n} for the first token.'),
    'ko': dict(
        date='{day}에 {version}로 실행했습니다.', exact='정확해야 하는 값', what='항목', n='경우',
        good='같음', kv='요청 하나의 KV 바이트, 바이트 단위까지',
        params='공개된 값의 0.1 % 안에 드는 파라미터 수', tp='텐서 병렬 판정과 복제본 수',
        logs='시작 로그', engine='엔진', runs='로그', compared='비교한 값',
        inside='범위 또는 출력의 반올림 안', speed='토큰당 시간', gpu='GPU', rows='행',
        median='오차 중앙값', p90='90번째 백분위', roof='루프라인 오차 중앙값', all='전체',
        floors='측정보다 높은 하한: 토큰당 시간 {n}행 중 {tpot}행(반올림 3 % 허용), '
               '첫 토큰 {n}행 중 {ttft}행.'),
}


def table(columns, rows, left=1):
    marks = ['---'] * left + ['--:'] * (len(columns) - left)
    return '\n'.join('| ' + ' | '.join(map(str, line)) + ' |'
                     for line in [columns, marks, *rows]) + '\n'


def page(w, results, day, version):
    exact, logs, groups = results
    errors = [e for group in groups.values() for e in group]

    def speed(group):
        off = [e[0] for e in group]
        return [len(group), percent(quantile(off, .5)), percent(quantile(off, .9)),
                percent(quantile([e[1] for e in group], .5))]
    return '\n'.join([
        w['date'].format(day=day, version=version), '', f'## {w["exact"]}', '',
        table([w['what'], w['n'], w['good']], [[w[name], n, good] for name, n, good in exact]),
        f'## {w["logs"]}', '',
        table([w['engine'], w['runs'], w['compared'], w['inside']],
              [[ENGINES.get(name, name), *tally] for name, tally in sorted(logs.items())]),
        f'## {w["speed"]}', '',
        table([w['engine'], w['gpu'], w['rows'], w['median'], w['p90'], w['roof']],
              [[*key, *speed(group)] for key, group in sorted(groups.items())] +
              [[w['all'], '', *speed(errors)]], left=2),
        w['floors'].format(n=len(errors), tpot=sum(e[2] for e in errors),
                           ttft=sum(e[3] for e in errors)), ''])


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument('--cli', default=ROOT / 'build/native/kvgauge', type=Path)
    args.add_argument('--out', default=ROOT / 'site/docs', type=Path)
    args = args.parse_args()
    data = Path(os.environ.get('KVGAUGE_SHARED', ROOT.parent / 'shared')) / 'data'
    if not (data / 'expected.tsv').exists():
        print('accuracy: no measured data here (KVGAUGE_SHARED); the committed tables stay')
        return
    command = Command(str(args.cli.resolve()))
    results = (configurations(command, data) + verdicts(command, data),
               start_logs(command, data), serving(command, data))
    day, version = datetime.date.today().isoformat(), command.run('--version').strip()
    for lang, words in WORDS.items():
        text = page(words, results, day, version)
        (args.out / f'accuracy.{lang}.md').write_text(text)
        if lang == 'en':
            print(text)


if __name__ == '__main__':
    main()
