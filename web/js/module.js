// SPDX-License-Identifier: MIT
// Owns: kvgauge as a module for others, in browsers and in node:
//   import { estimate } from './kvgauge.js';
//   estimate('v=1&model=llama-3-8b&ctx=8k').rows
// The module waits until the calculator runs, so the functions answer at once.
import { make_api } from './api.js';
import { start_engine } from './engine.js';

const in_node = typeof process === 'object' && !!process.versions?.node;

async function load() {
    const wasm = new URL(KVG_WASM, import.meta.url);
    await import(new URL(KVG_CORE, import.meta.url));
    let bytes;
    if (in_node && wasm.protocol === 'file:') {
        const { readFile } = await import('node:fs/promises');
        bytes = await readFile(wasm);
    } else {
        const answer = await fetch(wasm);
        if (!answer.ok) throw new Error(`${wasm}: the server answered ${answer.status}`);
        bytes = await answer.arrayBuffer();
    }
    return start_engine(globalThis.kvgauge_create, await WebAssembly.compile(bytes));
}

const api = make_api(load());
await api.ready;

export const { ready, estimate, sweep, importConfig } = api;
