// SPDX-License-Identifier: MIT
// What is released: the archive unpacks and works below any path, equal sources give equal bytes, names
// that change carry their hash, siblings hold the same bytes, and no page allows inline code.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { answered, cell, host, launch, open, root } from './support/browser.js';
import { pack, python } from './support/pack.js';

const archive = (folder, zip) =>
    execFileSync(python, [path.join(root, 'web/tools/archive.py'), folder, zip]);
let one;
let two;
let temporary;
before(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'kvgauge-archive-'));
    one = pack();
    two = pack();
});
after(() => {
    one.remove();
    two.remove();
    rmSync(temporary, { recursive: true });
});
const files = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile()).map((e) => path.relative(folder, path.join(e.parentPath ?? e.path, e.name)));
const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

test('two packs are equal byte by byte, so are the archives', () => {
    assert.deepEqual(files(one.site).sort(), files(two.site).sort());
    archive(one.site, path.join(temporary, 'one.zip'));
    archive(two.site, path.join(temporary, 'two.zip'));
    assert.equal(sha(readFileSync(path.join(temporary, 'one.zip'))),
        sha(readFileSync(path.join(temporary, 'two.zip'))));
    assert.equal(sha(readFileSync(one.single)), sha(readFileSync(two.single)));
});

test('the archive unpacks into one folder that works below a path', async () => {
    archive(one.site, path.join(temporary, 'site.zip'));
    const to = path.join(temporary, 'far/down');
    execFileSync(python, ['-m', 'zipfile', '-e', path.join(temporary, 'site.zip'), to]);
    assert.deepEqual(readdirSync(to), ['kvgauge']);
    const server = await host(path.join(temporary, 'far'));
    const browser = await launch();
    const page = await open(browser, server.url + 'down/kvgauge/#v=1&kv=bf16', { form: true });
    await answered(page);
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '131,072 B');
    await page.goto(server.url + 'down/kvgauge/docs/ko/index.html');
    assert.deepEqual(page.noise, []);
    await browser.close();
    server.close();
});

test('hashed names hold the hash of their content; siblings unpack to the same bytes', () => {
    let hashed = 0;
    for (const name of files(one.site)) {
        const bytes = readFileSync(path.join(one.site, name));
        const own = name.match(/\.([0-9a-f]{10})\.\w+$/);
        if (own) {
            ++hashed;
            assert.equal(sha(bytes).slice(0, 10), own[1], name);
        }
        const plain = path.join(one.site, name.replace(/\.(gz|br)$/, ''));
        if (name.endsWith('.gz')) assert.ok(gunzipSync(bytes).equals(readFileSync(plain)), name);
        if (name.endsWith('.br')) assert.ok(brotliDecompressSync(bytes).equals(readFileSync(plain)), name);
    }
    assert.ok(hashed >= 6);
});

test('every page has a policy without inline code, and its references are relative', () => {
    for (const name of [...files(one.site).filter((n) => n.endsWith('.html'))]) {
        const html = readFileSync(path.join(one.site, name), 'utf8');
        const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)?.[1];
        assert.ok(policy, name);
        assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/, name);
        assert.match(policy, /default-src 'none'/, name);
        assert.doesNotMatch(html, / on\w+=|javascript:| style="|<style/i, name);
        for (const [, to] of html.matchAll(/(?:src|href)="([^"]*)"/g)) {
            assert.doesNotMatch(to, /^(\/|https?:)/, `${name}: ${to}`);
        }
    }
});

test('the single file allows exactly its own script and style, by hash', () => {
    const html = readFileSync(one.single, 'utf8');
    const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)[1];
    const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((m) => hash(m[1]));
    const sheets = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((m) => hash(m[1]));
    assert.equal(scripts.length, 1);
    assert.equal(policy.match(/script-src ([^;]*)/)[1], `${scripts[0]} 'wasm-unsafe-eval'`);
    assert.equal(policy.match(/style-src ([^;]*)/)[1], sheets.join(' '));
    // Nothing beside it is named: it travels alone.
    const markup = html.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '');
    assert.doesNotMatch(markup, /<link | src="| href="/);
});
