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
// all.
async function network_first(request) {
    const kept = caches.match(request, { ignoreSearch: true });
    const fetched = fetch(request);
    const late = new Promise((_, failed) => setTimeout(() => failed(new Error('late')), kWait));
    try {
        return await Promise.race([fetched, late]);
    } catch {
        return (await kept) || fetched;
    }
}

self.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== self.location.origin) return;
    if (request.mode === 'navigate') {
        event.respondWith(network_first(url.pathname.endsWith('/') ? new Request('index.html') : request));
    } else {
        event.respondWith(caches.match(request).then((kept) => kept || fetch(request)));
    }
});
