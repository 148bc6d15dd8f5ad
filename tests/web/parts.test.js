// SPDX-License-Identifier: MIT
// The module in two parts: first views need the first alone, what is done before the other has come is done
// when it comes, and a view that needs it sooner begins again with both.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { start_engine } from '../../web/js/engine.js';
import { load_core } from '../../web/js/node_core.js';
import { answered, cell, host, launch, open, site, sleep, until } from './support/browser.js';
import { drawn, point, settle } from './support/canvas.js';
import { kLinks, kViews, shown } from './support/first_views.js';

const file = (folder, pattern) => path.join(site, folder,
    readdirSync(path.join(site, folder)).find((n) => pattern.test(n)) ?? '?');
const cut = readdirSync(site).includes('later');
const skip = cut ? false : 'the module is whole';

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

// A page whose other part comes only when `release` is called.
async function without_rest(link, options) {
    const page = await open(browser, null, options);
    let release;
    const held = new Promise((done) => { release = done; });
    let asked = 0;
    await page.route(/\/later\/more/, async (route) => {
        ++asked;
        await held;
        await route.continue();
    });
    await page.goto(server.url + link);
    return { page, release, asked: () => asked };
}
const again = (page) => page.evaluate(() =>
    performance.getEntriesByName('kvg-again').map((e) => e.detail));

test('first views are drawn by the first part alone', { skip }, async () => {
    const missed = [];
    for (const view of kViews) {
        const { page, release } = await without_rest(view[0], view[1]);
        try {
            await shown(page, view);
        } catch (error) {
            missed.push(`${view[0]} ${JSON.stringify(view[1])}: ${error.message}`);
        }
        for (const why of await again(page)) missed.push(`${view[0]} ${JSON.stringify(view[1])}: ${why}`);
        assert.deepEqual(page.noise, []);
        release();
        await page.context().close();
    }
    assert.equal(missed.length, 0, 'a first view called functions that are in the other part; ' +
        '`node tests/web/first_view.mjs` writes the list anew, then `make site`:\n' + missed.join('\n'));
});

test('the first part alone answers as the whole does', { skip }, async () => {
    const create = await load_core(readFileSync(file('.', /^core\..*\.js$/), 'utf8'));
    const compile = (name) => WebAssembly.compile(readFileSync(name));
    const module = await compile(file('.', /^kvgauge\..*\.wasm$/));
    const rest = await compile(file('later', /^more\..*\.wasm$/));
    const whole = await start_engine(create, { module, more: async () => rest }, { whole: true });
    let compared = 0;
    for (const link of [...kLinks, ...['llama-3-8b', 'qwen3-32b', 'deepseek-v3'].flatMap((model) =>
        [1, 2, 4, 8, 3].flatMap((tp) => ['vllm', 'sglang', 'trtllm', 'llamacpp', 'none'].map((engine) =>
            `v=1&model=${model}&engine=${engine}&tp=${tp}&ctx=${tp * 3000}`)))]) {
        const first = await start_engine(create, { module, more: async () => rest });
        for (const call of ['state', 'article']) {
            whole.text('set_link', link);
            try {
                first.text('set_link', link);
                const [one, all] = [first, whole].map((e) => ({ ...e.json(call), revision: 0 }));
                assert.deepEqual(one, all, `${link}: ${call}`);
                ++compared;
            } catch (error) {
                if (error.constructor.name !== 'Short') throw error;
                break;  // it needs the other part
            }
        }
    }
    assert.ok(compared > 100, `${compared} answers compared`);
});

