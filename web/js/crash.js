// SPDX-License-Identifier: MIT
// Owns: what a person reads when the calculator did not load or stopped. Never a blank page: the
// last answer stays, dimmed, the address keeps the scenario, and the reason can be copied.
import { $, h, on } from './dom.js';
import { t } from './strings.js';

export function show_crash(headline, error) {
    const panel = $('kvg-crash');
    if (!panel.hidden) return;  // the first reason is the one that counts
    const reload = h('button', { type: 'button' }, t('crash_reload'));
    on(reload, 'click', () => location.reload());
    panel.replaceChildren(h('p', null, headline), reload,
        h('details', null, h('summary', null, t('crash_what')),
            h('pre', null, details(error))));
    panel.hidden = false;
    document.documentElement.dataset.state = 'dead';
    const sentence = $('kvg-sentence');
    if (sentence.dataset.t === 'loading') {
        delete sentence.dataset.t;
        sentence.textContent = headline;
    }
}

function details(error) {
    return [error && (error.stack || String(error)), location.hash.slice(0, 500),
        navigator.userAgent].filter(Boolean).join('\n');
}
