// SPDX-License-Identifier: MIT
// Firefox, through WebDriver BiDi: the same first visit as in Chromium. KVGAUGE_FIREFOX names another
// program than Debian's firefox-esr; where there is none the test is skipped.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { host, single } from './support/browser.js';

const program = process.env.KVGAUGE_FIREFOX || '/usr/bin/firefox-esr';
const skip = existsSync(program) ? false : `skipped: no ${program}`;
let browser;
let server;
before(async () => {
    if (skip) return;
    const { default: puppeteer } = await import('puppeteer-core');
    server = await host();
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true,
        extraPrefsFirefox: { 'dom.serviceWorkers.enabled': true } });
});
after(async () => {
    await browser?.close();
    server?.close();
});

// A page that has chosen the form, and what its console said.
async function open(url) {
    const page = await browser.newPage();
    page.noise = [];
    page.on('console', (m) => { if (m.type() === 'error') page.noise.push(m.text()); });
    page.on('pageerror', (e) => page.noise.push('page error: ' + e.message));
    await page.evaluateOnNewDocument(() => {
        try {
            localStorage.setItem('kvgauge.mode', 'form');
        } catch {
            // No storage here.
        }
    });
    await page.goto(url);
    await page.waitForSelector('#kvg-table tbody tr', { timeout: 60000 });
    return page;
}
const cell = (page, row, column = 'value') => page.$eval(
    `#kvg-table tr[data-row="${row}"] .c-${column}`, (e) => e.textContent);

// 2 x 8 KV heads x 128 x 32 layers x 2 B = 131,072 B a token.
test('a link is answered, a form edit moves table and address', { skip }, async () => {
    const page = await open(server.url + '#v=1&model=llama-3-8b&kv=bf16');
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '131,072 B');
    assert.match(await page.$eval('#kvg-sentence', (e) => e.textContent), /^Fits\. \d+ requests/);
    await page.waitForSelector('#f-ctx');
    await page.$eval('#f-ctx', (input) => {
        input.value = '32k';
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await page.waitForFunction(() => location.hash === '#v=1&kv=bf16&ctx=32k');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '4.00 GiB');
    assert.deepEqual(page.noise, []);
    await page.close();
});

test('the embed and the functions answer', { skip }, async () => {
    const page = await open(server.url + 'embed.html#v=1&kv=fp8');
    assert.equal(await cell(page, 'kv.bytes_per_token'), '64 KiB');
    const most = await page.evaluate(() => window.kvgauge.sweep('v=1', { tp: [1, 2] })
        .map((a) => a.rows.find((r) => r.id === 'tp.verdict').value));
    assert.deepEqual(most, ['ok', 'ok']);
    await page.close();
});

test('the documents and their live example', { skip }, async () => {
    const page = await browser.newPage();
    await page.goto(server.url + 'docs/selection.html');
    await page.waitForSelector('kv-gauge button');
    await page.$eval('kv-gauge button', (b) => b.click());
    const handle = await page.waitForSelector('kv-gauge iframe');
    const frame = await handle.contentFrame();
    await frame.waitForSelector('#kvg-table tbody tr', { timeout: 60000 });
    assert.match(await frame.$eval('#kvg-sentence', (e) => e.textContent), /requests of 32,768 tokens/);
    await page.close();
});

test('one file answers from file://', { skip }, async () => {
    const page = await open(pathToFileURL(single) + '#v=1&kv=bf16&ctx=4k');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '512 MiB');
    assert.deepEqual(page.noise, []);
    await page.close();
});
