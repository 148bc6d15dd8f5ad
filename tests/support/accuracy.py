# SPDX-License-Identifier: MIT
"""The speed model beside public measurements, through the program: rows in, errors out.

tests/data/serving_rows.csv and kernel_rows.csv are a trimmed set, each row with its source. A larger set
of the same form (system_measurements.csv, kernel_measurements.csv) is looked for in the folder that
KVGAUGE_SHARED names or in ../shared, under data/. Nothing here is fitted.
"""
import csv
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLI = os.path.abspath(os.environ.get('KVGAUGE_CLI', os.path.join(ROOT, 'build/native/kvgauge')))
SHARED = os.environ.get('KVGAUGE_SHARED') or os.path.join(ROOT, '..', 'shared')
OWN = os.path.join(ROOT, 'tests', 'data')

GPUS = {
    'H100-SXM5-80GB': 'h100-80gb-sxm', 'H100-80GB': 'h100-80gb-sxm', 'H200-SXM': 'h200-141gb-sxm',
    'B200-SXM': 'b200-180gb-sxm', 'GB200': 'gb200-186gb', 'A100-SXM4-80GB': 'a100-80gb-sxm',
    'A100-PCIe-80GB': 'a100-80gb-pcie', 'L40S': 'l40s-48gb', '3070 8GB': 'rtx-3070-8gb',
    '3080 10GB': 'rtx-3080-10gb', '3080 Ti 12GB': 'rtx-3080-ti-12gb', '4070 Ti 12GB': 'rtx-4070-ti-12gb',
    '4090 24GB': 'rtx-4090-24gb', 'RTX A6000 48GB': 'rtx-a6000-48gb', 'RTX 6000 Ada 48GB': 'rtx-6000-ada-48gb',
    'A100 PCIe 80GB': 'a100-80gb-pcie', 'A100 SXM 80GB': 'a100-80gb-sxm', 'H100 PCIe 80GB': 'h100-80gb-pcie',
    'RTX-PRO-6000-Blackwell-Server': 'rtx-pro-6000-server-96gb', 'Intel-Arc-Pro-B60': 'arc-pro-b60-24gb',
}
MODELS = (('llama-3.3-70b', 'llama-3.3-70b'), ('llama-3.1-8b', 'llama-3.1-8b'), ('llama-3-8b', 'llama-3-8b'),
          ('llama-3-70b', 'llama-3-70b'), ('qwen3-32b', 'qwen3-32b'), ('qwen3-8b', 'qwen3-8b'))
ENGINES = {'llama.cpp': 'llamacpp', 'NIM': 'trtllm'}  # NIM 1.8 runs TensorRT-LLM
SERVING = ('vllm', 'sglang', 'trtllm')


def weights_of(word):
    w = word.lower()
    if 'fp4' in w:
        return 'nvfp4'
    if 'fp8' in w:
        return 'fp8'
    return {'q4_k_m': 'q4_k_m', 'f16': 'fp16', 'fp16': 'fp16', 'float16': 'fp16'}.get(w, 'bf16')


def serving_set(r):
    """Which table a row belongs to; none: it is not compared."""
    if r['use'] == 'fit':
        return 'serving' if r['engine'] in SERVING else 'llamacpp' if r['tpot_ms'] else None
    if r['use'] == 'holdout':
        return 'decode'
    if r['use'] == 'check' and r['engine'] == 'NIM' and r['input_len'] == '5000':
        return 'nim'
    return None


def shared_serving(path):
    rows = []
    for r in csv.DictReader(open(path, encoding='utf-8')):
        kind = serving_set(r)
        name = r['model'].lower().replace('meta-', '')
        model = next((v for k, v in MODELS if k in name), None)
        if kind is None or model is None or r['gpu'] not in GPUS or not r['tpot_ms']:
            continue
        rows.append({'set': kind, 'gpu': GPUS[r['gpu']], 'tp': r['tp'] or '1',
                     'engine': ENGINES.get(r['engine'], r['engine']), 'model': model,
                     'weights': weights_of(r['weight_dtype']),
                     # NIM's own batch limit fits its memory only with an fp8 cache.
                     'kv': 'fp8' if 'fp8' in r['kv_dtype'] or kind == 'nim' else 'bf16',
                     'batch': r['batch_or_concurrency'], 'in': r['input_len'], 'out': r['output_len'],
                     'ttft_ms': r['ttft_ms'], 'tpot_ms': r['tpot_ms'], 'source': r['source']})
    return rows


