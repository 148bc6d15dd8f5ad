// SPDX-License-Identifier: MIT
// Owns: the WASM module: where its bytes come from, and calls that take text and give text.
// Bytes, in this order: a data block in the page (single file), a fetch (one, whatever MIME type the
// host sends), a script that carries them as base64 (file:// and sandboxed frames, whose opaque
// origin may not fetch).
// The fetched module is the first of two (web/tools/split.js): it answers and draws the first view. The
// other comes through more() when somebody begins to use the page; a call that needs it before that
// waits for it on the spot.

const utf8 = new TextEncoder();

export function from_base64(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

function load_script(url) {
    return new Promise((done, failed) => {
        const script = document.createElement('script');
        script.src = url;
        script.onload = done;
        script.onerror = () => failed(new Error('could not load ' + url));
        document.head.append(script);
    });
}

async function fetch_module(url) {
    const answer = await fetch(url, { credentials: 'same-origin' });
    if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
    const type = (answer.headers.get('content-type') || '').split(';')[0].trim();
    if (type === 'application/wasm' && WebAssembly.compileStreaming) {
        return WebAssembly.compileStreaming(answer);
    }
    return WebAssembly.compile(await answer.arrayBuffer());
}

// { module, more }: a WebAssembly.Module of the page's own calculator, and the address of its other
// part; without an address the module is whole.
export async function page_module(urls) {
    const block = document.getElementById('kvg-wasm');
    if (block) return { module: await WebAssembly.compile(from_base64(block.textContent.trim())) };
    const may_fetch = location.protocol !== 'file:' && self.origin !== 'null';
    if (may_fetch) return { module: await fetch_module(urls.wasm), more: urls.more };
    await load_script(urls.wasm_script);
    return { module: await WebAssembly.compile(from_base64(globalThis.kvgauge_wasm)) };
}

// The bytes of a file before anything else happens. Text of that character set keeps every byte.
function read_now(url) {
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    if (request.status !== 200) throw new Error(`${url}: the server answered ${request.status}`);
    return Uint8Array.from(request.responseText, (c) => c.charCodeAt(0) & 255);
}

// The other part of a module. wasm-split leaves functions that are not there yet as imports of
// "placeholder" by their index in the table; an instance of the other part fills the table.
class Rest {
    constructor(url) {
        this.url = url;
        this.exports = null;  // of the first part
        this.there = !url;
        this.loading = null;
        this.imports = new Proxy({}, { get: (_, index) => (...args) => {
            if (!this.there) this.put(new WebAssembly.Module(read_now(this.url)));
            return this.table.get(Number(index))(...args);
        } });
    }

    get table() {
        return Object.values(this.exports).find((e) => e instanceof WebAssembly.Table);
    }

    put(module) {
        if (this.there) return;
        new WebAssembly.Instance(module, { primary: this.exports });
        this.there = true;
    }

    load() {
        if (this.there) return Promise.resolve();
        this.loading ??= fetch_module(this.url).then((module) => this.put(module)).catch(() => {
            this.loading = null;  // offline for now: whoever needs it tries again
        });
        return this.loading;
    }
}

// Starts the module; `create` is the factory that Emscripten made.
export async function start_engine(create, { module, more, more_module }, options = {}) {
    const rest = new Rest(more);
    if (more_module) rest.there = false;
    const raw = await new Promise((done, failed) => {
        create({
            canvas: options.canvas || null,
            host: options.host || null,
            print: (text) => console.log(text),
            printErr: (text) => console.warn(text),
            onAbort: (why) => failed(new Error(String(why))),
            instantiateWasm(imports, ready) {
                imports.placeholder = rest.imports;
                WebAssembly.instantiate(module, imports).then((instance) => {
                    rest.exports = instance.exports;
                    if (more_module) rest.put(more_module);
                    ready(instance, module);
                }, failed);
                return {};
            },
        }).then((m) => done({ m }), failed);  // wrapped: the factory's object may look like a promise
    });
    return new Engine(raw.m, rest);
}

// Every call writes one text into the module and reads one back. A trap leaves the module unusable:
// `dead` then holds the reason, and every later call throws it.
export class Engine {
    constructor(raw, rest) {
        this.raw = raw;
        this.rest = rest;
        this.dead = null;
        this.on_death = null;
    }

    // Fetches what the first view did without; resolved when it is there, or could not be had.
    more() {
        return this.rest.load();
    }

    text(name, input = '') {
        return this.send(name, utf8.encode(input));
    }

    // A first line, then bytes as they are.
    bytes(name, line, bytes) {
        const head = utf8.encode(line.replace(/\n/g, ' ') + '\n');
        const all = new Uint8Array(head.length + bytes.length);
        all.set(head);
        all.set(bytes, head.length);
        return this.send(name, all);
    }

    send(name, bytes) {
        return this.guard(() => {
            const at = this.raw['_kvg_input'](bytes.length);
            this.raw['HEAPU8'].set(bytes, at);
            return this.raw['UTF8ToString'](this.raw['_kvg_' + name]());
        });
    }

    json(name, input) {
        return JSON.parse(this.text(name, input));
    }

    // Numbers in, number out.
    number(name, ...numbers) {
        return this.guard(() => this.raw['_kvg_' + name](...numbers));
    }

    guard(call) {
        if (this.dead) throw this.dead;
        try {
            return call();
        } catch (error) {
            this.dead = error instanceof Error ? error : new Error(String(error));
            if (this.on_death) this.on_death(this.dead);
            throw this.dead;
        }
    }
}
