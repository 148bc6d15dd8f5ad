// SPDX-License-Identifier: MIT
// Owns: the two tables that compare MHA, GQA and MQA variants of the model, as the module counts them.
import { h } from './dom.js';
import { t } from './strings.js';

const kGib = 2 ** 30;

// Whole fractions in full (0.03125), others with three digits; the unit stands once, in the caption.
function gib(bytes) {
    const n = bytes / kGib;
    const exact = +n.toFixed(5);
    return exact === n ? String(n) : n >= 100 ? n.toFixed(1) : n.toPrecision(3);
}

const grouped = (n) => n.toLocaleString('en');

export function show_article(host, data) {
    host.hidden = data.variants.length === 0;
    if (host.hidden) return;
    const name = (n) => (n === data.q_heads ? 'MHA' : n === 1 ? 'MQA' : 'GQA-' + n);
    const heads = (v) => h('th', { scope: 'row' }, name(v.kv_heads),
        v.kv_heads === data.own_kv_heads ? ` (${t('art_own')})` : '');
    const head = (...texts) => h('thead', null, h('tr', null,
        ...texts.map((text) => h('th', { scope: 'col' }, text))));
    const first = h('table', { class: 'small', id: 'kvg-article-bytes' },
        h('caption', null, t('art_request')),
        head(t('art_heads'), ...data.contexts.map((c) => t('art_tokens', { n: grouped(c) }))),
        h('tbody', null, ...data.variants.map((v) => h('tr', null, heads(v),
            ...v.bytes.map((b) => h('td', null, gib(b)))))));
    const second = h('table', { class: 'small', id: 'kvg-article-requests' },
        h('caption', null, t('art_batch', { ctx: grouped(data.batch_ctx),
            budget: gib(data.batch_budget) + ' GiB' })),
        head(t('art_heads'), t('art_requests')),
        h('tbody', null, ...data.variants.map((v) => h('tr', null, heads(v),
            h('td', null, grouped(v.requests))))));
    const wide = (table) => h('div', { class: 'wide', role: 'region', tabindex: 0,
        'aria-label': table.caption.textContent }, table);
    host.replaceChildren(wide(first), wide(second), h('p', { class: 'note' }, t('art_note')));
}
