// SPDX-License-Identifier: MIT
// Owns: the answer above the table: sentence, what binds, the memory of one GPU as a bar to scale and
// the read-outs. Works without a canvas: phones, embeds and browsers without WebGL see this.
import { $, h, s } from './dom.js';
import { t } from './strings.js';

const kGib = 2 ** 30;
const kReadouts = ['kv.bytes_per_token', 'kv.bytes_per_request', 'decode.tpot_s', 'prefill.ttft_s',
    'decode.tokens_per_s'];
// The verdict mark before the sentence, by the report's answer.
const kTones = { fits: 'ok', may_fit: 'warn', does_not_fit: 'bad', refused: 'bad' };
const kMarks = {
    ok: 'M4 13l6 6L20 6',
    bad: 'M5 5l14 14M19 5L5 19',
    warn: 'M12 3l10 18H2zM12 10v5M12 17.5v1.5',
    unknown: 'M12 3a9 9 0 1 0 .01 0z',
};

export function show_answer(state, tell) {
    const mark = $('kvg-mark');
    const tone = kTones[state.answer] || 'unknown';
    if (mark.dataset.tone !== tone) {
        mark.dataset.tone = tone;
        mark.replaceChildren(s('svg', { viewBox: '0 0 24 24', width: 24, height: 24 },
            s('path', { d: kMarks[tone] })));
    }
    if (tell) {
        $('kvg-sentence').textContent = state.sentence;
        delete $('kvg-sentence').dataset.t;
    }
    $('kvg-range').textContent = state.range;
    $('kvg-second').textContent = state.second;
    show_bar($('kvg-bar'), state);
    show_readouts($('kvg-readouts'), state);
    document.title = (state.sentence ? state.sentence.replace(/\.$/, '') + ' · ' : '') + 'kvgauge';
}

export const row_of = (state, id) => state.rows.find((r) => r.id === id);
const number_of = (state, id) => {
    const row = row_of(state, id);
    return row && typeof row.raw === 'number' ? row.raw : null;
};

function show_readouts(list, state) {
    list.replaceChildren(...kReadouts.map((id) => row_of(state, id)).filter(Boolean).map((row) =>
        h('div', null,
            h('dt', null, row.label, ' ',
                h('span', { class: 'basis ' + row.basis, title: row.basis_word })),
            h('dd', { class: 'big' }, row.value),
            h('dd', { class: 'note' }, row.range || (row.exact !== row.value ? row.exact : '')))));
}

// The parts of one GPU's memory in bytes, in their order; null where the scenario gives no budget.
export function memory_parts(state) {
    const total = number_of(state, 'budget.gpu_bytes');
    const weights = number_of(state, 'weights.bytes_per_gpu');
    if (!total || weights === null) return null;
    const overhead = number_of(state, 'budget.overhead_bytes') || 0;
    const kv = number_of(state, 'budget.kv_bytes') || 0;
    const used = weights + overhead + kv;
    return {
        total, weights, overhead, kv,
        free: Math.max(0, total - used),
        missing: Math.max(0, used - total),
        scale: Math.max(total, used),
        requests: number_of(state, 'batch.max'),
        one: number_of(state, 'kv.bytes_per_request_reserved_per_gpu'),
        shown: (id) => (row_of(state, id) || {}).value || '',
        ranges: (id) => (row_of(state, id) || {}).range || '',
        low: (row_of(state, 'budget.overhead_bytes') || {}).low,
        high: (row_of(state, 'budget.overhead_bytes') || {}).high,
    };
}

const gib = (bytes) => {
    const n = bytes / kGib;
    return n.toFixed(n < 100 ? 2 : n < 1000 ? 1 : 0) + ' GiB';
};

