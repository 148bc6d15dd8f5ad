// SPDX-License-Identifier: MIT
// Owns: the result as a real table: one row for every row of the report, in its order. Cells are
// reused, so that a selection or a screen reader's place survives a change.
import { h } from './dom.js';
import { t } from './strings.js';

const kColumns = ['what', 'value', 'exact', 'basis', 'range', 'how'];

export class ResultTable {
    constructor(table) {
        this.table = table;
        this.rows = new Map();
        this.caption = h('caption', { id: 'kvg-caption' });
        this.head = h('tr');
        this.body = h('tbody');
        table.append(this.caption, h('thead', null, this.head), this.body);
    }

    show(state) {
        this.caption.textContent = t('caption', { words: state.words });
        this.head.replaceChildren(...kColumns.map((c) =>
            h('th', { scope: 'col', class: 'c-' + c }, t('col_' + c))));
        const seen = new Set();
        state.rows.forEach((row, i) => {
            seen.add(row.id);
            const line = this.rows.get(row.id) || this.line(row.id);
            write(line, row);
            if (this.body.children[i] !== line.tr) {
                this.body.insertBefore(line.tr, this.body.children[i] || null);
            }
        });
        for (const [id, line] of this.rows) {
            if (seen.has(id)) continue;
            line.tr.remove();
            this.rows.delete(id);
        }
    }

    line(id) {
        const line = { what: h('th', { scope: 'row', class: 'c-what' }) };
        for (const c of kColumns.slice(1)) line[c] = h('td', { class: 'c-' + c });
        line.tr = h('tr', { 'data-row': id }, ...kColumns.map((c) => line[c]));
        this.rows.set(id, line);
        return line;
    }
}

function write(line, row) {
    const texts = {
        what: row.label,
        value: row.value,
        exact: row.exact,
        basis: row.basis_word,
        range: row.range,
        how: row.derivation,
    };
    for (const c of kColumns) {
        const text = texts[c] || '';
        if (line[c].textContent !== text) line[c].textContent = text;
    }
    line.tr.title = row.id;
    line.tr.className = row.kind === 'number' ? '' : 'words-row';
}

// What was noticed about the input: errors, warnings, notices, each with its key.
export function show_issues(list, issues) {
    list.hidden = issues.length === 0;
    list.replaceChildren(...issues.map((issue) =>
        h('li', { class: 'issue ' + issue.severity },
            issue.key ? h('code', null, issue.key) : null,
            issue.key ? ' ' : null, issue.text)));
}
