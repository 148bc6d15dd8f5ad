// SPDX-License-Identifier: MIT
// Owns: what others may call: window.kvgauge and the ES module kvgauge.js offer these functions.
// Every function is synchronous once `ready` is resolved.

// source: { whole(), now() }: a promise of the Engine with all its parts, and the one that runs now or null.
export function make_api(source) {
    const need = () => {
        const engine = source.now();
        if (!engine) throw new Error('kvgauge is still loading: await kvgauge.ready first');
        engine.more_now();
        return engine;
    };
    let ready = null;
    return {
        // Asked for the first time, it fetches what the first view did without.
        get ready() {
            ready ??= source.whole().then(() => {}, (error) => {
                ready = null;  // asked again next time
                throw error;
            });
            return ready;
        },
        // A link ("v=1&model=...", with or without "#") -> kvgauge.estimate/1.
        estimate: (link = '') => need().json('estimate', String(link)),
        // axes: { kv: ['bf16', 'fp8'], ctx: [8192, '128k'] } -> an array of kvgauge.estimate/1.
        sweep: (link, axes) => need().json('sweep', one_line(link) + '\n' + axes_text(axes)),
        // A config.json -> kvgauge.estimate/1 of that model, everything else by default.
        importConfig: (text) => need().json('import', String(text)),
        // A start-up log -> kvgauge.reconcile/1: what the engine printed beside what was predicted.
        reconcile: (text, link = '') => need().json('reconcile', one_line(link) + '\n' + text),
    };
}

const one_line = (text) => String(text || '').replace(/[\r\n]+/g, ' ');

// One axis a line: "key=value,value". Values hold no comma; a line break in one becomes a blank.
export function axes_text(axes) {
    return Object.entries(axes || {}).map(([key, values]) =>
        one_line(key) + '=' + [].concat(values).map(one_line).join(',')).join('\n');
}
