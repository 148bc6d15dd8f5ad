// SPDX-License-Identifier: MIT
// Owns: the page: starts the calculator, keeps DOM, address bar and canvas in step with it, and decides
// what is shown (form or chart). DOM first: sentence and table stand before the canvas exists, and
// all of it works where there is none.
import { Address, read_link } from './address.js';
import { make_api } from './api.js';
import { show_crash } from './crash.js';
import { ChartHost } from './chart.js';
import { $, on, settled } from './dom.js';
import { page_module, Short, start_engine } from './engine.js';
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
const kAfter = 3000;  // ms: the first view has the line to itself
const embedded = root.dataset.page === 'embed' || new URLSearchParams(location.search).has('embed');

class Page {
    constructor() {
        this.state = null;
        this.engine = null;
        this.running = null;  // a promise of the engine's start
        this.waiting = [];  // what use() was given and could not do yet
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

    // whole: with both parts of the module from the start.
    async run(whole = false) {
        const engine = await start_engine(globalThis.kvgauge_create, await module,
            { canvas: $('canvas'), host, whole });
        this.engine = engine;
        engine.on_death = (error) => show_crash(t('crashed'), error);
        engine.on_short = (error) => this.again(error);
        missing(() => this.start());
    }

    // A first view that needs more than the first part has: the same again with both. Nobody has changed
    // anything so far (use() waits), so the address says all.
    again(error) {
        performance.mark('kvg-again', { detail: String(error.cause?.stack || error) });
        this.chart?.drop();
        this.running = this.run(true);
        this.running.catch(not_loaded);
    }

    // The calculator is there: first the answer, then everything that may wait.
    start() {
        const { engine } = this;
        for (const key of ['theme', 'lang']) {
            if (recall(key)) engine.text('set_field', key + '\n' + recall(key));
        }
        engine.text('set_link', read_link());
        this.state = null;
        this.refresh(true);
        performance.mark('kvg-answer');
        setTimeout(() => missing(() => this.rest()));
    }

    rest() {
        if (!embedded && !this.form) {
            this.form = new Form($('kvg-form'), this.engine.json('form'),
                (...edit) => this.edit(...edit));
            $('kvg-form').hidden = false;
        }
        this.form?.show(this.state);
        this.tools ??= new Tools($('kvg-tools'), this);
        this.show_article();
        performance.mark('kvg-form');
        this.listen_use();
        if (!embedded) this.start_chart();
        this.drain();
    }

    start_chart() {
        if (this.chart) return this.chart.again();
        this.chart = new ChartHost(this);
        // Another view than the first is drawn by the other part of the module.
        if (this.state.view) this.use(() => this.chart.start());
        else this.chart.start();
        return null;
    }

    // The first view is drawn, or will not be: now what it did without, and what is kept offline.
    settle() {
        if (this.settled) return;
        this.settled = true;
        setTimeout(async () => {
            await this.complete();
            keep_offline();
        }, kAfter);
    }

    // The first sign that somebody is there fetches the rest of the module.
    listen_use() {
        if (this.listens) return;
        this.listens = true;
        const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'dragenter',
            'paste', 'focusin'];
        const use = () => {
            for (const type of signs) removeEventListener(type, use, true);
            this.complete();
        };
        for (const type of signs) addEventListener(type, use, { capture: true, passive: true });
        on(window, 'online', () => this.waiting.length && this.complete());
    }

    // Does what may need the whole module: at once where it is there, else in its turn when it has come.
    use(act) {
        if (this.engine?.whole && !this.waiting.length) {
            act();
            return;
        }
        this.waiting.push(act);
        this.complete();
    }

    async complete() {
        try {
            await this.whole();
        } catch (error) {
            if (this.waiting.length) this.tools?.say(t('part_missing', { why: error.message }));
            return;
        }
        this.drain();
    }

    drain() {
        while (this.waiting.length && this.engine.whole && !this.engine.dead) this.waiting.shift()();
    }

    // The engine that runs, with both parts.
    async whole() {
        await this.running;
        const { engine } = this;
        if (engine.dead && !engine.whole) return this.whole();  // another one is on its way
        await engine.more();
        return engine === this.engine && !(engine.dead && !engine.whole) ? engine : this.whole();
    }

    set_link(link) {
        this.use(() => {
            this.engine.text('set_link', link);
            this.refresh();
        });
    }

    // One key from the form. begin() when its turn comes, done(why) after: why it was refused, else ''.
    edit(key, text, done, begin) {
        this.use(() => {
            begin?.();
            const why = this.engine.text('set_field', key + '\n' + text);
            this.refresh();
            done?.(why);
        });
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
        if (act && acts[act] && this.state) acts[act]();
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
        this.use(() => this.take_now(name, bytes, quant));
    }
    take_now(name, bytes, quant) {
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

// A call that misses the other part of the module is made again by the engine that has it.
function missing(call) {
    try {
        call();
    } catch (error) {
        if (!(error instanceof Short)) throw error;
    }
}

const not_loaded = (error) => show_crash(t('not_loaded', { why: error.message }), error);

// What the module asks of the page; the canvas fills it when there is one.
const host = { kick() {}, copy() {}, open_url() {}, need_korean() {}, save: save_file };
const module = typeof WebAssembly === 'object' ?
    page_module({ wasm: KVG_WASM, more: KVG_MORE, wasm_script: KVG_WASM_SCRIPT }) :
    Promise.reject(new Error(t('no_wasm')));
const page = new Page();
if (!embedded) faces('en');  // while the module is on its way
// Frames, timers and SDL's own listeners call the module too.
on(window, 'error', (e) => {
    const short = e.error instanceof Short;
    const trap = e.error instanceof WebAssembly.RuntimeError && page.engine && !page.engine.whole;
    if (short || trap) e.preventDefault();
    if (trap) page.engine.miss(e.error);
});
on(window, 'unhandledrejection', (e) => { if (e.reason instanceof Short) e.preventDefault(); });
const api = make_api({ whole: () => page.whole(), now: () => page.state && page.engine });
page.api = api;
window.kvgauge = api;
// Korean texts are in the other part.
const korean = recall('lang') === 'ko' || /(^|[#&])lang=ko/.test(location.hash);
page.running = page.run(korean);
page.running.catch(not_loaded);
