// SPDX-License-Identifier: MIT
// Owns: the text field that lies over its frame in the canvas (search). A real input, so that input
// methods, phone keyboards and screen readers work. It is there as long as the view has the field;
// the keys that move through its list go on to the canvas.
import { on } from '../dom.js';

const kSides = ['left', 'top', 'width', 'height'];

export class CanvasField {
    constructor(canvas) {
        this.canvas = canvas;
        this.input = canvas.field;
        this.at = '';
        this.id = '';
        const { input } = this;
        const send = (composing) => {
            canvas.engine.text('text_input', `${this.id}\t${composing ? 1 : 0}\n${input.value}`);
            canvas.kick();
        };
        on(input, 'input', (e) => send(e.isComposing));
        on(input, 'compositionend', () => send(false));
        for (const type of ['keydown', 'keyup']) {
            on(input, type, (e) => {
                if (e.isComposing || e.keyCode === 229) return;
                if (!/^(Enter|Escape|ArrowUp|ArrowDown|Control|Meta)$/.test(e.key)) return;
                canvas.hand(e);
                if (!/^(Control|Meta)$/.test(e.key)) e.preventDefault();
            });
        }
        on(input, 'blur', (e) => {
            if (e.relatedTarget !== canvas.element && this.at) canvas.call('focus', 0, 0);
        });
    }

    // Once a frame; the DOM is touched only when something moved.
    place(open) {
        const held = open ? this.canvas.engine.json('text_field') : null;
        const at = held ? held.id + held.rect : '';
        const { input } = this;
        if (at !== this.at) this.move(held, at);
        if (held && document.activeElement !== input && input.value !== held.text) {
            input.value = held.text;
        }
    }

    move(held, at) {
        const { input, canvas } = this;
        const appeared = !this.at && at;
        const had_focus = document.activeElement === input;
        this.at = at;
        if (!held) {
            input.hidden = true;
            if (had_focus && canvas.open) canvas.element.focus({ preventScroll: true });
            return;
        }
        this.id = held.id;
        held.rect.forEach((v, i) => { input.style[kSides[i]] = v + 'px'; });
        input.placeholder = held.placeholder;
        input.setAttribute('aria-label', held.placeholder || held.id);
        input.hidden = false;
        if (appeared) {
            input.value = held.text;
            if (canvas.has_focus()) input.focus({ preventScroll: true });
        }
    }
}
