// SPDX-License-Identifier: MIT
// The page without its canvas: answer, table, form, links, functions, the single file.
// Expected bytes: Llama 3 8B keeps 2 x 8 KV heads x 128 x 32 layers x 2 B = 131,072 B per token.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { answered, cell, hash, host, kNoGl, launch, open as open_any, single, sleep, until }
    from './support/browser.js';

// The form, so that the canvas does not step in while a test types.
const open = (from, url, options) => open_any(from, url, { form: true, ...options });

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

const at = (link) => server.url + (link ? '#' + link : '');

test('a link is answered in sentence and table, without noise', async () => {
    const page = await open(browser, at('v=1&model=llama-3-8b&gpu=a100-80gb-sxm&ctx=8192&kv=bf16'));
    await answered(page);
    assert.equal(await cell(page, 'kv.bytes_per_token'), '128 KiB');
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '131,072 B');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '1.00 GiB');
    assert.match(await page.textContent('#kvg-sentence'), /^Fits\. \d+ requests of 8,192 tokens\.$/);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('window.kvgauge answers synchronously once ready', async () => {
    const page = await open(browser, at());
    const early = await page.evaluate(async () => {
        await window.kvgauge.ready;
        const x = window.kvgauge.estimate('v=1&model=llama-3-8b&ctx=131072&kv=bf16&engine=vllm');
        return [typeof x.then, x.schema,
            x.rows.find((r) => r.id === 'kv.bytes_per_request').value];
    });
    assert.deepEqual(early, ['undefined', 'kvgauge.estimate/1', 2 ** 34]);
    await page.context().close();
});

test('the table has caption, scopes and a line for every row of the report', async () => {
    const page = await open(browser, at('v=1&ctx=4k'));
    await answered(page);
    const found = await page.evaluate(() => {
        const table = document.getElementById('kvg-table');
        const ids = window.kvgauge.estimate(location.hash).rows.map((r) => r.id);
        return {
            caption: table.caption.textContent,
            columns: [...table.tHead.rows[0].cells].every((c) => c.scope === 'col'),
            rows: [...table.tBodies[0].rows].every((r) => r.cells[0].scope === 'row'),
            ids,
            lines: [...table.tBodies[0].rows].map((r) => r.dataset.row),
        };
    });
    assert.match(found.caption, /Llama 3 8B/);
    assert.ok(found.columns && found.rows);
    assert.deepEqual(found.lines, found.ids);
    await page.context().close();
});

test('a form edit moves table and address; the address is canonical', async () => {
    const page = await open(browser, at());
    await answered(page);
    await page.fill('#f-ctx', '32k');
    await until(page, () => location.hash === '#v=1&ctx=32k');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '4.00 GiB');
    await page.selectOption('#f-kv', 'fp8');
    await until(page, () => location.hash === '#v=1&kv=fp8&ctx=32k');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '2.00 GiB');
    await page.fill('#f-ctx', '');
    await until(page, () => location.hash === '#v=1&kv=fp8');
    await page.context().close();
});

test('a refused text stays in its field with the reason; the last good answer stays', async () => {
    const page = await open(browser, at());
    await answered(page);
    await page.fill('#f-ctx', 'many');
    await page.press('#f-ctx', 'Enter');
    const error = page.locator('#f-ctx-error');
    await error.waitFor();
    assert.match(await error.textContent(), /many.*accepted/);
    assert.equal(await page.getAttribute('#f-ctx', 'aria-invalid'), 'true');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '1.00 GiB');
    await page.fill('#f-ctx', '2k');
    await error.waitFor({ state: 'hidden' });
    assert.equal(await cell(page, 'kv.bytes_per_request'), '256 MiB');
    await page.context().close();
});

test('Back and hand edits of the address are heard', async () => {
    const page = await open(browser, at('v=1&ctx=4k'));
    await answered(page);
    await page.evaluate(() => { location.hash = 'v=1&ctx=16k'; });
    await until(page, () => /2\.00 GiB/.test(document.querySelector(
        '[data-row="kv.bytes_per_request"] .c-value').textContent));
    await page.goBack();
    await until(page, () => /512 MiB/.test(document.querySelector(
        '[data-row="kv.bytes_per_request"] .c-value').textContent));
    assert.equal(await hash(page), '#v=1&ctx=4k');
    await page.context().close();
});

