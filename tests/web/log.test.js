// SPDX-License-Identifier: MIT
// A start-up log, a calibration and a measurement in the page: by the form, by the interface for
// others, and in the canvas.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { answered, cell, hash, host, launch, open, until } from './support/browser.js';
import { click, drawn, point, settle, state } from './support/canvas.js';

// vllm-project/vllm#10511: 0.9 x 79.22 - 14.96 - 1.79 - 1.26 = 53.29 GiB.
const kLog = `INFO llm_engine.py:249] Initializing an LLM engine (v0.6.5) with config: model=\
'meta-llama/Meta-Llama-3-8B', tensor_parallel_size=1, max_seq_len=8192
INFO model_runner.py:1092] Loading model weights took 14.96 GB
INFO worker.py:241] Memory profiling results: total_gpu_memory=79.22GiB non_torch_memory=1.79GiB \
peak_torch_memory=16.22GiB kv_cache_size=53.29GiB gpu_memory_utilization=0.90
`;
const kFit = JSON.stringify({ schema: 'kvgauge.measurement/1',
    fit: { device: 'NVIDIA A100-SXM4-80GB', e_w: 0.91, e_kv: 0.761, t0: 2.63e-5 } });

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

async function paste(page, text) {
    await page.click('.take summary');
    await page.fill('#kvg-take', text);
    await page.click('.take #kvg-take + button');
}

test('a log pasted into the form stands beside the prediction and changes nothing', async () => {
    const page = await open(browser, server.url, { form: true });
    await answered(page);
    const before = await cell(page, 'budget.kv_bytes');
    await paste(page, kLog);
    await until(page, () => document.querySelector('#kvg-log tbody tr') !== null);
    const table = await page.locator('#kvg-log').innerText();
    for (const figure of ['79.22', '14.96', '1.79', '53.29']) assert.ok(table.includes(figure), table);
    assert.equal(await cell(page, 'budget.kv_bytes'), before);
    await until(page, () => location.hash === '#v=1&view=log');
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('a calibration marks the rows measured and travels in the address', async () => {
    const page = await open(browser, server.url, { form: true });
    await answered(page);
    await paste(page, kFit);
    await until(page, () => location.hash.includes('calibration='));
    assert.match(await cell(page, 'decode.tpot_s', 'basis'), /measured/);
    // The same from the address alone.
    const again = await open(browser, server.url + (await hash(page)), { form: true });
    await answered(again);
    assert.match(await cell(again, 'decode.tpot_s', 'basis'), /measured/);
    assert.equal(await cell(again, 'decode.tpot_s'), await cell(page, 'decode.tpot_s'));
    assert.deepEqual(page.noise, []);
    await page.context().close();
    await again.context().close();
});

test('a log pasted over the canvas opens its view, and its overhead goes into the link', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    await page.evaluate((text) => {
        document.getElementById('canvas').focus();
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    }, kLog);
    await until(page, () => location.hash.includes('view=log'));
    await settle(page);
    if (process.env.KVGAUGE_SHOTS) {
        await page.screenshot({ path: process.env.KVGAUGE_SHOTS + '/page-log.png' });
    }
    await click(page, 'log-use');
    await until(page, () => location.hash.includes('overhead='));
    // 0.9 x 79.22 - 14.96 - 53.29 = 3.048 GiB
    const kept = Number((await hash(page)).match(/overhead=(\d+)/)[1]);
    assert.ok(Math.abs(kept / 2 ** 30 - 3.048) < 0.001, String(kept));
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('the page measures its own processor, in slices, and gives the file', async () => {
    const page = await open(browser, server.url + '#v=1&view=measure');
    await drawn(page);
    const [x, y] = await point(page, 'measure-start');
    await page.mouse.move(x, y);
    await settle(page);
    await page.mouse.down();
    await settle(page);
    await page.mouse.up();  // from here on it draws without an end
    const ids = async () => (await state(page)).items.map((i) => i.id);
    await until(page, () => window.kvgauge.canvas.busy);
    assert.equal(await page.evaluate(() => 1 + 1), 2);  // the tab answers meanwhile
    const end = Date.now() + 120000;
    while (!(await ids()).includes('measure-save') && Date.now() < end) {
        await page.waitForTimeout(500);
    }
    if (process.env.KVGAUGE_SHOTS) {
        await page.screenshot({ path: process.env.KVGAUGE_SHOTS + '/page-measure.png' });
    }
    const download = page.waitForEvent('download', { timeout: 20000 });
    await click(page, 'measure-save');
    const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
    assert.equal(saved.schema, 'kvgauge.measurement/1');
    assert.equal(saved.failure, undefined);
    // The stream it is compared with, and enough decode shapes for a line.
    assert.ok(saved.cases.some((c) => c.kernel === 'read'));
    assert.ok(saved.cases.filter((c) => c.kernel === 'decode' && c.bytes > 0).length >= 4);
    assert.ok(saved.fit.bandwidth > 0);
    // Nothing of it is in the scenario.
    assert.equal(await hash(page), '#v=1&view=measure');
    assert.deepEqual(page.noise, []);
    await page.context().close();
});
