// SPDX-License-Identifier: MIT
// "Load from hub", against a server of the same path layout: OWNER/NAME/resolve/main/config.json.
// Nothing is asked before the press, nothing but the hub can be asked, and each refusal is a sentence.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { answered, cell, host, launch, open, sleep, until } from './support/browser.js';
import { pack } from './support/pack.js';

// Llama 2 7B's published shape: 32 x 2 x 32 x 128 x 2 B = 524,288 B a token.
const kConfig = { architectures: ['LlamaForCausalLM'], model_type: 'llama', hidden_size: 4096,
    intermediate_size: 11008, num_hidden_layers: 32, num_attention_heads: 32,
    num_key_value_heads: 32, vocab_size: 32000, torch_dtype: 'bfloat16' };
const kFp8 = { quantization: { quant_algo: 'FP8', kv_cache_quant_algo: 'FP8' } };
const kFiles = {
    '/hub/some/model/resolve/main/config.json': JSON.stringify(kConfig),
    '/hub/some/fp8/resolve/main/config.json': JSON.stringify(kConfig),
    '/hub/some/fp8/resolve/main/hf_quant_config.json': JSON.stringify(kFp8),
    '/hub/some/page/resolve/main/config.json': '<!doctype html><script>alert(1)</script>',
};

let browser;
let server;
let hub;
let packed;
const asked = [];
before(async () => {
    hub = createServer((request, response) => {
        asked.push(request.url);
        const head = { 'access-control-allow-origin': '*' };
        if (request.url.includes('/gated/')) response.writeHead(401, head).end('no');
        else if (request.url.includes('/broken/')) response.writeHead(503, head).end('no');
        else if (kFiles[request.url]) response.writeHead(200, head).end(kFiles[request.url]);
        else response.writeHead(404, head).end('no');
    });
    await new Promise((done) => hub.listen(0, 'localhost', done));
    // The first base is nobody's: the mirror after it answers.
    packed = pack(['http://localhost:9/none', `http://localhost:${hub.address().port}/hub/`]);
    server = await host(packed.site);
    browser = await launch();
});
after(async () => {
    await browser.close();
    server.close();
    hub.closeAllConnections();
    hub.close();
    packed.remove();
});

async function visit() {
    const page = await open(browser, server.url, { form: true });
    await answered(page);
    await page.click('.take summary');
    asked.length = 0;
    return page;
}
async function load(page, id) {
    await page.fill('#kvg-hub', id);
    await page.click('.hub button');
    await until(page, () => !document.querySelector('.hub button').disabled);
    return page.textContent('.tools-note');
}

test('a model of the hub becomes the scenario\'s', async () => {
    const page = await visit();
    await load(page, 'some/model');
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '524,288 B');
    assert.match(await page.textContent('.tools-note'), /^Read: .* TP 1\.$/);
    assert.deepEqual(asked, ['/hub/some/model/resolve/main/config.json',
        '/hub/some/model/resolve/main/hf_quant_config.json']);
    await page.context().close();
});

test('its hf_quant_config.json counts: an FP8 cache takes half', async () => {
    const page = await visit();
    await load(page, 'some/fp8');
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '262,144 B');
    await page.context().close();
});

test('an address of the hub is read as its id', async () => {
    const page = await visit();
    await load(page, `http://localhost:${hub.address().port}/hub/some/model/tree/main`);
    assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '524,288 B');
    await page.context().close();
});

test('each refusal is a sentence, and the last answer stays', async () => {
    const page = await visit();
    for (const [id, why] of [['gated/model', /accepted its terms/], ['no/such', /has no no\/such/],
        ['broken/model', /answered 503/], ['justaname', /owner\/name is accepted/],
        ['../../etc/passwd', /owner\/name/], ['https://evil.example/a/b', /owner\/name/],
        ['a/b?x=//evil.example', /has no a\/b/], ['some/page', /Not recognised/]]) {
        assert.match(await load(page, id), why, id);
        assert.equal(await cell(page, 'kv.bytes_per_token', 'exact'), '131,072 B', id);
    }
    assert.ok(asked.every((url) => /^\/hub\/[\w.-]+\/[\w.-]+\/resolve\/main\/[\w.]+$/.test(url)),
        asked.join(' '));
    await page.context().close();
});

test('offline it says so', async () => {
    const page = await visit();
    await page.context().setOffline(true);
    assert.match(await load(page, 'some/model'), /^There is no network\./);
    await page.context().close();
});

test('nothing is asked before the press; the policy names the hubs and no other host', async () => {
    const page = await visit();
    await sleep(500);
    assert.deepEqual(asked, []);
    const allowed = (await page.getAttribute('meta[http-equiv]', 'content'))
        .match(/connect-src ([^;]*)/)[1];
    assert.equal(allowed, `'self' http://localhost:9 http://localhost:${hub.address().port}`);
    const other = await page.evaluate((url) => fetch(url).then(() => 'fetched', () => 'refused'),
        'http://localhost:10/');
    assert.equal(other, 'refused');
    await page.context().close();
});

test('the embed has no hub, neither button nor permission', async () => {
    const page = await open(browser, server.url + 'embed.html#v=1');
    await answered(page);
    await until(page, () => document.querySelector('.take'));
    assert.equal(await page.locator('#kvg-hub').count(), 0);
    assert.match(await page.getAttribute('meta[http-equiv]', 'content'), /connect-src 'self';/);
    await page.context().close();
});
