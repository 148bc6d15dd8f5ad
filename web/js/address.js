// SPDX-License-Identifier: MIT
// Owns: the scenario in the address bar. Written with replaceState, 300 ms after the last change
// (browsers refuse more than about 100 a half minute), never when embedded, never when equal.
// Heard through hashchange: hand edits and the Back button.
import { on, settled } from './dom.js';

const kMaxLink = 4096;

export function read_link() {
    return location.hash.replace(/^#/, '').slice(0, kMaxLink);
}

export class Address {
    constructor({ writes, on_link }) {
        this.writes = writes;
        this.link = null;
        this.known = location.hash;  // as last read or written here
        this.write = settled(300, () => this.put());
        on(window, 'hashchange', () => {
            this.known = location.hash;
            const link = read_link();
            if (link !== this.link) on_link(link);
        });
    }

    // The canonical link of what is shown. The bare default leaves a clean address alone.
    show(link, is_default) {
        this.link = link;
        this.is_default = is_default;
        if (this.writes) this.write();
    }

    put() {
        // Edited by hand, and not yet heard: what was to be written is older.
        if (location.hash !== this.known) return;
        if (read_link() === this.link || (this.is_default && !location.hash)) return;
        try {
            history.replaceState(history.state, '', '#' + this.link);
            this.known = location.hash;
        } catch {
            // Too many changes for this browser: the next one writes it.
        }
    }
}
