// SPDX-License-Identifier: MIT
// The documents: every page is reached, no link leads nowhere, nothing is fetched from elsewhere, axe
// finds nothing, and what they print is what the calculator answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { violations_of } from './support/axe.js';
import { answered, host, launch, open, root, site, until } from './support/browser.js';

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

// All pages below docs/, found by following links from the page itself.
async function crawl(page) {
    const seen = new Map();
    const wanted = [server.url + 'index.html'];
    while (wanted.length) {
        const url = wanted.pop();
        if (seen.has(url)) continue;
        const answer = await page.goto(url);
        const links = await page.evaluate(() => [...document.querySelectorAll('a[href]')]
            .map((a) => a.href));
        const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((e) => e.id));
        seen.set(url, { status: answer.status(), links, ids });
        for (const link of links) {
            const [address] = link.split('#');
            assert.ok(address.startsWith(server.url), `${url} leads outside: ${link}`);
            if (!seen.has(address)) wanted.push(address);
        }
    }
    return seen;
}
const docs = ['', 'ko/'].flatMap((lang) => ['index', 'how', 'accuracy', 'limits', 'claims', 'selection',
    'embed', 'changelog'].map((name) => `docs/${lang}${name}.html`));

test('every page is reached from the first, and no link leads nowhere', async () => {
    const page = await open(browser, null, { form: true });
    const seen = await crawl(page);
    for (const [url, { status, links }] of seen) {
        assert.equal(status, 200, url);
        for (const link of links) {
            const [address, id] = link.split('#');
            if (id && !id.startsWith('v=')) {
                assert.ok(seen.get(address).ids.includes(decodeURIComponent(id)), `${url}: ${link}`);
            }
        }
    }
    for (const name of docs) assert.ok(seen.has(server.url + name), name);
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

for (const scheme of ['light', 'dark']) {
    test(`axe finds nothing in the documents, ${scheme}`, async () => {
        const page = await open(browser, null, { colorScheme: scheme, bypassCSP: true });
        for (const name of docs) {
            await page.goto(server.url + name);
            assert.deepEqual(await violations_of(page), [], name);
        }
        await page.context().close();
    });
}

test('on a phone no document is wider than the screen', async () => {
    const page = await open(browser, null, { viewport: { width: 390, height: 844 },
        hasTouch: true, isMobile: true });
    for (const name of docs) {
        await page.goto(server.url + name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 390, `${name}: ${width}`);
    }
    await page.context().close();
});

// Sources: 2 x 32 x 8 x 128 x 2 B; the tables articles print for Llama 3 8B, in GiB.
test('the claims page prints the published tables', async () => {
    const page = await open(browser, server.url + 'docs/claims.html');
    const rows = await page.locator('main table').nth(1).locator('tbody tr').evaluateAll((list) =>
        list.map((tr) => [...tr.cells].map((c) => c.textContent)));
    assert.deepEqual(rows, [
        ['MHA (32)', '1.00 GiB', '4.00 GiB', '16.00 GiB', '64.00 GiB'],
        ['GQA-8', '256 MiB', '1.00 GiB', '4.00 GiB', '16.00 GiB'],
        ['MQA (1)', '32 MiB', '128 MiB', '512 MiB', '2.00 GiB']]);
    assert.match(await page.textContent('main'), /MHA 15, GQA-8 60, MQA 480\./);
    await page.context().close();
});

test('a live example answers what its table printed, in both languages', async () => {
    for (const name of ['docs/selection.html', 'docs/ko/selection.html']) {
        const page = await open(browser, server.url + name);
        const first = page.locator('kv-gauge').first();
        const printed = await first.locator('tbody tr').evaluateAll((list) => list.map((tr) =>
            [tr.cells[0].textContent, tr.cells[1].firstChild.textContent.trim()]));
        assert.equal(printed.length, 5);
        await first.locator('button').click();
        await until(page, () => document.querySelector('iframe'));
        const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
        await answered(frame);
        const shown = new Map(await frame.locator('#kvg-table tbody tr').evaluateAll((list) =>
            list.map((tr) => [tr.querySelector('th').textContent, tr.querySelector('.c-value').textContent])));
        for (const [label, value] of printed) assert.equal(shown.get(label), value, label);
        assert.deepEqual(page.noise, []);
        await page.context().close();
    }
});

test('every link that the documents publish stands in the file of links that keep working', () => {
    const kept = new Set(readFileSync(path.join(root, 'tests/data/links_v1.txt'), 'utf8').split('\n')
        .flatMap((line) => line.split('\t')));
    let n = 0;
    for (const name of docs) {
        const html = readFileSync(path.join(site, name), 'utf8');
        for (const [, link] of html.matchAll(/<kv-gauge link="([^"]*)"/g)) {
            ++n;
            assert.ok(kept.has(link.replace(/&#38;/g, '&').replace(/&lang=ko$/, '')), `${name}: ${link}`);
        }
    }
    assert.ok(n >= 12);
});
