// SPDX-License-Identifier: MIT
// What the buttons put on the clipboard: the same rows in Markdown, CSV, JSON and LaTeX, a pinned link
// and an embed code, each naming the page it came from.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answered, host, launch, open, until } from './support/browser.js';

let browser;
let server;
let page;
before(async () => {
    server = await host();
    browser = await launch();
    page = await open(browser, server.url + '#v=1&kv=bf16&ctx=4k', { form: true,
        permissions: ['clipboard-read', 'clipboard-write'] });
    await answered(page);
    await page.waitForSelector('.copies');
});
after(async () => {
    await browser.close();
    server.close();
});
async function copied(name) {
    await page.evaluate(() => document.querySelector('.tools-note').replaceChildren());
    await page.click(`.copies button:text-is("${name}")`);
    await until(page, () => /Copied/.test(document.querySelector('.tools-note').textContent));
    return page.evaluate(() => navigator.clipboard.readText());
}

// 131,072 B a token x 4,096 tokens.
test('Markdown: a table and the address it came from', async () => {
    const text = await copied('Markdown');
    assert.match(text, /\| KV per request \| 512 MiB \(536,870,912 B\) \|/);
    assert.ok(text.trimEnd().endsWith(`](${server.url}#v=1&kv=bf16&ctx=4k)`), text.slice(-200));
});

test('LaTeX: a tabular, not JSON', async () => {
    const text = await copied('LaTeX');
    assert.match(text, /^% kvgauge: Llama 3 8B/);
    assert.match(text, /\\begin\{tabular\}/);
    assert.match(text, /KV per request & 512 MiB \(536,870,912 B\) & {2}& exact \\\\/);
    assert.ok(text.includes(`% ${server.url}#v=1&kv=bf16&ctx=4k\n`));
});

test('CSV and JSON carry raw numbers', async () => {
    assert.match(await copied('CSV'), /^kv\.bytes_per_request,KV per request,536870912,B,exact,,,/m);
    const json = JSON.parse(await copied('JSON'));
    assert.equal(json.rows.find((r) => r.id === 'kv.bytes_per_request').value, 536870912);
});

test('a pinned link gives the same bytes; the embed code frames it', async () => {
    const link = await copied('Pinned link');
    assert.match(link, /#v=1&.*gpu-mem=\d+.*&rev=/);
    const found = await page.evaluate((l) => window.kvgauge.estimate(l).rows
        .find((r) => r.id === 'kv.bytes_per_request').value, link);
    assert.equal(found, 536870912);
    const code = await copied('Embed code');
    assert.match(code, /^<iframe src="http:\/\/localhost:\d+\/embed\.html#v=1&#38;/);
    assert.match(code, /sandbox="allow-scripts allow-popups"><\/iframe>\s*$/);
});
