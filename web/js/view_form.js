// SPDX-License-Identifier: MIT
// Owns: the inputs as a real form, one control for every key of the module's field table. An empty
// control means the default, which stands in it as a placeholder. A refused text stays in its
// control with the reason under it; the last good answer stays too.
import { h, on } from './dom.js';
import { label_of, t } from './strings.js';

const kGroups = ['model', 'hardware', 'engine', 'workload'];
// Shown at once; the other keys of a group fold behind "More".
const kFirst = new Set(['model', 'kv-heads', 'weights', 'gpu', 'gpus', 'tp', 'engine', 'util', 'kv',
    'ctx', 'batch', 'in', 'out', 'tpot-max', 'ttft-max']);
// Keys that mean something only for one model or engine; shown then, or when they are set.
const kOnly = {
    layers: 'custom', 'q-heads': 'custom', 'head-dim': 'custom', hidden: 'custom', inter: 'custom',
    vocab: 'custom', params: 'custom', experts: 'custom', 'experts-active': 'custom',
    window: 'custom', 'window-layers': 'custom', 'mla-rank': 'custom', 'mla-rope': 'custom',
    slots: 'llamacpp', ubatch: 'llamacpp', unified: 'llamacpp', 'swa-full': 'llamacpp',
    split: 'llamacpp', ngl: 'llamacpp', 'kv-k': 'llamacpp', 'kv-v': 'llamacpp',
};
const kNumeric = new Set(['count', 'tokens', 'bytes', 'rate', 'fraction', 'milliseconds']);

export class Form {
    // table: what the module's field table says; edit(key, text, done, begin) tries a text and calls done(why),
    // why it was refused; it may have to wait, and calls begin() before its turn.
    constructor(form, table, edit) {
        this.form = form;
        this.edit = edit;
        this.controls = new Map();
        this.table = table;
        this.build();
        on(form, 'submit', (e) => e.preventDefault());
    }

    build() {
        const lists = [
            h('datalist', { id: 'kvg-models' }, ...this.table.models.map((m) =>
                h('option', { value: m.id }, m.name))),
            h('datalist', { id: 'kvg-gpus' }, ...this.table.gpus.map((g) =>
                h('option', { value: g.id }, g.name))),
            h('datalist', { id: 'kvg-engines' }, ...this.table.engines.map((e) =>
                h('option', { value: e.id }, e.name))),
        ];
        this.form.replaceChildren(...lists, ...kGroups.map((group) => this.group(group)));
    }

    group(group) {
        const name = t('group_' + group);
        const fields = this.table.fields.filter((f) => f.group === group);
        const more = fields.filter((f) => !kFirst.has(f.key));
        const set = h('fieldset', null, h('legend', null, name),
            ...fields.filter((f) => kFirst.has(f.key)).map((f) => this.line(f)));
        if (more.length) {
            set.append(h('details', null, h('summary', null, t('more', { group: name })),
                ...more.map((f) => this.line(f))));
        }
        return set;
    }

    line(field) {
        const id = 'f-' + field.key;
        const input = this.input(field, id);
        const error = h('p', { id: id + '-error', class: 'error', hidden: true });
        const help = h('p', { id: id + '-help', class: 'help' },
            field.help + (field.unit ? ` (${field.unit})` : ''));
        const line = h('div', { class: 'line', 'data-key': field.key },
            h('label', { for: id }, label_of(field.key)), input, error, help);
        input.setAttribute('aria-describedby', `${id}-help ${id}-error`);
        const control = { field, line, input, error, pending: false, waits: 0 };
        this.controls.set(field.key, control);
        const commit = () => this.commit(control);
        on(input, 'change', commit);
        if (input.tagName === 'INPUT') {
            on(input, 'input', (e) => { if (!e.isComposing) this.while_typing(control); });
            on(input, 'compositionend', () => this.while_typing(control));
        }
        return line;
    }

    input(field, id) {
        // An engine may carry a version (vllm@0.20), so it is typed, with the names to choose from.
        if ((field.kind === 'choice' && field.key !== 'engine') || field.kind === 'toggle') {
            const values = field.kind === 'toggle' ? ['on', 'off'] : field.choices;
            return h('select', { id, name: field.key }, h('option', { value: '' }, t('by_default')),
                ...values.map((v) => h('option', { value: v },
                    field.kind === 'toggle' ? t(v) : v)));
        }
        const list = { model: 'kvg-models', gpu: 'kvg-gpus', engine: 'kvg-engines' }[field.key];
        return h('input', { id, name: field.key, type: 'text', list, spellcheck: 'false',
            autocapitalize: 'off', inputmode: kNumeric.has(field.kind) ? 'decimal' : null });
    }

    // Numbers follow while they are typed; names wait for the whole name (Enter, choice or blur), but a
    // name that is known already counts.
    while_typing(control) {
        control.pending = true;
        const { field, input } = control;
        if (!kNumeric.has(field.kind)) {
            const known = { model: this.table.models, gpu: this.table.gpus,
                engine: this.table.engines }[field.key];
            const text = input.value.trim().toLowerCase();
            if (!known || !known.some((k) => k.id === text)) return;
        }
        this.commit(control, true);
    }

    commit(control, typing = false) {
        const { field, input, error } = control;
        control.waits += 1;
        this.edit(field.key, input.value.trim(), (why) => {
            control.pending = typing;
            error.hidden = !why;
            error.textContent = why || '';
            if (why) input.setAttribute('aria-invalid', 'true');
            else input.removeAttribute('aria-invalid');
            control.refused = !!why;
        }, () => { control.waits -= 1; });
    }

    // What the scenario holds now. The control that has the focus keeps what is being typed.
    show(state) {
        const model = state.values.model?.[1];
        const engine = (state.values.engine?.[1] || '').split('@')[0];
        for (const [key, control] of this.controls) {
            const [given, effective] = state.values[key] || ['', ''];
            const only = kOnly[key];
            control.line.hidden = !!only && only !== model && only !== engine && !given;
            control.line.classList.toggle('set', given !== '');
            const { input } = control;
            if (input.tagName === 'SELECT') {
                if (effective) {
                    input.options[0].textContent = `${t('by_default')}: ${show_toggle(effective)}`;
                } else input.options[0].textContent = t('by_default');
            } else input.placeholder = effective || t('by_default');
            if (control.waits) continue;
            if (control.refused && input.value.trim() !== given) continue;
            if (control.pending && document.activeElement === input) continue;
            if (input.value !== given) input.value = given;
            control.pending = false;
        }
    }

    open(key) {
        const control = this.controls.get(key);
        if (!control) return false;
        const fold = control.line.closest('details');
        if (fold) fold.open = true;
        control.input.focus();
        return true;
    }
}

const show_toggle = (text) => (text === 'on' || text === 'off' ? t(text) : text);
