// SPDX-License-Identifier: MIT
// Owns: the two tables that compare MHA, GQA and MQA variants of the model: KV bytes of one request
// by context, and how many requests a given KV budget holds. Each number is one estimate of the
// module (engine=none, the model with another number of KV heads), none is computed here.
import { h } from './dom.js';
import { t } from './strings.js';

const kContexts = [2048, 8192, 32768, 131072];
const kBatchContext = 8192;
const kBatchBudget = '60GiB';

const row = (answer, id) => answer.rows.find((r) => r.id === id);

// KV-head counts worth comparing: every query head its own (MHA), the model's own, one (MQA).
// Empty: the model caches no plain heads (a latent, a state), so there is nothing to vary.
export function variants(api, model_link) {
    const own = api.estimate(`v=1&${model_link}&engine=none`);
    const heads = row(own, 'tp.kv_heads_per_gpu')?.value;
    const group = row(own, 'attn.group_size')?.value;
    if (!heads || !group || row(own, 'kv.latent')) return [];
    const mha = Math.round(heads * group);
    return [...new Set([mha, heads, 1])].filter((n) => Number.isInteger(n));
}

const kind = (n, all) => n === all[0] ? 'MHA' : n === 1 ? 'MQA' : 'GQA-' + n;

export function show_article(host, api, model_link) {
    const heads = variants(api, model_link);
    host.hidden = heads.length === 0;
    if (!heads.length) return;
    const at = (kv_heads, more) => api.estimate(
        `v=1&${model_link}&engine=none&kv-heads=${kv_heads}&${more}`);
    const size = (bytes) => {
        const n = bytes / 2 ** 30;
        return (Number.isInteger(n * 1000) || n >= 0.01 ? +n.toFixed(5) : +n.toPrecision(3)) + ' GiB';
    };
    const first = h('table', { class: 'small' }, h('caption', null, t('art_request')),
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('art_heads')),
            ...kContexts.map((c) => h('th', { scope: 'col' },
                t('art_tokens', { n: c.toLocaleString('en') }))))),
        h('tbody', null, ...heads.map((n) => h('tr', null,
            h('th', { scope: 'row' }, `${kind(n, heads)}: ${n}`),
            ...kContexts.map((c) => h('td', null,
                size(row(at(n, 'ctx=' + c), 'kv.bytes_per_request')?.value)))))));
    const second = h('table', { class: 'small' },
        h('caption', null, t('art_batch', { ctx: kBatchContext.toLocaleString('en'),
            budget: kBatchBudget.replace('GiB', ' GiB') })),
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('art_heads')),
            h('th', { scope: 'col' }, t('art_requests')))),
        h('tbody', null, ...heads.map((n) => h('tr', null,
            h('th', { scope: 'row' }, `${kind(n, heads)}: ${n}`),
            h('td', null, (row(at(n, `ctx=${kBatchContext}&kv-budget=${kBatchBudget}`),
                'batch.max')?.value ?? 0).toLocaleString('en'))))));
    host.replaceChildren(first, second, h('p', { class: 'note' }, t('art_note')));
}