function show_bar(host, state) {
    const m = memory_parts(state);
    host.hidden = !m;
    if (!m) return;
    const width = 1000;
    const x = (bytes) => bytes / m.scale * width;
    const bar = s('svg', { viewBox: `0 0 ${width} 36`, preserveAspectRatio: 'none', class: 'bar-svg',
        'aria-hidden': 'true' });
    let at = 0;
    const part = (bytes, name) => {
        if (bytes <= 0) return;
        bar.append(s('rect', { x: x(at), y: 0, width: x(bytes), height: 36, class: 'p-' + name }));
        at += bytes;
    };
    part(m.weights, 'weights');
    part(m.overhead, 'overhead');
    const kv_from = at;
    part(m.kv, 'kv');
    part(m.free, 'free');
    requests(bar, m, kv_from, x);
    if (m.low != null && m.high != null && m.high > m.low) {
        hatch(bar, x(m.weights + m.low), Math.min(width, x(m.weights + m.high)));
    }
    if (m.missing > 0) {
        hatch(bar, x(m.total), width, 'over');
        bar.append(s('rect', { x: x(m.total) - 1, y: 0, width: 2, height: 36, class: 'p-limit' }));
    }
    const parts = [
        ['weights', t('weights'), gib(m.weights), ''],
        ['overhead', t('overhead'), gib(m.overhead), m.ranges('budget.overhead_bytes')],
        ['kv', m.requests > 0 ? t('kv_cache', { n: m.requests.toLocaleString('en') }) :
            t('kv_cache_plain'), gib(m.kv), ''],
        m.missing > 0 ? ['over', t('missing'), gib(m.missing), ''] : ['free', t('free'), gib(m.free), ''],
    ].filter((p) => p[0] !== 'overhead' || m.overhead > 0);
    const words = parts.map((p) => `${p[1]} ${p[2]}`).join(', ');
    host.replaceChildren(
        h('ul', { class: 'legend', 'aria-label': t('bar_label', { total: gib(m.total), parts: words }) },
            ...parts.map((p) => h('li', null, h('i', { class: 'p-' + p[0] }),
                h('span', null, p[1]), ' ', h('b', null, p[2]), p[3] ? ' ' : null,
                p[3] ? h('small', null, p[3]) : null))),
        bar, ticks(m, host.clientWidth || 600));
}

// One cell a request, thin cuts, a full cut after every tenth; only the tens when cells get small.
function requests(bar, m, from, x) {
    if (!m.requests || !m.one || m.one > m.kv) return;
    const cell = x(m.one);
    const step = cell >= 4 ? 1 : cell * 10 >= 4 ? 10 : 0;
    if (!step) return;
    for (let i = step; i <= m.requests; i += step) {
        const tenth = i % 10 === 0;
        bar.append(s('rect', { x: x(from + i * m.one) - (tenth ? 0.8 : 0.4), y: 0,
            width: tenth ? 1.6 : 0.8, height: 36, class: tenth ? 'cut' : 'cut thin' }));
    }
}

function hatch(bar, from, to, kind = '') {
    for (let at = from; at < to; at += 6) {
        const end = Math.min(at + 2.4, to);
        bar.append(s('rect', { x: at, y: 0, width: end - at, height: 36, class: 'hatch ' + kind }));
    }
}

// A number every 46 px at least; the total keeps 76 px to itself.
function ticks(m, width) {
    const all = m.scale / kGib;
    const room = Math.min(9, Math.max(2, Math.floor(width / 46)));
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => all / n <= room) || 2000;
    const end = m.total / kGib;
    const list = [];
    for (let n = 0; n < all; n += step) {
        if (Math.abs(n - end) / all * width > 76) list.push([n, String(n)]);
    }
    list.push([end, gib(m.total)]);
    const scale = s('svg', { class: 'ticks', 'aria-hidden': 'true', width: '100%', height: 20 });
    for (const [n, text] of list) {
        const at = n / all * 100 + '%';
        scale.append(s('text', { x: at, y: 14,
            'text-anchor': n === 0 ? 'start' : n / all > 0.94 ? 'end' : 'middle' }, text));
    }
    return scale;
}
