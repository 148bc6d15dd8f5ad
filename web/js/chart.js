// SPDX-License-Identifier: MIT
// Owns: whether the page shows the canvas or the form, and what the canvas needs from the page. The canvas
// comes after the table, unseen until its first frame; it steps in only if nobody has begun to use
// the form. Form where there is no WebGL 2, below 700 px, and where it was chosen.
import { Canvas } from './canvas/canvas.js';
import { $, on } from './dom.js';
import { faces } from './fonts.js';
import { recall, remember } from './prefs.js';
import { t } from './strings.js';

const kNarrow = 700;  // CSS px
const root = document.documentElement;

export class ChartHost {
    constructor(page) {
        this.page = page;
        this.box = $('kvg-host');
        this.canvas = null;
        this.chosen = recall('mode');  // 'form', 'chart' or ''
        const scheme = matchMedia('(prefers-color-scheme: dark)');
        this.scheme = scheme;
        on(scheme, 'change', () => page.use(() => this.system_dark()));
        this.system_dark();
    }

    system_dark() {
        this.page.engine.number('system_dark', this.scheme.matches ? 1 : 0);
        this.canvas?.kick();
    }

    start() {
        const wants = this.chosen || (window.innerWidth < kNarrow ? 'form' : 'chart');
        if (wants === 'chart') this.mount();
        else this.page.settle();
    }

    // The module stopped: the canvas waits for another one.
    drop() {
        this.latin = false;
        this.canvas?.drop();
    }

    async again() {
        this.system_dark();
        if (!this.canvas) return this.start();
        await this.load_faces('en');
        return this.canvas.renew(this.page.engine);
    }

    show_form() {
        remember('mode', this.chosen = 'form');
        root.dataset.mode = 'form';
        scrollTo(0, 0);
        $('kvg-form').querySelector('input')?.focus({ preventScroll: true });
    }

    show_chart() {
        remember('mode', this.chosen = 'chart');
        if (this.canvas?.without_gl) {
            this.page.tools?.say(t('no_webgl'));
        } else if (this.canvas) {
            root.dataset.mode = 'chart';
            scrollTo(0, 0);
        } else {
            this.mount();
        }
    }

    async mount() {
        root.dataset.mode = 'opening';
        if (!this.latin) {
            this.latin = true;
            await this.load_faces('en');
        }
        if (this.canvas || root.dataset.mode !== 'opening') return;
        this.box.hidden = false;
        const { page } = this;
        const canvas = this.canvas = new Canvas({
            host: this.box,
            element: $('canvas'),
            field: $('kvg-field'),
            engine: page.engine,
            use: (act) => page.use(act),
            waits: () => page.waiting.length > 0,
            say: (key) => this.say(key),
            take: (text) => this.paste(text),
            after_frame: () => this.after_frame(),
            first_frame: () => this.first_frame(),
        });
        page.host.kick = canvas.kick;
        page.host.copy = canvas.copy;
        page.host.open_url = (url) => window.open(url, '_blank', 'noopener');
        page.host.need_korean = () => this.load_faces('ko');
        if (page.state.lang === 'ko') this.load_faces('ko');
        page.api.canvas = {
            get open() { return canvas.open; },
            get busy() { return canvas.busy; },
            get drawn() { return canvas.drawn; },
            state: () => page.engine.json('canvas_state'),
            field: () => page.engine.json('text_field'),
        };
        this.listen_drops();
    }

    first_frame() {
        performance.mark('kvg-first-frame');
        this.page.settle();
        if (root.dataset.mode !== 'opening') return;
        const busy = $('kvg-form').contains(document.activeElement) || scrollY > 0;
        root.dataset.mode = busy && this.chosen !== 'chart' ? 'form' : 'chart';
    }

    after_frame() {
        if (this.page.engine.number('revision') !== this.page.state.revision) this.page.refresh();
        const height = this.page.engine.number('content_height');
        if (height !== this.height) {
            this.height = height;
            this.box.style.height = height > 0 ? Math.ceil(height) + 'px' : '';
        }
    }

    say(key) {
        const box = $('kvg-msg');
        box.textContent = key ? t(key) : '';
        box.hidden = !key;
        if (key !== 'no_webgl') return;
        this.page.settle();
        this.box.hidden = true;
        root.dataset.mode = 'form';
        this.page.tools?.say(t(key));
    }

    // A paste over the canvas: into its text field, or a file for the application.
    paste(text) {
        this.page.use(() => {
            this.page.engine.text('paste', text);
            this.canvas.kick();
        });
    }

    listen_drops() {
        const over = (is_over) => this.page.use(() => {
            this.page.engine.number('drop_target', is_over ? 1 : 0);
            this.canvas.kick();
        });
        on(this.box, 'dragover', (e) => {
            e.preventDefault();
            over(true);
        });
        on(this.box, 'dragleave', () => over(false));
        on(this.box, 'drop', async (e) => {
            e.preventDefault();
            over(false);
            const file = e.dataTransfer.files[0];
            const text = e.dataTransfer.getData('text/plain');
            if (file) this.page.take_file(file);
            else if (text) this.page.take('', new TextEncoder().encode(text));
        });
    }

    // Without them: ImGui's own font in the canvas, squares for Korean; the words are in the page.
    async load_faces(lang) {
        const found = await faces(lang);
        if (!found) return;
        const [regular, semibold] = found;
        const both = new Uint8Array(regular.length + semibold.length);
        both.set(regular);
        both.set(semibold, regular.length);
        this.page.engine.bytes('fonts', `${lang}\t${regular.length}`, both);
        this.canvas?.kick();
    }
}
