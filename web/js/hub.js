// SPDX-License-Identifier: MIT
// Owns: a model of a hub by its id: BASE/OWNER/NAME/resolve/main/config.json and, where there is one,
// hf_quant_config.json beside it. The bases are set when the page is built and stand in its policy, so
// nothing else can be asked; and nothing is asked before a person presses the button.
import { t } from './strings.js';

const kMost = 16 << 20;  // bytes; config files with long ignore lists reach 3 MB

const host_of = (base) => new URL(base).host;
export const hub_hosts = () => [...new Set(KVG_HUBS.map(host_of))];

// "owner/name", also as an address of one of the hubs, with whatever follows the name.
export function hub_id(text) {
    let id = text.trim();
    for (const base of KVG_HUBS) if (id.startsWith(base + '/')) id = id.slice(base.length + 1);
    const match = /^([\w][\w.-]*\/[\w][\w.-]*)(?:[/?#].*)?$/.exec(id);
    return match && id.length <= 300 ? match[1] : null;
}

async function file(base, id, name) {
    const answer = await fetch(`${base}/${id}/resolve/main/${name}`,
        { credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (!answer.ok) return { status: answer.status };
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return bytes.length > kMost ? { status: 413 } : { status: 200, bytes };
}

// `say(sentence)` tells what goes on and why nothing came. Gives { id, config, quant } or null.
export async function load_from_hub(text, say) {
    const id = hub_id(text);
    if (!id) {
        say(t('hub_bad', { id: text.trim().slice(0, 100) }));
        return null;
    }
    let why = '';
    for (const base of KVG_HUBS) {
        const host = host_of(base);
        say(t('hub_asks', { host }));
        let config;
        try {
            config = await file(base, id, 'config.json');
        } catch {
            why = t(navigator.onLine ? 'hub_unreached' : 'hub_offline', { host });
            continue;
        }
        if (config.bytes) {
            const quant = await file(base, id, 'hf_quant_config.json').catch(() => ({}));
            return { id, config: config.bytes, quant: quant.bytes };
        }
        const key = { 401: 'hub_gated', 403: 'hub_gated', 404: 'hub_missing' }[config.status];
        why = t(key || 'hub_status', { id, host, status: config.status });
    }
    say(why);
    return null;
}