def shared_kernels(path):
    kinds = {'bfloat16': 'bf16', 'float16': 'bf16', 'fp8': 'fp8'}
    return [{'gpu': GPUS[r['gpu']], 'engine': r['engine'], 'version': r['version'], 'kernel': r['kernel'],
             'kv': kinds[r['kv_dtype']], 'batch': r['batch'], 'ctx': r['seq_len'], 'q_heads': r['q_heads'],
             'kv_heads': r['kv_heads'], 'head_dim': r['head_dim'], 'time_us': r['time_us'],
             'peak_gb_s': r['peak_gb_s'], 'source': r['source']}
            for r in csv.DictReader(open(path, encoding='utf-8'))
            if r['l2_state'] == 'cold' and r['gpu'] in GPUS and not r['note']]


def serving_rows():
    """(name of the set, rows): the shared set where there is one, else the repository's own."""
    path = os.path.join(SHARED, 'data', 'system_measurements.csv')
    if os.path.exists(path):
        return 'shared', shared_serving(path)
    return 'own', list(csv.DictReader(open(os.path.join(OWN, 'serving_rows.csv'), encoding='utf-8')))


def kernel_rows():
    path = os.path.join(SHARED, 'data', 'kernel_measurements.csv')
    if os.path.exists(path):
        return 'shared', shared_kernels(path)
    return 'own', list(csv.DictReader(open(os.path.join(OWN, 'kernel_rows.csv'), encoding='utf-8')))


def answers(scenarios):
    text = ''.join(json.dumps(s) + '\n' for s in scenarios)
    done = subprocess.run([CLI, 'estimate', '--scenarios', '-', '-o', 'jsonl'], input=text,
                          capture_output=True, text=True, timeout=300, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(scenarios), (len(lines), len(scenarios), done.stderr[-300:])
    return [{r['id']: r for r in a['rows']} for a in lines]


def scenario(r):
    tokens = int(r['in']), int(r['out'])
    # llama-bench generates without a prompt: the mean context is half of what it generates.
    n_in, n_out = (max(tokens[0], 1), max(tokens[1], 1))
    return {'model': r['model'], 'gpu': r['gpu'], 'engine': r['engine'], 'tp': int(r['tp']),
            'weights': r['weights'], 'kv': r['kv'], 'batch': int(float(r['batch'])), 'in': n_in, 'out': n_out,
            'ctx': n_in + n_out}


def compared(rows):
    """Each row with `predicted`, `low`, `high`, `floor` in seconds and the TTFT floor and point."""
    out = []
    for r, a in zip(rows, answers([scenario(r) for r in rows])):
        tpot, floor = a['decode.tpot_s'], a['decode.floor_s']['value']
        predicted, low, high = tpot['value'], tpot['low'], tpot['high']
        if r['set'] == 'decode':  # prompts were cached: nothing was prefilled between tokens
            share = a['decode.prefill_share_s']['value']
            predicted, low, high = predicted - share, low - share, high - share
        out.append({**r, 'measured': float(r['tpot_ms']) / 1e3, 'predicted': predicted, 'low': low,
                    'high': high, 'floor': floor, 'ttft_floor': a['prefill.floor_s']['value'],
                    'ttft': a['prefill.ttft_s']['value'], 'ttft_high': a['prefill.ttft_s']['high']})
    return out


def kernels_compared(rows):
    """Each row with `predicted` and `roofline` seconds: t0 + bytes / (e BW) with the kernel's own pair."""
    done = subprocess.run([CLI, 'list', 'kernels', '-o', 'json'], capture_output=True, text=True, check=True)
    pairs = {(k['gpu'], k['engine'], k['version'], k['kernel'], k['kv']): (float(k['t0_s']), float(k['e']))
             for k in json.loads(done.stdout)}
    out = []
    for r in rows:
        pair = pairs.get((r['gpu'], r['engine'], r['version'], r['kernel'], r['kv']))
        if pair is None:
            continue
        b, s, hq, hkv, d = (int(r[k]) for k in ('batch', 'ctx', 'q_heads', 'kv_heads', 'head_dim'))
        size = 1 if r['kv'] == 'fp8' else 2
        floor = (b * 2 * hkv * s * d * size + 2 * b * hq * d * 2) / (float(r['peak_gb_s']) * 1e9)
        out.append({**r, 'measured': float(r['time_us']) * 1e-6, 'predicted': pair[0] + floor / pair[1],
                    'floor': floor})
    return out


def errors(rows, key='predicted'):
    return sorted(abs(r[key] / r['measured'] - 1) for r in rows)


def median(v):
    v = sorted(v)
    n = len(v)
    return (v[(n - 1) // 2] + v[n // 2]) / 2


def share_of(v, q):
    return sorted(v)[min(len(v) - 1, int(q * len(v)))]
