// SPDX-License-Identifier: MIT
// Owns: the WASM module: where its bytes come from, and calls that take text and give text.
// Bytes, in this order: a data block in the page (single file), a fetch (one, whatever MIME type the
// host sends), a script that carries them as base64 (file:// and sandboxed frames, whose opaque
// origin may not fetch).
// The fetched module is the first of two (web/tools/split.js): it answers and draws the first view. The
// other comes through more(). Whoever does more than a first view waits for it; a call that misses
// it all the same ends with Short, and the page starts anew with both.

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

// Fetched once, however often it is asked for; after a failure the next who asks tries again.
function later(url) {
    let coming = null;
    return () => (coming ??= fetch_module(url).catch((error) => {
        coming = null;
        throw error;
    }));
}

// { module, more, more_now }: a WebAssembly.Module of the page's own calculator, and how its other part
// is had: soon, or on the spot. Without them the module is whole.
export async function page_module(urls) {
    const block = document.getElementById('kvg-wasm');
    if (block) return { module: await WebAssembly.compile(from_base64(block.textContent.trim())) };
    const may_fetch = location.protocol !== 'file:' && self.origin !== 'null';
    if (may_fetch) {
        const module = await fetch_module(urls.wasm);
        if (!urls.more) return { module };
        return { module, more: later(urls.more), more_now: () => read_now(urls.more) };
    }
    await load_script(urls.wasm_script);
    return { module: await WebAssembly.compile(from_base64(globalThis.kvgauge_wasm)) };
}

// A module before anything else happens: only for a program that calls window.kvgauge without waiting for
// kvgauge.ready. Text of that character set keeps every byte.
function read_now(url) {
    if (!navigator.onLine) throw new Error('there is no network');
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    if (request.status !== 200) throw new Error(`${url}: the server answered ${request.status}`);
    return new WebAssembly.Module(Uint8Array.from(request.responseText, (c) => c.charCodeAt(0) & 255));
}

// A call needed the other part of the module before that was there.
export class Short extends Error {}

// Starts the module; `create` is the factory that Emscripten made. parts: as page_module gives them.
// options.whole: only with both parts.
export async function start_engine(create, parts, options = {}) {
    const { module, more } = parts;
    const second = more && options.whole ? await more() : null;
    let exports = null;
    const raw = await new Promise((done, failed) => {
        create({
            canvas: options.canvas || null,
            host: options.host || null,
            print: (text) => console.log(text),
            printErr: (text) => console.warn(text),
            onAbort: (why) => failed(new Error(String(why))),
            instantiateWasm(imports, ready) {
                WebAssembly.instantiate(module, imports).then((instance) => {
                    exports = instance.exports;
                    ready(instance, module);
                }, failed);
                return {};
            },
        }).then((m) => done({ m }), failed);  // wrapped: the factory's object may look like a promise
    });
    const engine = new Engine(raw.m, more ? { ...parts, exports } : null);
    if (second) engine.put(second);
    return engine;
}

// Every call writes one text into the module and reads one back. A trap leaves the module unusable:
// `dead` then holds the reason, and every later call throws it.
export class Engine {
    // parts: { exports, more, more_now } while the other part is missing.
    constructor(raw, parts) {
        this.raw = raw;
        this.parts = parts;
        this.dead = null;
        this.on_death = null;
        this.on_short = null;
    }

    get whole() { return !this.parts; }

    // Resolved when the other part is there; rejected when it cannot be had now.
    async more() {
        if (!this.whole) this.put(await this.parts.more());
    }

    more_now() {
        if (!this.whole) this.put(this.parts.more_now());
    }

    // The table holds a function that traps in the place of each that is missing; an instance of the
    // other part fills them in.
    put(module) {
        if (this.whole) return;
        new WebAssembly.Instance(module, { primary: this.parts.exports });
        this.parts = null;
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
            throw this.miss(error instanceof Error ? error : new Error(String(error)));
        }
    }

    // The module stopped with that error. A first part alone may only have missed the other.
    miss(error) {
        if (this.dead) return this.dead;
        this.dead = this.whole ? error : new Short(error.message, { cause: error });
        const hear = this.whole ? this.on_death : this.on_short;
        if (hear) hear(this.dead);
        return this.dead;
    }
}
