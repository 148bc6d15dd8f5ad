// SPDX-License-Identifier: MIT
// Owns: the page without a network: the service worker beside it keeps the files of the first view.
// Not in embeds (they belong to the page around them), not in the single file (nothing to keep).

export function keep_offline() {
    if (!('serviceWorker' in navigator) || !/^https?:$/.test(location.protocol) ||
        document.getElementById('kvg-wasm')) return;
    // A host without sw.js, or a browser that keeps nothing: the page works all the same.
    navigator.serviceWorker.register('sw.js').catch(() => {});
}
