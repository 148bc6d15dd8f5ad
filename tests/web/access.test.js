// SPDX-License-Identifier: MIT
// Who cannot see the canvas or use a mouse: axe-core on every page, light and dark; the accessibility
// tree holds every row; the keyboard alone does the first visit; a phone's width and touch; IME.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations_of } from './support/axe.js';
import { answered, cell, host, launch, open, until } from './support/browser.js';

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

async function violations(url, scheme, prepare) {
    const page = await open(browser, url, { colorScheme: scheme, bypassCSP: true,
        form: !!prepare });
    if (/index|embed|#|\/$/.test(url)) await answered(page);
    if (prepare) await prepare(page);
    const found = await violations_of(page);
    await page.context().close();
    return found;
}

for (const scheme of ['light', 'dark']) {
    test(`axe finds nothing on the page, ${scheme}`, async () => {
        assert.deepEqual(await violations(server.url, scheme), []);
    });
    test(`axe finds nothing in the form with a refused text and notices, ${scheme}`, async () => {
        assert.deepEqual(await violations(server.url + '#v=1&ctx=bad&what=1', scheme,
            async (page) => {
                for (const fold of await page.locator('#kvg-form summary').all()) await fold.click();
                await page.fill('#f-tp', 'x');
                await page.press('#f-tp', 'Enter');
            }), []);
    });
    test(`axe finds nothing on the embed, ${scheme}`, async () => {
        assert.deepEqual(await violations(server.url + 'embed.html#v=1&kv=fp8', scheme), []);
    });
    test(`axe finds nothing where it does not fit, ${scheme}`, async () => {
        assert.deepEqual(await violations(server.url +
            'embed.html#v=1&model=llama-3-70b', scheme), []);
    });
}

const plain = (text) => text.replace(/\s+/g, ' ').trim();
test('the accessibility tree holds every report row, its value and the status sentence', async () => {
    const page = await open(browser, server.url);
    await answered(page);
    const session = await page.context().newCDPSession(page);
    const tree = (await session.send('Accessibility.getFullAXTree')).nodes
        .filter((n) => !n.ignored);
    const names = new Set(tree.filter((n) => /rowheader|cell/i.test(n.role?.value || ''))
        .map((n) => plain(n.name?.value || '')));
    const rows = await page.evaluate(() => [...document.querySelectorAll('#kvg-table tbody tr')]
        .map((tr) => [tr.querySelector('th').textContent, tr.querySelector('.c-value').textContent]));
    assert.ok(rows.length > 20);
    for (const [label, value] of rows) {
        assert.ok(names.has(plain(label)), label);
        assert.ok(names.has(plain(value)), value);
    }
    assert.ok(tree.some((n) => n.role?.value === 'status'));
    await page.context().close();
});

test('a phone: form view, nothing wider than the screen, edits by touch', async () => {
    const page = await open(browser, server.url, { viewport: { width: 390, height: 844 },
        hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await answered(page);
    await page.waitForSelector('#f-ctx');
    assert.ok(await page.locator('#kvg-form').isVisible());
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
    await page.tap('#f-ctx');
    await page.fill('#f-ctx', '16k');
    await until(page, () => location.hash === '#v=1&ctx=16k');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '2.00 GiB');
    // Touch targets of WCAG 2.5.8 with room: 44 px.
    const low = await page.evaluate(() => [...document.querySelectorAll('button, input, select')]
        .filter((e) => e.offsetParent && !e.closest('.skips') && e.getBoundingClientRect().height < 44)
        .map((e) => e.id || e.textContent));
    assert.deepEqual(low, []);
    await page.context().close();
});
