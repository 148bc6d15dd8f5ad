// SPDX-License-Identifier: MIT
// Owns: what this browser remembers between visits (theme, language, form or chart). Presentation
// only, never a number. A sandboxed frame has no storage, and says so by throwing: then nothing is
// remembered.
export function recall(name) {
    try {
        return localStorage.getItem('kvgauge.' + name) || '';
    } catch {
        return '';
    }
}

export function remember(name, value) {
    try {
        if (value) localStorage.setItem('kvgauge.' + name, value);
        else localStorage.removeItem('kvgauge.' + name);
    } catch {
        // No storage here.
    }
}
