// SPDX-License-Identifier: MIT
// Owns: the font files that the canvas draws with, the same that the style sheet names. From a data block
// (single file), the fallback script (sandboxed frames), or the files beside the page.
import { $ } from './dom.js';
import { from_base64 } from './engine.js';

const kFiles = { en: 'latin', ko: 'korean' };
const found = {};

async function one(name) {
    const block = $('kvg-font-' + name)?.textContent ??
        globalThis.kvgauge_fonts?.[name];
    if (block) return from_base64(block.trim());
    if (!KVG_FONTS[name] || $('kvg-wasm') || location.protocol === 'file:' || self.origin === 'null') {
        throw new Error('no files beside this page');
    }
    const answer = await fetch(KVG_FONTS[name]);
    if (!answer.ok) throw new Error(answer.statusText);
    return new Uint8Array(await answer.arrayBuffer());
}

// [regular, semibold] of a language; null: not to be had now.
export function faces(lang) {
    found[lang] ??= Promise.all(['regular', 'semibold'].map((f) => one(`${kFiles[lang]}-${f}`)))
        .catch(() => {
            found[lang] = null;  // offline: asked again next time
            return null;
        });
    return found[lang];
}
