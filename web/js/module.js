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
    const core = new URL(KVG_CORE, import.meta.url);
    const [module, rest] = await Promise.all([KVG_WASM, KVG_MORE].filter(Boolean).map(compile));
    const parts = { module, more: rest && (async () => rest) };
    if (in_node && core.protocol === 'file:') {
        const { readFile } = await import('node:fs/promises');
        const create = await load_core(await readFile(core, 'utf8'));
        return start_engine(create, parts, { whole: true });
    }
    await import(core);
    return start_engine(globalThis.kvgauge_create, parts, { whole: true });
}

async function compile(name) {
    const url = new URL(name, import.meta.url);
    if (in_node && url.protocol === 'file:') {
        const { readFile } = await import('node:fs/promises');
        return WebAssembly.compile(await readFile(url));
    }
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
    return WebAssembly.compile(await answer.arrayBuffer());
}

const engine = await load();
const api = make_api({ whole: async () => engine, now: () => engine });

export const { ready, estimate, sweep, importConfig, reconcile } = api;