test('a bad value falls back for its key alone; unknown keys are kept, both with a notice', async () => {
    const page = await open(browser, at('v=1&ctx=banana&kv=fp8&future=7'));
    await answered(page);
    const notices = await page.locator('#kvg-issues li').allTextContents();
    assert.ok(notices.some((n) => /ctx/.test(n) && /banana/.test(n)), notices.join('|'));
    assert.ok(notices.some((n) => /future/.test(n)), notices.join('|'));
    assert.equal(await cell(page, 'kv.bytes_per_request'), '512 MiB');
    await until(page, () => location.hash === '#v=1&kv=fp8&future=7');
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('many quick changes write the address a few times', async () => {
    const page = await open(browser, at(), { before: () => {
        window.test_writes = 0;
        const real = history.replaceState;
        history.replaceState = function (...rest) {
            ++window.test_writes;
            return real.apply(this, rest);
        };
    } });
    await answered(page);
    await page.waitForSelector('#f-batch');
    await page.evaluate(() => {
        const input = document.getElementById('f-batch');
        for (let i = 1; i <= 40; ++i) {
            input.value = String(i);
            input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }
    });
    await until(page, () => location.hash === '#v=1&batch=40');
    assert.equal(await page.evaluate(() => window.test_writes), 1);
    await page.context().close();
});

test('the two comparison tables: the published numbers for Llama 3 8B, in GiB', async () => {
    const page = await open(browser, at('v=1&kv=bf16'));
    await answered(page);
    await page.waitForSelector('#kvg-article-bytes');
    const rows = (id) => page.locator(`#${id} tbody tr`).evaluateAll((list) =>
        list.map((tr) => [...tr.cells].map((c) => c.textContent)));
    assert.deepEqual(await rows('kvg-article-bytes'), [
        ['MHA', '1', '4', '16', '64'],
        ['GQA-8 (this model)', '0.25', '1', '4', '16'],
        ['MQA', '0.03125', '0.125', '0.5', '2']]);
    assert.deepEqual(await rows('kvg-article-requests'),
        [['MHA', '15'], ['GQA-8 (this model)', '60'], ['MQA', '480']]);
    await page.context().close();
});

test('a pasted config.json becomes the model', async () => {
    // Llama 2 7B's published shape: 32 KV heads x 128 x 32 layers x 2 x 2 B = 524,288 B per token.
    const config = JSON.stringify({ architectures: ['LlamaForCausalLM'], model_type: 'llama',
        hidden_size: 4096, intermediate_size: 11008, num_hidden_layers: 32,
        num_attention_heads: 32, num_key_value_heads: 32, vocab_size: 32000,
        torch_dtype: 'bfloat16', max_position_embeddings: 4096 });
    const page = await open(browser, at());
    await answered(page);
    await page.click('.take summary');
    await page.fill('#kvg-take', config);
    await page.click('.take button');
    await until(page, () => /524,288 B/.test(document.querySelector(
        '[data-row="kv.bytes_per_token"] .c-exact').textContent));
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('without WebGL everything but the chart is there', async () => {
    const plain = await launch(kNoGl);
    const page = await open(plain, at('v=1&kv=fp8'));
    await answered(page);
    assert.equal(await cell(page, 'kv.bytes_per_token'), '64 KiB');
    await page.fill('#f-tp', '2');
    await until(page, () => location.hash === '#v=1&tp=2&kv=fp8');
    assert.deepEqual(page.noise, []);
    await plain.close();
});

test('an idle page asks for no frame', async () => {
    const page = await open(browser, at());
    await answered(page);
    await sleep(1500);
    const count = () => page.evaluate(() => [window.test_frames, window.test_gl]);
    const start = await count();
    await sleep(2000);
    assert.deepEqual(await count(), start);
    await page.context().close();
});

test('one file answers from file://, keeps its address, asks nobody', async () => {
    const page = await open(browser, pathToFileURL(single) + '#v=1&model=llama-3-8b&ctx=8192&kv=bf16');
    await answered(page);
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '131,072 B');
    await page.fill('#f-ctx', '4k');
    await until(page, () => location.hash === '#v=1&kv=bf16&ctx=4k');
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('a host with the wrong MIME type is asked for the module once', async () => {
    const asked = [];
    const odd = await host(undefined, { types: { '.wasm': 'application/octet-stream' },
        log: (url) => asked.push(url) });
    const page = await open(browser, odd.url);
    await answered(page);
    assert.equal(asked.filter((url) => url.endsWith('.wasm')).length, 1, asked.join(' '));
    assert.deepEqual(page.noise, []);
    await page.context().close();
    odd.close();
});

test('a module that does not load leaves a readable reason and the scenario', async () => {
    const page = await open(browser, null);
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(at('v=1&ctx=4k'));
    await page.locator('#kvg-crash').waitFor();
    assert.match(await page.textContent('#kvg-crash'), /404/);
    assert.equal(await hash(page), '#v=1&ctx=4k');
    await page.context().close();
});
