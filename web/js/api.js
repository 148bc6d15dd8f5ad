// SPDX-License-Identifier: MIT
// Owns: what others may call: window.kvgauge and the ES module kvgauge.js offer these functions.
// Every function is synchronous once `ready` is resolved.

// `ready`: a promise of the Engine.
export function make_api(ready) {
    let engine = null;
    const loaded = ready.then((e) => { engine = e; });
    loaded.catch(() => {});  // who awaits it hears of it; nobody need
    const need = () => {
        if (!engine) throw new Error('kvgauge is still loading: await kvgauge.ready first');
        return engine;
    };
    return {
        ready: loaded,
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