test('edits, links and pastes before the other part has come are kept in their order', { skip }, async () => {
    const { page, release, asked } = await without_rest('', { form: true });
    await answered(page);
    await page.fill('#f-ctx', '4k');
    await page.fill('#f-batch', '3');
    await page.press('#f-batch', 'Tab');
    await page.fill('#f-kv-heads', 'many');
    await page.press('#f-kv-heads', 'Tab');
    await until(page, () => document.activeElement.id !== 'f-kv-heads');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '1.00 GiB');
    assert.ok(asked() >= 1);
    release();
    // 131,072 B x 4,096 tokens.
    await until(page, () => document.querySelector('[data-row="kv.bytes_per_request"] .c-value')
        .textContent === '512 MiB');
    await until(page, () => location.hash === '#v=1&ctx=4k&batch=3');
    assert.deepEqual(await page.evaluate(() => ['ctx', 'batch', 'kv-heads'].map((key) =>
        document.getElementById('f-' + key).value)), ['4k', '3', 'many']);
    assert.match(await page.textContent('#f-kv-heads-error'), /many.*accepted/);
    assert.deepEqual(await again(page), []);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('a link set by hand, and functions for others, wait too', { skip }, async () => {
    const { page, release } = await without_rest('', { form: true });
    await answered(page);
    await page.evaluate(() => { location.hash = 'v=1&ctx=2k'; });
    const value = page.evaluate(async () => {
        await window.kvgauge.ready;
        return window.kvgauge.estimate('v=1&kv=bf16').rows
            .find((r) => r.id === 'kv.bytes_per_token').value;
    });
    await sleep(200);
    release();
    assert.equal(await value, 131072);
    await until(page, () => document.querySelector('[data-row="kv.bytes_per_request"] .c-value')
        .textContent === '256 MiB');
    await page.context().close();
});

test('a click on the canvas before the other part has come is made when it comes', { skip }, async () => {
    const { page, release } = await without_rest('#v=1&ctx=4k');
    await drawn(page);
    const [x, y] = await point(page, 'tab-memory');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
    await sleep(300);
    assert.equal(await page.evaluate(() => location.hash), '#v=1&ctx=4k');
    release();
    await until(page, () => /view=memory/.test(location.hash));
    await settle(page);
    assert.deepEqual(await again(page), []);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('keys pressed on the canvas before the other part has come are not lost', { skip }, async () => {
    const { page, release } = await without_rest('');
    await drawn(page);
    await page.focus('#canvas');
    await page.keyboard.press('Control+k');
    await sleep(300);
    assert.equal(await page.evaluate(() => window.kvgauge.canvas.field()?.open ?? false), false);
    release();
    await until(page, () => window.kvgauge.canvas.field()?.open === true);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('a first view that needs the other part begins again with both', { skip }, async () => {
    // Another view, another language, a strange model; and one that misses a function while it is shown.
    for (const link of ['#v=1&view=plan', '#v=1&lang=ko', 
        '#v=1&model=custom&layers=3&q-heads=4&kv-heads=2&head-dim=8&hidden=32&inter=64&vocab=100']) {
        const page = await open(browser, server.url + link);
        await drawn(page);
        assert.ok(await page.locator('#kvg-table tbody tr').count() > 5, link);
        assert.deepEqual(page.noise, [], link);
        await page.context().close();
    }
    const { page, release } = await without_rest('');
    await drawn(page);
    await page.evaluate(() => {
        window.first_canvas = document.getElementById('canvas');
        window.first_canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();
    });
    await until(page, () => performance.getEntriesByName('kvg-again').length === 1);
    release();
    await until(page, () => document.getElementById('canvas') !== window.first_canvas);
    await drawn(page);
    await page.mouse.move(300, 300);
    await settle(page);
    assert.equal(await page.locator('#canvas').count(), 1);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('without a network for the other part the page says so, and goes on when it is back', { skip },
    async () => {
        const page = await open(browser, null, { form: true });
        let down = true;
        await page.route(/\/later\/more/, (route) => (down ? route.abort() : route.continue()));
        await page.goto(server.url);
        await answered(page);
        await page.fill('#f-ctx', '4k');
        await until(page, () => /kept/.test(document.querySelector('.tools-note').textContent));
        assert.equal(await page.inputValue('#f-ctx'), '4k');
        down = false;
        await page.evaluate(() => window.dispatchEvent(new Event('online')));
        await until(page, () => location.hash === '#v=1&ctx=4k');
        await page.context().close();
    });
