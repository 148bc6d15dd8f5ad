// SPDX-License-Identifier: MIT
// Writes web/first_view.txt: the functions of the module that first views run, as seen in Chromium.
//   node tests/web/first_view.mjs     after a build of build/site with the module cut in two
// The module gets counters (wasm-split --instrument), the page's fetch gets that module, and what each
// first view has called by the time it is drawn goes on the list: scenarios of several kinds, themes,
// languages, widths, the form, an embed, and the pointer coming over the canvas.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { function_names } from '../../web/tools/wasm_names.js';
import { answered, host, launch, open, root, sleep } from './support/browser.js';
import { drawn } from './support/canvas.js';

const folder = path.join(root, 'build/web/module');
const counting = path.join(folder, 'counting.wasm');
execFileSync('wasm-split', ['--instrument', path.join(folder, 'whole.wasm.short'), '-g', '-o', counting,
    '--enable-bulk-memory', '--enable-sign-ext', '--enable-nontrapping-float-to-int',
    '--enable-mutable-globals', '--enable-simd']);
const module = readFileSync(counting);
const { names, imported } = function_names(readFileSync(path.join(folder, 'kvgauge.wasm')), 'module');

function keep_instance() {
    const real = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...given) => {
        const made = await real.apply(WebAssembly, given);
        if (made instanceof WebAssembly.Instance) window.test_instance = made;
        return made;
    };
}

// A profile is a hash of 8 bytes, then a time of 4 for every function, 0 where it was not called.
function profile() {
    const exports = window.test_instance?.exports;
    if (!exports) return null;
    const memory = Object.values(exports).find((e) => e instanceof WebAssembly.Memory);
    const at = memory.buffer.byteLength;
    memory.grow(4);
    const length = exports.__write_profile(at, 4 << 16);
    return [...new Uint32Array(memory.buffer.slice(at + 8, at + length))];
}

const called = new Set();
const server = await host();
const browser = await launch();
async function look(link, options = {}, use) {
    const page = await open(browser, null, { before: keep_instance, ...options });
    await page.route(/\/kvgauge\.[^/]*\.wasm$/, (route) =>
        route.fulfill({ body: module, contentType: 'application/wasm' }));
    await page.goto(server.url + link);
    if (link.startsWith('embed')) await sleep(2000);
    else if (options.form || options.viewport?.width < 700) await answered(page);
    else await drawn(page);
    await use?.(page);
    await sleep(500);
    const times = await page.evaluate(profile);
    times?.forEach((time, i) => { if (time) called.add(names[i + imported]); });
    console.log(`${called.size} functions after ${link || 'the page'} ${JSON.stringify(options)}`);
    await page.context().close();
}

const kLinks = ['', '#v=1&engine=vllm@0.20&tp=2&kv=fp8',
    '#v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=4&weights=fp8&ctx=32k',
    '#v=1&model=qwen2.5-7b&gpu=h100-80gb-sxm&tp=8', '#v=1&model=mixtral-8x7b&gpu=h100-80gb-sxm&tp=2&ep=on',
    '#v=1&kv-heads=1&engine=none&kv-budget=64424509440', '#v=1&model=deepseek-v3&gpu=h200-141gb-sxm&tp=8',
    '#v=1&lang=ko', '#v=1&batch=32&in=2k&out=512&tpot-max=30&ttft-max=500'];
for (const link of kLinks) await look(link);
for (const link of kLinks) await look(link, { form: true });
await look('', { colorScheme: 'light' });
await look('', { locale: 'ko-KR' });
await look('', { viewport: { width: 900, height: 700 } });
await look('', { viewport: { width: 390, height: 844 } });
await look('', { deviceScaleFactor: 2 });
await look('embed.html');
await look('', {}, async (page) => {
    const box = await page.locator('canvas').boundingBox();
    await page.mouse.move(box.x + 3, box.y + 3);
    await page.mouse.move(box.x + box.width - 5, box.y + box.height - 5);
    await page.mouse.move(2, 2);
    await page.evaluate(() => { window.dispatchEvent(new Event('blur')); });
    await page.evaluate(() => { window.dispatchEvent(new Event('focus')); });
    await page.setViewportSize({ width: 1180, height: 760 });
    await sleep(500);
});
await browser.close();
server.close();

writeFileSync(path.join(root, 'web/first_view.txt'),
    '# What first views call, by name; made by tests/web/first_view.mjs, read by web/tools/split.js.\n' +
    [...called].sort().join('\n') + '\n');
