// SPDX-License-Identifier: MIT
// Owns: the text field that lies over its frame in the canvas: the search box, and while the palette or a
// list is open, their line. A real input, so that input methods, phone keyboards and screen readers
// work, with its own place in the order of Tab; the keys that move through a list go on to the canvas.
import { on } from '../dom.js';

const kSides = ['left', 'top', 'width', 'height'];

export class CanvasField {
    constructor(canvas) {
        this.canvas = canvas;
        this.input = canvas.field;
        this.at = '';
        this.id = '';
        this.open = false;
        const { input } = this;
        const send = (composing) => {
            const text = `${this.id}\t${composing ? 1 : 0}\n${input.value}`;
            canvas.use(() => {
                canvas.engine.text('text_input', text);
                canvas.kick();
            });
        };
        on(input, 'input', (e) => send(e.isComposing));
        on(input, 'compositionend', () => send(false));
        on(input, 'click', () => this.ask());
        for (const type of ['keydown', 'keyup']) on(input, type, (e) => this.key(e));
        on(input, 'blur', (e) => {
            if (e.relatedTarget !== canvas.element && this.open) canvas.call('focus', 0, 0);
        });
    }

    key(e) {
        if (e.isComposing || e.keyCode === 229) return;
        if (!/^(Enter|Escape|ArrowUp|ArrowDown|Control|Meta)$/.test(e.key)) return;
        const opens = !this.open && e.type === 'keydown' && /^(Enter|ArrowDown)$/.test(e.key);
        if (opens) this.ask();
        else if (this.open || (e.type === 'keyup' && this.canvas.engine.whole)) this.canvas.hand(e);
        if (opens || (this.open && !/^(Control|Meta)$/.test(e.key))) e.preventDefault();
    }

    // A click, Enter or Down in the closed box.
    ask() {
        if (this.open) return;
        this.canvas.use(() => {
            this.canvas.call('search');
            this.canvas.kick();
        });
    }

    // Once a frame; the DOM is touched only when something moved.
    place(there) {
        const held = there ? this.canvas.engine.json('text_field') : null;
        const at = held ? held.id + held.rect : '';
        const { input } = this;
        if (at !== this.at) this.move(held, at);
        if (!held) return;
        if (held.open !== this.open) this.turn(held.open);
        if (document.activeElement !== input && input.value !== held.text) input.value = held.text;
    }

    move(held, at) {
        const { input } = this;
        this.at = at;
        if (!held) {
            const had_focus = document.activeElement === input;
            input.hidden = true;
            this.open = false;
            if (had_focus && this.canvas.open) this.canvas.element.focus({ preventScroll: true });
            return;
        }
        if (held.id !== this.id) input.value = held.text;
        this.id = held.id;
        held.rect.forEach((v, i) => { input.style[kSides[i]] = v + 'px'; });
        input.placeholder = held.placeholder;
        input.setAttribute('aria-label', held.placeholder || held.id);
        input.hidden = false;
    }

    // A list opened by a key of the canvas is typed into at once; closed, the canvas goes on.
    turn(open) {
        const { canvas, input } = this;
        this.open = open;
        if (open && canvas.has_focus()) input.focus({ preventScroll: true });
        if (open) return;
        if (document.activeElement === input) canvas.element.focus({ preventScroll: true });
        input.value = '';
    }
}
