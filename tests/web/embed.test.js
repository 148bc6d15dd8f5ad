// SPDX-License-Identifier: MIT
// Scenarios inside other documents: frames with and without a sandbox, <kv-gauge>, twenty on one page.
// The host page is written here and served beside the site, so that paths are those of a subfolder.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { host, launch, open, site, sleep, until } from './support/browser.js';

let browser;
let server;
let folder;
before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kvgauge-embed-'));
    cpSync(site, path.join(folder, 'deep/kvgauge'), { recursive: true });
    server = await host(folder);
    browser = await launch();
});
after(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
});

// A document of somebody else. Returns its address.
function document_with(name, body) {
    writeFileSync(path.join(folder, name), '<!doctype html><html lang="en"><meta charset="utf-8">' +
        `<title>host</title><link rel="icon" href="data:,"><body style="margin:0">${body}`);
    return server.url + name;
}
const kLink = 'v=1&model=llama-3-8b&kv=fp8&ctx=4k';
const iframe = (link, more = '') => `<iframe src="deep/kvgauge/embed.html#${link}" title="kvgauge"` +
    ` loading="lazy" referrerpolicy="no-referrer" style="width:700px;height:420px" ${more}></iframe>`;
const inside = async (page, n = 0) => {
    await until(page, (count) => document.querySelectorAll('iframe').length > count, n);
    const handle = await page.locator('iframe').nth(n).elementHandle();
    return handle.contentFrame();
};
const row = (frame, id, column = 'value') =>
    frame.locator(`#kvg-table tr[data-row="${id}"] .c-${column}`).textContent();

for (const sandbox of ['', 'sandbox="allow-scripts"', 'sandbox="allow-scripts allow-popups"']) {
    test(`a frame answers, keeps its address and leaves the host alone: ${sandbox || 'no sandbox'}`,
        async () => {
            const page = await open(browser, document_with('one.html', iframe(kLink, sandbox)));
            const frame = await inside(page);
            await frame.waitForSelector('#kvg-table tbody tr', { state: 'attached' });
            assert.equal(await row(frame, 'kv.bytes_per_token'), '64 KiB');
            assert.match(await frame.textContent('#kvg-sentence'), /^Fits\./);
            await sleep(600);
            assert.equal(await frame.evaluate(() => location.hash), '#' + kLink);
            assert.equal(await page.evaluate(() => history.length), 2);
            assert.match(await frame.getAttribute('#kvg-open', 'href'), /^index\.html#v=1&/);
            assert.deepEqual(page.noise, []);
            await page.context().close();
        });
}

test('<kv-gauge> shows its content first and the live frame on click, at the height it tells',
    async () => {
        const url = document_with('element.html',
            `<script src="deep/kvgauge/embed.js" defer></script><kv-gauge link="${kLink}">` +
            '<table><tr><th>KV per token<td>64 KiB</table></kv-gauge>');
        const page = await open(browser, url);
        await page.waitForSelector('kv-gauge button');
        assert.equal(await page.locator('iframe').count(), 0);
        assert.match(await page.textContent('kv-gauge table'), /64 KiB/);
        await page.click('kv-gauge button');
        const frame = await inside(page);
        await frame.waitForSelector('#kvg-table tbody tr', { state: 'attached' });
        assert.equal(await page.locator('kv-gauge table').count(), 0);
        await until(page, () => document.querySelector('iframe').style.height !== '420px');
        const [outer, inner] = [await page.locator('iframe').evaluate((f) => f.clientHeight),
            await frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height))];
        assert.ok(Math.abs(outer - inner) <= 1, `${outer} ${inner}`);
        assert.equal(await page.getAttribute('iframe', 'sandbox'), 'allow-scripts allow-popups');
        assert.equal(await page.getAttribute('iframe', 'title'), 'kvgauge');
        assert.deepEqual(page.noise, []);
        await page.context().close();
    });

test('messages of others do not move a frame', async () => {
    const page = await open(browser, document_with('forged.html',
        `<script src="deep/kvgauge/embed.js" defer></script><kv-gauge live link="${kLink}"></kv-gauge>`));
    const frame = await inside(page);
    await frame.waitForSelector('#kvg-table tbody tr', { state: 'attached' });
    await sleep(300);
    const before = await page.getAttribute('iframe', 'style');
    await page.evaluate(() => {
        for (const data of [{ type: 'kvgauge:size', v: 1, height: 5000 }, null, 'x', { v: 1 },
            { type: 'kvgauge:size', v: 1, height: 'NaN' }]) window.postMessage(data, '*');
    });
    await sleep(200);
    assert.equal(await page.getAttribute('iframe', 'style'), before);
    await page.context().close();
});

test('twenty frames on one page all answer', async () => {
    const body = Array.from({ length: 20 }, (_, i) => `<p>${i}</p>` +
        iframe(`v=1&ctx=${(i + 1) * 1024}`, i % 2 ? 'sandbox="allow-scripts"' : '')).join('');
    const logs = [];
    const page = await open(browser, null);
    page.on('console', (m) => logs.push(m.text()));
    await page.goto(document_with('many.html', body));
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += 400) {
        await page.evaluate((to) => scrollTo(0, to), y);
        await sleep(120);
    }
    for (let i = 0; i < 20; ++i) {
        const frame = await inside(page, i);
        await frame.waitForSelector('#kvg-table tbody tr', { state: 'attached', timeout: 30000 });
        // 131,072 B per token x ctx.
        assert.equal(await row(frame, 'kv.bytes_per_request', 'exact'),
            `${(131072 * (i + 1) * 1024).toLocaleString('en')} B`);
    }
    assert.ok(!logs.some((l) => /Too many active|oldest context/i.test(l)), logs.join('\n'));
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('index.html?embed=1 is an embed too', async () => {
    const page = await open(browser, server.url + 'deep/kvgauge/index.html?embed=1#' + kLink);
    await page.waitForSelector('#kvg-table tbody tr', { state: 'attached' });
    assert.equal(await page.locator('#kvg-form').isVisible(), false);
    await sleep(600);
    assert.equal(await page.evaluate(() => location.hash), '#' + kLink);
    await page.context().close();
});
