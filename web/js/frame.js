// SPDX-License-Identifier: MIT
// Owns: what an embedded page tells the page around it: that it is there (until answered, 2 s), and its
// height whenever that changes. Nothing in it is secret, so it is posted to any origin.
import { on } from './dom.js';

export function tell_parent() {
    if (window.parent === window) return;
    const post = (message) => window.parent.postMessage({ v: 1, ...message }, '*');
    let answered = false;
    let tries = 0;
    const ready = () => {
        if (answered || ++tries > 8) return;
        post({ type: 'kvgauge:ready' });
        setTimeout(ready, 250);
    };
    let last = 0;
    const size = () => {
        const height = Math.ceil(document.body.getBoundingClientRect().height);
        if (height === last) return;
        last = height;
        post({ type: 'kvgauge:size', height });
    };
    on(window, 'message', (e) => {
        if (e.source !== window.parent || e.data?.type !== 'kvgauge:hello') return;
        answered = true;
        post({ type: 'kvgauge:size', height: last });
    });
    new ResizeObserver(size).observe(document.body);
    ready();
}
