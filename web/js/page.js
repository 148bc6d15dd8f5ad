// SPDX-License-Identifier: MIT
// Owns: the page: starts the calculator, keeps DOM, address bar and canvas in step with it, and decides
// what is shown (form or chart). DOM first: sentence and table stand before the canvas exists, and
// all of it works where there is none.
import { Address, read_link } from './address.js';
import { make_api } from './api.js';
import { show_crash } from './crash.js';
import { ChartHost } from './chart.js';
import { $, on, settled } from './dom.js';
import { page_module, start_engine } from './engine.js';
import { faces } from './fonts.js';
import { tell_parent } from './frame.js';
import { keep_offline } from './offline.js';
import { recall, remember } from './prefs.js';
import { language, set_language, t, translate } from './strings.js';
import { show_answer } from './view_answer.js';
import { show_article } from './view_article.js';
import { Form } from './view_form.js';
import { log_table } from './view_log.js';
import { show_issues, ResultTable } from './view_table.js';
import { copy_text, embed_code, Tools } from './view_tools.js';

const root = document.documentElement;
const embedded = root.dataset.page === 'embed' || new URLSearchParams(location.search).has('embed');

class Page {
    constructor() {
        this.state = null;
        this.host = host;
        this.embedded = embedded;
        this.table = new ResultTable($('kvg-table'));
        this.address = new Address({ writes: !embedded, on_link: (l) => this.set_link(l) });
        this.tell = settled(500, () => this.state && show_answer(this.state, true));
        this.article = settled(200, () => this.show_article());
        root.dataset.theme = recall('theme') || 'auto';
        const lang = recall('lang');
        if (lang) set_language(lang);
        if (language() !== 'en') translate(document);
        if (embedded) {
            root.dataset.page = 'embed';
            tell_parent();
        }
        on(document, 'click', (e) => this.click(e));
    }

    // The calculator is there: first the answer, then everything that may wait.
    start(engine, api) {
        this.engine = engine;
        this.api = api;
        engine.on_death = (error) => show_crash(t('crashed'), error);
        for (const key of ['theme', 'lang']) {
            if (recall(key)) engine.text('set_field', key + '\n' + recall(key));
        }
        engine.text('set_link', read_link());
        this.refresh(true);
        performance.mark('kvg-answer');
        setTimeout(() => this.rest());
    }

    rest() {
        if (!embedded) {
            this.form = new Form($('kvg-form'), this.engine.json('form'),
                (key, text) => this.edit(key, text));
            $('kvg-form').hidden = false;
            this.form.show(this.state);
        }
        this.tools = new Tools($('kvg-tools'), this);
        this.show_article();
        performance.mark('kvg-form');
        this.listen_use();
        if (embedded) return;
        this.chart = new ChartHost(this);
        // Another view than the first is drawn by the other part of the module.
        (this.state.view ? this.engine.more() : Promise.resolve()).then(() => this.chart.start());
        keep_offline();
    }

