// SPDX-License-Identifier: MIT
// Owns: the step from site/docs/LANG/*.md to the pages of docs/. A writer may use, beside Markdown:
//   {{value LINK ROW}}       a number as the calculator gives it, e.g. {{value v=1&ctx=8k batch.max}}
//   {{include FILE}}         a file of site/docs, or CHANGELOG.md
//   <kv-gauge link="LINK" rows="ROW ROW"></kv-gauge>   a live scenario; its table is filled in here
// so that no page can disagree with the calculator it was built with. An unknown row or link that gives
// notices stops the build.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load_core } from '../js/node_core.js';
import { start_engine } from '../js/engine.js';

const kRows = 'kv.bytes_per_token kv.bytes_per_request weights.bytes_per_gpu budget.kv_bytes batch.max';
const kLangs = ['en', 'ko'];
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function reader(engine, lang) {
    const known = new Map();
    return (link, where) => {
        const full = link + (lang === 'en' ? '' : `&lang=${lang}`);
        if (!known.has(full)) {
            engine.text('set_link', full);
            const state = engine.json('state');
            const bad = state.issues.filter((i) => i.severity !== 'warning');
            if (bad.length) throw new Error(`${where}: ${link}: ${bad[0].text}`);
            known.set(full, { ...state, link: full });
        }
        return known.get(full);
    };
}

function row_of(state, id, where) {
    const row = state.rows.find((r) => r.id === id);
    if (!row) throw new Error(`${where}: no row ${id} in ${state.link}`);
    return row;
}

// The table inside <kv-gauge>, read where the script does not run and before it is pressed.
function filled(state, ids, where) {
    const lines = ids.map((id) => {
        const row = row_of(state, id, where);
        const range = row.range ? ` <small>${escaped(row.range)}</small>` : '';
        return `<tr><th scope="row">${escaped(row.label)}</th>` +
            `<td>${escaped(row.value)}${range}</td></tr>`;
    });
    return `<kv-gauge link="${escaped(state.link)}" title="kvgauge: ${escaped(state.words)}">` +
        `<table class="small"><caption>${escaped(state.words)}<br><b>${escaped(state.sentence)}</b>` +
        `</caption><tbody>${lines.join('')}</tbody></table></kv-gauge>`;
}

const once = (text, pattern) => (text.match(pattern) || [])[1] || '';
const plain = (html) => html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim();

// options: { root, core, wasm, python, names } -> Map of names below docs/ to HTML.
export async function make_docs({ root, core, wasm, python, names }) {
    const folder = path.join(root, 'site/docs');
    const engine = await start_engine(await load_core(core), { module: await WebAssembly.compile(wasm) });
    const read = (file) => readFileSync(path.join(folder, file), 'utf8');
    const pages = read('pages.tsv').split('\n').filter((l) => l && !l.startsWith('#'))
        .map((l) => l.split('\t'));
    const texts = {};
    for (const lang of kLangs) {
        const state = reader(engine, lang);
        for (const file of readdirSync(path.join(folder, lang)).filter((f) => f.endsWith('.md'))) {
            const where = `site/docs/${lang}/${file}`;
            texts[`${lang}/${file.slice(0, -3)}`] = read(`${lang}/${file}`)
                .replace(/\{\{include ([\w.-]+)\}\}/g, (_, name) => name === 'CHANGELOG.md' ?
                    readFileSync(path.join(root, name), 'utf8').replace(/^# .*\n/, '') : read(name))
                .replace(/\{\{value (\S+) (\S+)\}\}/g, (_, link, id) =>
                    row_of(state(link, where), id, where).value)
                .replace(/<kv-gauge link="([^"]*)"(?: rows="([^"]*)")?><\/kv-gauge>/g,
                    (_, link, rows) => filled(state(link, where), (rows || kRows).split(' '), where));
        }
    }
    const html = JSON.parse(execFileSync(python, [path.join(root, 'web/tools/to_html.py')],
        { input: JSON.stringify(texts), maxBuffer: 64 << 20 }).toString());
    const template = read('page.html');
    const out = new Map();
    for (const [name, body] of Object.entries(html)) {
        const [lang, page] = name.split('/');
        const entry = pages.find((p) => p[0] === page);
        if (!entry) throw new Error(`site/docs/${name}.md: not in pages.tsv`);
        const ko = lang === 'ko';
        const up = ko ? '../../' : '../';
        const title = plain(once(body, /<h1[^>]*>(.*?)<\/h1>/s));
        const values = {
            lang, title, up, body,
            csp: names.docs_csp, 'page.css': up + names['page.css'],
            'docs.css': up + names['docs.css'],
            description: plain(once(body, /<p>(.*?)<\/p>/s)).replace(/"/g, '&quot;').slice(0, 200),
            other: ko ? `../${page}.html` : `ko/${page}.html`,
            other_lang: ko ? 'en' : 'ko', other_name: ko ? 'English' : '한국어',
            open: ko ? '계산기 열기' : 'Open kvgauge', pages: ko ? '문서' : 'Docs',
            skip: ko ? '본문으로' : 'Skip to the text', lang_link: ko ? '#v=1&amp;lang=ko' : '',
            script: body.includes('<kv-gauge') ?
                `<script defer src="${up}embed.js"></script>\n` : '',
            nav: pages.map(([id, en, korean]) => `<li><a href="${id}.html"` +
                `${id === page ? ' aria-current="page"' : ''}>${ko ? korean : en}</a></li>`).join('\n'),
        };
        out.set((ko ? 'ko/' : '') + page + '.html',
            template.replace(/\{\{([\w.]+)\}\}/g, (whole, key) => {
                if (!(key in values)) throw new Error(`site/docs/page.html: no value for ${whole}`);
                return values[key];
            }));
    }
    return out;
}
