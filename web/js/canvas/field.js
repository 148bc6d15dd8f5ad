// SPDX-License-Identifier: MIT
// Owns: the text field that lies over its frame in the canvas (model search, palette). A real input, so
// that input methods, phone keyboards and screen readers work. It is there as long as the view has
// the field: a phone opens its keyboard only for a tap on the input itself.
import { on } from '../dom.js';

const kSides = ['left', 'top', 'width', 'height'];

export class CanvasField {
    // engine: the module; changed: called after a text went in.
    constructor(input, engine, changed) {
        this.input = input;
        this.engine = engine;
        this.at = '';
        this.id = '';
        const send = (composing) => {
            engine.text('text_input', `${this.id}\t${composing ? 1 : 0}\n${input.value}`);
            changed();
        };
        on(input, 'input', (e) => send(e.isComposing));
        on(input, 'compositionend', () => send(false));
        on(input, 'keydown', (e) => {
            if (e.isComposing || !/^(Enter|Escape|ArrowUp|ArrowDown)$/.test(e.key)) return;
            if (!this.engine.number('field_key', 'Enter Escape ArrowUp ArrowDown'.split(' ')
                .indexOf(e.key), e.ctrlKey || e.metaKey ? 1 : 0)) return;
            e.preventDefault();
            changed();
        });
    }

    // Once a frame; the DOM is touched only when something moved.
    place(open) {
        const field = open ? this.engine.json('text_field') : null;
        const at = field ? JSON.stringify(field) : '';
        if (at === this.at) return;
        this.at = at;
        const { input } = this;
        input.hidden = !field;
        if (!field) return;
        this.id = field.id;
        field.rect.forEach((v, i) => { input.style[kSides[i]] = v + 'px'; });
        input.placeholder = field.placeholder;
        input.setAttribute('aria-label', field.placeholder || field.id);
        if (document.activeElement !== input && input.value !== field.text) input.value = field.text;
    }
}
