// SPDX-License-Identifier: MIT
// The page without a network: kept after the first visit, started again while offline, from a
// subfolder; never in embeds; the manifest is one that browsers install.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { answered, cell, host, launch, open, single, site, sleep, until } from './support/browser.js';

const cut = readdirSync(site).includes('later');  // the module is in two parts
let browser;
let server;
let folder;
before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kvgauge-offline-'));
    cpSync(site, path.join(folder, 'deep/kvgauge'), { recursive: true });
    cpSync(single, path.join(folder, 'deep/one.html'));
    server = await host(folder);
    browser = await launch();
});
after(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
});
const at = (link) => `${server.url}deep/kvgauge/${link}`;
// Polls an asynchronous question, which waitForFunction would take for an answer.
async function eventually(page, f, what) {
    for (let i = 0; i < 200; ++i) {
        if (await page.evaluate(f)) return;
        await sleep(100);
    }
    assert.fail('not within 20 s: ' + what);
}
const kept = (page) => eventually(page, async () =>
    (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated' &&
    !!navigator.serviceWorker.controller, 'kept offline');
const registered = (page) => page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).length);

test('after one visit the page starts offline, by either of its addresses', async () => {
    const page = await open(browser, at('#v=1&ctx=4k'), { form: true });
    await answered(page);
    await kept(page);
    await page.context().setOffline(true);
    for (const link of ['#v=1&ctx=4k', 'index.html#v=1&ctx=4k']) {
        await page.goto(server.url.replace(/\/$/, '') + '/deep/kvgauge/' + link);
        await page.reload();
        await answered(page);
        // 131,072 B x 4,096 tokens.
        assert.equal(await cell(page, 'kv.bytes_per_request'), '512 MiB');
        await page.fill('#f-ctx', '16k');
        await until(page, () => location.hash === '#v=1&ctx=16k');
        assert.equal(await cell(page, 'kv.bytes_per_request'), '2.00 GiB');
    }
    await page.context().close();
});

test('the scope is the page\'s own folder', async () => {
    const page = await open(browser, at(''), { form: true });
    await kept(page);
    const scopes = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations())
        .map((r) => r.scope));
    assert.deepEqual(scopes, [at('')]);
    await page.context().close();
});

test('a document that was read can be read again offline', async () => {
    const page = await open(browser, at(''), { form: true });
    await kept(page);
    await page.goto(at('docs/limits.html'));
    await page.context().setOffline(true);
    await page.reload();
    assert.match(await page.textContent('h1'), /leaves out/);
    await page.context().close();
});

test('a visit fetches each part of the module once, also while it is being kept', async () => {
    const asked = [];
    const counting = await host(site, { log: (url) => asked.push(url) });
    const page = await open(browser, counting.url, { form: true });
    await answered(page);
    await kept(page);
    const modules = asked.filter((url) => url.endsWith('.wasm')).map((url) => url.replace(/\..*/, ''));
    assert.deepEqual(modules, cut ? ['/kvgauge', '/later/more'] : ['/kvgauge'], asked.join(' '));
    await page.context().close();
    counting.close();
});

test('embeds and the single file keep nothing', async () => {
    for (const name of ['embed.html#v=1', 'index.html?embed=1#v=1', '../one.html#v=1']) {
        const page = await open(browser, at(name), { form: true });
        await answered(page);
        await sleep(2500);
        assert.equal(await registered(page), 0, name);
        await page.context().close();
    }
});

test('a new version takes the place of the old one', async () => {
    const page = await open(browser, at(''), { form: true });
    await kept(page);
    const old = await page.evaluate(() => caches.keys());
    const worker = path.join(folder, 'deep/kvgauge/sw.js');
    const text = readFileSync(worker, 'utf8');
    for (const suffix of ['.gz', '.br']) rmSync(worker + suffix, { force: true });
    writeFileSync(worker, text.replace(/kvgauge-[0-9a-f]{10}/, 'kvgauge-0123456789'));
    await page.reload();
    await eventually(page, async () => (await caches.keys()).join() === 'kvgauge-0123456789',
        'the new version');
    assert.match(old.join(), /^kvgauge-[0-9a-f]{10}$/);
    writeFileSync(worker, text);
    await page.context().close();
});

test('the manifest names icons that exist, in the sizes it says, and a start within its scope', async () => {
    const manifest = JSON.parse(readFileSync(path.join(site, 'manifest.webmanifest'), 'utf8'));
    for (const key of ['name', 'short_name', 'start_url', 'display', 'id']) assert.ok(manifest[key], key);
    const sizes = new Set();
    for (const icon of manifest.icons) {
        const bytes = readFileSync(path.join(site, icon.src));
        if (icon.type !== 'image/png') continue;
        // PNG: width and height stand at 16 and 20.
        assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, icon.sizes);
        sizes.add(icon.sizes);
    }
    assert.ok(sizes.has('192x192') && sizes.has('512x512'));
    const page = await open(browser, at(''), { form: true });
    const session = await page.context().newCDPSession(page);
    const told = await session.send('Page.getAppManifest');
    assert.deepEqual(told.errors, []);
    const faults = (await session.send('Page.getInstallabilityErrors')).installabilityErrors
        .map((e) => e.errorId).filter((id) => id !== 'in-incognito');
    assert.deepEqual(faults, []);
    await page.context().close();
});

test('what a link preview shows is there, in the size it says', async () => {
    const html = readFileSync(path.join(site, 'index.html'), 'utf8');
    const tag = (name) => (html.match(new RegExp(`property="${name}" content="([^"]*)"`)) || [])[1];
    const bytes = readFileSync(path.join(site, tag('og:image')));
    assert.equal(bytes.readUInt32BE(16), Number(tag('og:image:width')));
    assert.equal(bytes.readUInt32BE(20), Number(tag('og:image:height')));
    for (const name of ['og:title', 'og:description', 'og:image:alt']) assert.ok(tag(name), name);
});
