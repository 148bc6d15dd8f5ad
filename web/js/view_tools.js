// SPDX-License-Identifier: MIT
// Owns: what can be taken out of the page (link, pinned link, table as Markdown, CSV, JSON, LaTeX,
// embed code) and what can be put in (a pasted or opened config.json, log or link).
import { h, on } from './dom.js';
import { hub_hosts, load_from_hub } from './hub.js';
import { t } from './strings.js';

const kFormats = [['md', 'Markdown'], ['csv', 'CSV'], ['json', 'JSON'], ['tex', 'LaTeX']];

// Puts text on the clipboard inside a click; where the browser refuses, shows it selected instead.
export async function copy_text(text, say) {
    try {
        await navigator.clipboard.writeText(text);
        say(t('copied'));
        return true;
    } catch {
        const area = h('textarea', { class: 'copy-me', readonly: true, rows: 6,
            'aria-label': t('not_copied') });
        area.value = text;
        say(t('not_copied'), area);
        area.select();
        return false;
    }
}

export class Tools {
    // page: { use(act), export_text(format), address_of(link), pinned(), embed_code(),
    //         take(name, bytes, quant), embedded }
    constructor(host, page) {
        this.host = host;
        this.page = page;
        this.note = h('div', { class: 'tools-note', role: 'status' });
        this.build();
    }

    say = (text, more) => {
        this.note.replaceChildren(h('span', null, text), ...(more ? [more] : []));
    };

    build() {
        const button = (name, text) => {
            const b = h('button', { type: 'button' }, name);
            on(b, 'click', () => this.page.use(() => copy_text(text(), this.say)));
            return b;
        };
        const copies = h('p', { class: 'copies' }, h('span', null, t('copy_as')),
            ...kFormats.map(([id, name]) =>
                button(name, () => this.page.export_text(id))),
            button(t('pinned'), () => this.page.address_of(this.page.pinned())),
            button(t('embed'), () => this.page.embed_code()));
        this.host.replaceChildren(copies, this.taking(), this.note);
        this.host.hidden = false;
    }

    taking() {
        const area = h('textarea', { id: 'kvg-take', rows: 3, spellcheck: 'false' });
        const file = h('input', { id: 'kvg-file', type: 'file' });
        const read = h('button', { type: 'button' }, t('take_button'));
        const pasted = () => {
            if (area.value.trim()) this.take('', new TextEncoder().encode(area.value));
        };
        on(read, 'click', pasted);
        on(area, 'paste', () => setTimeout(pasted));
        on(file, 'change', () => { if (file.files[0]) this.page.take_file(file.files[0]); });
        return h('details', { class: 'take' }, h('summary', null, t('take_label')),
            h('label', { for: 'kvg-take' }, t('take_label')), area, read,
            h('label', { for: 'kvg-file' }, t('take_file')), file,
            ...(this.page.embedded ? [] : this.hub()));
    }

    // Nothing is asked of another host before this button is pressed.
    hub() {
        const hosts = hub_hosts();
        if (!hosts.length) return [];
        const id = h('input', { id: 'kvg-hub', type: 'text', autocomplete: 'off',
            spellcheck: 'false', autocapitalize: 'off', placeholder: 'Qwen/Qwen3-32B',
            'aria-describedby': 'kvg-hub-where' });
        const button = h('button', { type: 'button' }, t('hub_button'));
        const load = async () => {
            button.disabled = true;
            const found = await load_from_hub(id.value, this.say);
            button.disabled = false;
            if (found) this.page.take(found.id, found.config, found.quant);
        };
        on(button, 'click', load);
        on(id, 'keydown', (e) => { if (e.key === 'Enter' && !e.isComposing) load(); });
        return [h('label', { for: 'kvg-hub' }, t('hub_id')), h('p', { class: 'hub' }, id, button),
            h('p', { class: 'note', id: 'kvg-hub-where' }, t('hub_where', { host: hosts.join(', ') }))];
    }

    take(name, bytes) {
        this.page.take(name, bytes);
    }
}

// A plain iframe that needs no script on the other side: it names itself, loads late, sends no
// referrer, may copy, and may run scripts but do nothing to the page around it.
export function embed_code(base, link, title) {
    const quote = (text) => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`);
    return `<iframe src="${quote(base)}embed.html#${quote(link)}" title="${quote(title)}"` +
        ' width="100%" height="420" loading="lazy" referrerpolicy="no-referrer"' +
        ' allow="clipboard-write" sandbox="allow-scripts allow-popups"></iframe>\n';
}
