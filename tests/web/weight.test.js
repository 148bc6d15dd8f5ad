// SPDX-License-Identifier: MIT
// What the first view costs: bytes as a host with gzip sends them, one module, and the time to table and
// first frame as a ratio to a page that does nothing, measured in the same run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { answered, cell, host, launch, open, site, sleep, until } from './support/browser.js';
import { drawn } from './support/canvas.js';

let browser;
let server;
before(async () => {
    server = await host();
    browser = await launch();
});
after(async () => {
    await browser.close();
    server.close();
});

const kWasm = /\.wasm$/;
// Files that the page asked for, in order, each once.
async function watched(link = '') {
    const page = await open(browser, null);
    const asked = new Set();
    page.on('request', (r) => asked.add(new URL(r.url()).pathname.slice(1) || 'index.html'));
    await page.goto(server.url + link);
    return { page, asked, modules: () => [...asked].filter((n) => kWasm.test(n)) };
}

test('the first view: at most 350 kB of module and scripts, 400 kB in all; one module', async () => {
    const { page, asked, modules } = await watched();
    await drawn(page);
    await sleep(500);
    const size = (names) => names.reduce((sum, name) =>
        sum + gzipSync(readFileSync(path.join(site, name)), { level: 9 }).length, 0);
    const files = [...asked].filter((n) => n !== 'sw.js');
    assert.equal(modules().length, 1, files.join());
    assert.match(modules()[0], /^kvgauge\./);
    assert.ok(files.length >= 6, files.join());
    const code = size(files.filter((n) => /\.(wasm|js)$/.test(n)));
    assert.ok(code <= 350_000, `${code} B of wasm and js`);
    const all = size(files);
    assert.ok(all <= 400_000, `${all} B: ${files}`);
    await page.context().close();
});

test('the first sign of use fetches the rest, once', async () => {
    const { page, modules } = await watched();
    await drawn(page);
    await page.mouse.move(300, 300);
    await until(page, () => performance.getEntriesByType('resource')
        .some((e) => /more\.\w+\.wasm$/.test(e.name) && e.responseEnd > 0));
    await page.mouse.move(400, 300);
    await page.keyboard.press('Tab');
    await sleep(200);
    assert.equal(modules().length, 2);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('a call that needs the rest before it is there waits for it', async () => {
    const { page, modules } = await watched();
    await answered(page);
    assert.equal(modules().length, 1);
    // 12 heads x 64 x 12 layers x 2 (K and V) x 2 B = 36,864 B.
    const row = await page.evaluate(() => window.kvgauge.importConfig(JSON.stringify({
        architectures: ['GPT2LMHeadModel'], model_type: 'gpt2', n_embd: 768, n_head: 12, n_layer: 12,
        n_positions: 1024, vocab_size: 50257, torch_dtype: 'float16' })).rows
        .find((r) => r.id === 'kv.bytes_per_token').value);
    assert.equal(row, 36864);
    assert.equal(modules().length, 2);
    assert.equal(await cell(page, 'kv.bytes_per_token'), '128 KiB');
    await page.context().close();
});

test('a link to another view draws it', async () => {
    const { page, modules } = await watched('#v=1&view=batch');
    await drawn(page);
    assert.equal(modules().length, 2);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});
