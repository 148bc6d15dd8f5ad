// SPDX-License-Identifier: MIT
// Owns: Emscripten's part in node. It is built for pages and names `document` and `window` while it
// starts, though a calculator without canvas never uses them: here they are empty objects of its own.
export async function load_core(text) {
    const { runInThisContext } = await import('node:vm');
    runInThisContext(`(function (document, window) {${text}\n})`)({}, {});
    return globalThis.kvgauge_create;
}
