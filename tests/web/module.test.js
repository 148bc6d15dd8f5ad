// SPDX-License-Identifier: MIT
// kvgauge.js as others use it: in node, in a browser from another folder, with the types it promises.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { host, launch, open, site, until } from './support/browser.js';

const kvgauge = await import(pathToFileURL(path.join(site, 'kvgauge.js')));
const types = readFileSync(path.join(site, 'kvgauge.d.ts'), 'utf8');
const value = (answer, id) => answer.rows.find((row) => row.id === id)?.value;

// 2 x 8 KV heads x 128 x 32 layers x 2 B = 131,072 B a token.
test('estimate answers in node, without a canvas, at once', () => {
    const answer = kvgauge.estimate('#v=1&model=llama-3-8b&kv=bf16&ctx=8k');
    assert.equal(value(answer, 'kv.bytes_per_token'), 131072);
    assert.equal(value(answer, 'kv.bytes_per_request'), 2 ** 30);
    assert.equal(typeof globalThis.document, 'undefined');
});

test('sweep gives every combination, the last axis fastest', () => {
    const answers = kvgauge.sweep('v=1&model=llama-3-8b', { kv: ['bf16', 'fp8'], ctx: ['4k', 8192] });
    assert.deepEqual(answers.map((a) => value(a, 'kv.bytes_per_request')),
        [2 ** 29, 2 ** 30, 2 ** 28, 2 ** 29]);
});

test('importConfig reads a config.json, and says why it cannot', () => {
    // Llama 2 7B's published shape: 32 x 2 x 32 x 128 x 2 B.
    const config = { architectures: ['LlamaForCausalLM'], model_type: 'llama', hidden_size: 4096,
        intermediate_size: 11008, num_hidden_layers: 32, num_attention_heads: 32,
        num_key_value_heads: 32, vocab_size: 32000, torch_dtype: 'bfloat16' };
    assert.equal(value(kvgauge.importConfig(JSON.stringify(config)), 'kv.bytes_per_token'), 524288);
    const bad = kvgauge.importConfig('{"model_type": ');
    assert.deepEqual(bad.rows, []);
    assert.ok(bad.issues.some((i) => i.severity === 'error' && i.text.length > 10));
});

test('reconcile sets a log beside the prediction', () => {
    // vLLM's lines: 50.00 GiB / 131,072 B = 409,600 tokens.
    const log = 'INFO 06-01 10:00:00 [core.py:60] Initializing a V1 LLM engine (v0.10.2) with config: ' +
        'model=\'meta-llama/Meta-Llama-3-8B\', dtype=torch.bfloat16, max_seq_len=8192, ' +
        'tensor_parallel_size=1\n' +
        'INFO 06-01 10:00:09 [gpu_worker.py:276] Available KV cache memory: 50.00 GiB\n' +
        'INFO 06-01 10:00:09 [kv_cache_utils.py:864] GPU KV cache size: 409,600 tokens\n';
    const answer = kvgauge.reconcile(log, 'v=1&gpu=h100-80gb-sxm');
    assert.equal(answer.schema, 'kvgauge.reconcile/1');
    assert.equal(answer.runs.length, 1);
    const tokens = answer.runs[0].rows.find((row) => row.id === 'log.tokens_of_budget');
    assert.equal(tokens.observed, 409600);
    assert.ok(tokens.inside);
});

test('the types name what is exported and no more', () => {
    const named = [...types.matchAll(/^export (?:const|function) (\w+)/gm)].map((m) => m[1]).sort();
    assert.deepEqual(named, Object.keys(kvgauge).sort());
    // As many parameters as the functions take.
    for (const [, name, list] of types.matchAll(/^export function (\w+)\(([^)]*)\)/gm)) {
        const needed = list.split(/,(?![^<]*>)/).filter((p) => !/^\s*\w+\?/.test(p)).length;
        assert.equal(kvgauge[name].length, needed, name);
    }
});

// Members of an interface: name -> optional?
function members(name) {
    const body = types.match(new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n\\}`))[1];
    return new Map([...body.matchAll(/^ {4}(\w+)(\??):/gm)].map((m) => [m[1], m[2] === '?']));
}
function fits(object, name) {
    const known = members(name);
    for (const key of Object.keys(object)) assert.ok(known.has(key), `${name}: ${key} is not typed`);
    for (const [key, optional] of known) assert.ok(optional || key in object, `${name}: no ${key}`);
}

test('answers have the members the types say', () => {
    for (const link of ['v=1', 'v=1&model=llama-3-70b', 'v=1&ctx=bad&x=1', 'v=1&model=deepseek-v3&tp=8']) {
        const answer = kvgauge.estimate(link);
        fits(answer, 'Estimate');
        for (const row of answer.rows) fits(row, 'Row');
        for (const issue of answer.issues) fits(issue, 'Issue');
    }
    const units = types.match(/unit: ([^;]*);/)[1];
    const bases = types.match(/type Basis = ([^;]*);/)[1];
    for (const row of kvgauge.estimate('v=1').rows) {
        assert.ok(units.includes(`'${row.unit}'`), row.unit);
        assert.ok(bases.includes(`'${row.basis}'`), row.basis);
    }
});

test('the example runs as it stands', () => {
    const out = execFileSync(process.execPath, [path.join(site, 'examples/choose.mjs')]).toString();
    assert.equal(out.trim().split('\n').length, 8);
    assert.match(out, /^qwen3-30b-a3b\s+fp8\s+\d+ enough$/m);
});

test('a page of another folder imports it', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kvgauge-module-'));
    cpSync(site, path.join(folder, 'lib'), { recursive: true });
    writeFileSync(path.join(folder, 'page.html'), '<!doctype html><link rel="icon" href="data:,">' +
        '<script type="module">import { estimate } from "./lib/kvgauge.js"; ' +
        'window.found = estimate("v=1&kv=bf16");</script>');
    const server = await host(folder);
    const browser = await launch();
    t.after(async () => {
        await browser.close();
        server.close();
        rmSync(folder, { recursive: true });
    });
    const page = await open(browser, server.url + 'page.html');
    await until(page, () => window.found, null, 20000);
    assert.equal(value(await page.evaluate(() => window.found), 'kv.bytes_per_token'), 131072);
    assert.deepEqual(page.noise, []);
});
