// SPDX-License-Identifier: MIT
// Owns: <kv-gauge link="v=1&model=...">, which puts one scenario into any document:
//   <script src="https://.../kvgauge/embed.js" defer></script>
//   <kv-gauge link="v=1&model=llama-3-8b&ctx=8k"> <table>...the numbers...</table> </kv-gauge>
// What stands inside (a table, an image, a sentence) is the content: it is read, printed and found by
// search without this script. A button under it puts the live calculator in its place, so a page may
// hold any number of them. Attributes: link; title; height (CSS px of the frame before it tells its
// own, 420); live (no button: the frame loads when it comes into view).
(() => {
    'use strict';
    const kMin = 160;
    const kMax = 6000;
    const base = new URL('.', document.currentScript ? document.currentScript.src : location.href);
    const frames = new Map();

    // Each frame tells its height; its window is its name, its origin may be opaque.
    window.addEventListener('message', (event) => {
        const data = event.data;
        const frame = frames.get(event.source);
        if (!frame || !data || data.v !== 1) return;
        if (data.type === 'kvgauge:ready') {
            event.source.postMessage({ type: 'kvgauge:hello', v: 1 }, '*');
        } else if (data.type === 'kvgauge:size' && Number.isFinite(data.height)) {
            frame.style.height = Math.min(kMax, Math.max(kMin, Math.ceil(data.height))) + 'px';
        }
    });

    class KvGauge extends HTMLElement {
        static observedAttributes = ['link'];

        connectedCallback() {
            if (this.frame || this.button) return;
            if (this.hasAttribute('live')) {
                this.go_live();
                return;
            }
            const words = (document.documentElement.lang || 'en').startsWith('ko') ?
                '직접 계산해 보기' : 'Open the live calculator';
            this.button = document.createElement('button');
            this.button.type = 'button';
            this.button.textContent = this.getAttribute('label') || words;
            this.button.addEventListener('click', () => this.go_live().focus());
            this.append(this.button);
        }

        disconnectedCallback() {
            if (this.known) frames.delete(this.known);
        }

        attributeChangedCallback() {
            if (this.frame) this.frame.src = this.address();
        }

        address() {
            const link = (this.getAttribute('link') || '').replace(/^#/, '').slice(0, 4096);
            return new URL('embed.html#' + link, base).href;
        }

        go_live() {
            const frame = document.createElement('iframe');
            frame.title = this.getAttribute('title') || 'kvgauge';
            frame.loading = 'lazy';
            frame.referrerPolicy = 'no-referrer';
            frame.allow = 'clipboard-write';
            frame.setAttribute('sandbox', 'allow-scripts allow-popups');
            frame.style.cssText = 'width:100%;border:0;display:block';
            frame.style.height = (Number(this.getAttribute('height')) || 420) + 'px';
            frame.src = this.address();
            frame.addEventListener('load', () => {
                this.known = frame.contentWindow;
                frames.set(this.known, frame);
            });
            this.replaceChildren(frame);
            this.known = frame.contentWindow;
            if (this.known) frames.set(this.known, frame);
            this.frame = frame;
            this.button = null;
            return frame;
        }
    }

    if (!customElements.get('kv-gauge')) customElements.define('kv-gauge', KvGauge);
})();
