// SPDX-License-Identifier: MIT
// Owns: the WASM module: where its bytes come from, and calls that take text and give text.
// Bytes, in this order: a data block in the page (single file), a fetch (one, whatever MIME type the
// host sends), a script that carries them as base64 (file:// and sandboxed frames, whose opaque
// origin may not fetch).

const utf8 = new TextEncoder();

function from_base64(text) {
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

// A WebAssembly.Module of the page's own calculator.
export async function page_module(urls) {
    const block = document.getElementById('kvg-wasm');
    if (block) return WebAssembly.compile(from_base64(block.textContent.trim()));
    const may_fetch = location.protocol !== 'file:' && self.origin !== 'null';
    if (may_fetch) return fetch_module(urls.wasm);
    await load_script(urls.wasm_script);
    return WebAssembly.compile(from_base64(globalThis.kvgauge_wasm));
}

// Starts the module; `create` is the factory that Emscripten made.
export async function start_engine(create, module, options = {}) {
    const raw = await new Promise((done, failed) => {
        create({
            canvas: options.canvas || null,
            host: options.host || null,
            print: (text) => console.log(text),
            printErr: (text) => console.warn(text),
            onAbort: (why) => failed(new Error(String(why))),
            instantiateWasm(imports, ready) {
                WebAssembly.instantiate(module, imports).then(
                    (instance) => ready(instance, module), failed);
                return {};
            },
        }).then((m) => done({ m }), failed);  // wrapped: the factory's object may look like a promise
    });
    return new Engine(raw.m);
}

// Every call writes one text into the module and reads one back. A trap leaves the module unusable:
// `dead` then holds the reason, and every later call throws it.
export class Engine {
    constructor(raw) {
        this.raw = raw;
        this.dead = null;
        this.on_death = null;
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