    // The first sign that somebody is there fetches the rest of the module.
    listen_use() {
        const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'dragenter',
            'paste', 'focusin'];
        const use = () => {
            for (const type of signs) removeEventListener(type, use, true);
            this.engine.more();
        };
        for (const type of signs) addEventListener(type, use, { capture: true, passive: true });
    }

    set_link(link) {
        this.engine.text('set_link', link);
        this.refresh();
    }

    // One key from the form. Returns why it was refused, else ''.
    edit(key, text) {
        const why = this.engine.text('set_field', key + '\n' + text);
        this.refresh();
        return why;
    }

    refresh(first = false) {
        const state = this.engine.json('state');
        if (this.state && state.revision === this.state.revision) return;
        this.state = state;
        this.presentation(state);
        show_answer(state, first);
        if (!first) this.tell();
        this.table.show(state);
        show_issues($('kvg-issues'), state.issues);
        $('kvg-words').textContent = state.words;
        $('kvg-rev').textContent = t('rev', { version: state.version, catalog: state.catalog });
        this.address.show(state.link, state.is_default);
        const full = $('kvg-open');
        if (full) full.href = 'index.html#' + state.link;
        if (this.form) this.form.show(state);
        this.chart?.canvas?.kick();
        this.article();
        root.dataset.state = 'live';
    }

    presentation(state) {
        const theme = state.theme || recall('theme') || 'auto';
        if (root.dataset.theme !== theme) root.dataset.theme = theme;
        const lang = state.lang || recall('lang') || 'en';
        if (lang !== language()) {
            set_language(lang);
            translate(document);
            if (this.form) this.form.build();
            if (this.tools) this.tools.build();
        }
    }

    show_article() {
        if (!this.state || embedded) return;
        show_article($('kvg-article'), this.engine.json('article'));
    }

    click(event) {
        const act = event.target.closest?.('[data-act]')?.dataset.act;
        const acts = {
            'skip-results': () => $('kvg-results').focus(),
            form: () => this.chart?.show_form(),
            chart: () => this.chart?.show_chart(),
            'copy-link': () => copy_text(this.address_of(this.state.link),
                (text, more) => this.tools?.say(text, more)),
            theme: () => this.set_theme(dark() ? 'light' : 'dark'),
            lang: () => this.set_lang(language() === 'ko' ? 'en' : 'ko'),
        };
        if (act && acts[act] && this.engine) acts[act]();
    }

    set_theme(theme) {
        remember('theme', theme);
        this.edit('theme', theme);
    }

    set_lang(lang) {
        remember('lang', lang);
        this.edit('lang', lang);
    }

    // What the tools ask of the page.
    export_text(format) {
        return this.engine.text('export', format + '\n' + this.address_of('').slice(0, -1));
    }
    pinned() { return this.engine.text('pinned'); }
    address_of(link) { return location.href.replace(/[?#].*$/, '') + '#' + link; }
    embed_code() {
        const base = location.href.replace(/[?#].*$/, '').replace(/[^/]*$/, '');
        return embed_code(base, this.pinned(), `kvgauge: ${this.state.words}`);
    }
    take(name, bytes, quant = new Uint8Array(0)) {
        const all = new Uint8Array(bytes.length + quant.length);
        all.set(bytes);
        all.set(quant, bytes.length);
        const why = this.engine.bytes('take', `${name.replace(/\t/g, ' ')}\t${quant.length}`, all);
        this.refresh();
        this.chart?.canvas?.kick();
        const log = why ? null : this.log_of(bytes);
        if (log) this.tools?.say(t('log_read'), log_table(log));
        else this.tools?.say(why || t('taken', { words: this.state.words }));
    }
    // A start-up log that was taken, reconciled; else null.
    log_of(bytes) {
        if (!/(^|&)view=log(&|$)/.test(this.state.link)) return null;
        const text = new TextDecoder().decode(bytes);
        if (/^\s*({|GGUF|v=|\S*#v=)/.test(text)) return null;
        const log = this.api.reconcile(text, `v=1&lang=${language()}`);
        return log.runs.length ? log : null;
    }
    // Headers stand at the start of a file: 64 MiB hold the longest.
    async take_file(file) {
        this.take(file.name, new Uint8Array(await file.slice(0, 64 << 20).arrayBuffer()));
    }
}

const dark = () => root.dataset.theme === 'dark' ||
    (root.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);

function save_file(name, text) {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

// What the module asks of the page; the canvas fills it when there is one.
const host = { kick() {}, copy() {}, open_url() {}, need_korean() {}, save: save_file };
const page = new Page();
if (!embedded) faces('en');  // while the module is on its way
const engine = typeof WebAssembly === 'object' ?
    page_module({ wasm: KVG_WASM, more: KVG_MORE, wasm_script: KVG_WASM_SCRIPT }).then((module) =>
        start_engine(globalThis.kvgauge_create, module, { canvas: $('canvas'), host })) :
    Promise.reject(new Error(t('no_wasm')));
const api = make_api(engine);
window.kvgauge = api;
engine.then((e) => page.start(e, api)).catch((error) =>
    show_crash(t('not_loaded', { why: error.message }), error));
