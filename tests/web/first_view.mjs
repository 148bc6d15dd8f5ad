// SPDX-License-Identifier: MIT
// Writes web/first_view.txt: the functions of the module that first views run, as seen in Chromium.
//   node tests/web/first_view.mjs     after `make site`; then `make site` again
// The module gets counters (wasm-split --instrument), the page gets that module and never the other part,
// and what each view of support/first_views.js has called by the time it is drawn goes on the list.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { function_names } from '../../web/tools/wasm_names.js';
import { host, launch, open, root } from './support/browser.js';
import { kViews, shown } from './support/first_views.js';

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
for (const view of kViews) {
    const [link, options] = view;
    const page = await open(browser, null, { before: keep_instance, ...options });
    await page.route(/\/kvgauge\.[^/]*\.wasm$/, (route) =>
        route.fulfill({ body: module, contentType: 'application/wasm' }));
    await page.route(/\/later\//, () => {});
    await page.goto(server.url + link);
    await shown(page, view);
    const times = await page.evaluate(profile);
    times.forEach((time, i) => { if (time) called.add(names[i + imported]); });
    console.log(`${called.size} functions after ${link || 'the page'} ${JSON.stringify(options)}`);
    await page.context().close();
}
await browser.close();
server.close();

writeFileSync(path.join(root, 'web/first_view.txt'),
    '# What first views call, by name; made by tests/web/first_view.mjs, read by web/tools/split.js.\n' +
    [...called].sort().join('\n') + '\n');
