// SPDX-License-Identifier: MIT
// Owns: the page without a network. The files of the first view are kept under one name per build;
// pages come from the network first (3 s), the hashed rest from the cache.
const kCache = 'kvgauge-{{cache}}';
const kFiles = {{files}};
const kWait = 3000;

self.addEventListener('install', (event) => {
    event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(kFiles))
        .then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
    event.waitUntil(caches.keys().then((names) => Promise.all(names
        .filter((name) => name.startsWith('kvgauge-') && name !== kCache)
        .map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

// The answer of the network if it comes within the time, else the kept copy, else the network's after
// all. A server's error page is no answer either where a copy is kept.
async function network_first(request) {
    const kept = await caches.match(request, { ignoreSearch: true });
    const fetched = fetch(request);
    if (!kept) return fetched;
    fetched.catch(() => {});
    const late = new Promise((_, failed) => setTimeout(() => failed(new Error('late')), kWait));
    try {
        const answer = await Promise.race([fetched, late]);
        return answer.status < 500 ? answer : kept;
    } catch {
        return kept;
    }
}

// A document read once is kept too, so that it can be read again.
async function document_page(request) {
    try {
        const answer = await fetch(request);
        if (answer.ok) (await caches.open(kCache)).put(request, answer.clone());
        return answer;
    } catch (error) {
        const kept = await caches.match(request, { ignoreSearch: true });
        if (kept) return kept;
        throw error;
    }
}

self.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== self.location.origin ||
        !url.href.startsWith(self.registration.scope)) return;
    const name = url.href.slice(self.registration.scope.length).replace(/[?#].*$/, '');
    if (name.startsWith('docs/')) {
        event.respondWith(document_page(request));
    } else if (request.mode === 'navigate') {
        // "folder/" is its index, which is kept under that name.
        event.respondWith(network_first(name === '' ? new Request('index.html') : request));
    } else {
        event.respondWith(caches.match(request).then((kept) => kept || fetch(request)));
    }
});
