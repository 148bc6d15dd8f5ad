// SPDX-License-Identifier: MIT
// Owns: a reconciled start-up log as a table of the page: what was printed, what is predicted, and the
// known cause of a difference. The canvas draws the same numbers as a waterfall.
import { h } from './dom.js';
import { t } from './strings.js';

const kGiB = 2 ** 30;
const figure = (row, value) => {
    if (value === undefined) return '–';
    if (row.unit === 'B') return (value / kGiB).toFixed(2) + ' GiB';
    return Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2);
};

function predicted(row) {
    if (row.predicted === undefined) return '–';
    if (row.low === undefined || row.low === row.high) return figure(row, row.predicted);
    return `${figure(row, row.predicted)} (${figure(row, row.low)} – ${figure(row, row.high)})`;
}

// `log`: kvgauge.reconcile/1 with at least one run.
export function log_table(log) {
    const run = log.runs[0];
    const rows = run.rows.filter((r) => r.observed !== undefined);
    return h('table', { class: 'rows', id: 'kvg-log' },
        h('caption', null, `${t('log_caption')} ${run.model || ''}`.trim()),
        h('thead', null, h('tr', null, ...['log_part', 'log_printed', 'log_predicted', 'log_cause']
            .map((key) => h('th', { scope: 'col' }, t(key))))),
        h('tbody', null, ...rows.map((row) => h('tr', null,
            h('th', { scope: 'row' }, row.label), h('td', null, figure(row, row.observed)),
            h('td', null, predicted(row)), h('td', null, row.text || '')))));
}
