// SPDX-License-Identifier: MIT
// Owns: kvgauge as a module for others, in browsers and in node:
//   import { estimate } from './kvgauge.js';
//   estimate('v=1&model=llama-3-8b&ctx=8k').rows
// The module waits until the calculator runs, so the functions answer at once.
import { make_api } from './api.js';
import { start_engine } from './engine.js';
import { load_core } from './node_core.js';

const in_node = typeof process === 'object' && !!process.versions?.node;

async function load() {
    const wasm = new URL(KVG_WASM, import.meta.url);
    const core = new URL(KVG_CORE, import.meta.url);
    if (in_node && wasm.protocol === 'file:') {
        const { readFile } = await import('node:fs/promises');
        const create = await load_core(await readFile(core, 'utf8'));
        return start_engine(create, await WebAssembly.compile(await readFile(wasm)));
    }
    await import(core);
    const answer = await fetch(wasm);
    if (!answer.ok) throw new Error(`${wasm}: the server answered ${answer.status}`);
    return start_engine(globalThis.kvgauge_create,
        await WebAssembly.compile(await answer.arrayBuffer()));
}

const api = make_api(load());
await api.ready;

export const { ready, estimate, sweep, importConfig, reconcile } = api;
