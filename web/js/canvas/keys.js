// SPDX-License-Identifier: MIT
// Owns: which keys the canvas takes. SDL prevents every Ctrl combination, Tab and F1-F15 of the element
// it listens on, so it listens on a hidden element that nobody can focus (#kvg-keys). Each key event
// of the canvas is judged here and handed over as a copy; SDL prevents the copy, the real event
// stays with the browser.
import { on } from '../dom.js';

// What the module would do with an event now (kvg_wants).
export const kWants = { up: 1, down: 2, drag: 4, escape: 8, tab: 16, back_tab: 32, text: 64 };

const kCopied = ['key', 'code', 'location', 'repeat', 'ctrlKey', 'shiftKey', 'altKey', 'metaKey',
    'keyCode', 'charCode', 'which'];

const is_mod = (e) => e.ctrlKey || e.metaKey;

// pass: the browser's alone; take: the canvas's alone; share: both; leave: out of the canvas.
export function judge(e, wants) {
    if (e.isComposing || e.keyCode === 229) return 'pass';
    if (/^(Control|Shift|Meta|CapsLock)$/.test(e.key) || e.getModifierState('AltGraph')) {
        return 'share';
    }
    if (e.key === 'Tab') {
        const goes_on = wants & (e.shiftKey ? kWants.back_tab : kWants.tab);
        return !is_mod(e) && goes_on ? 'take' : 'pass';
    }
    if (e.key === 'Escape') return wants & kWants.escape ? 'take' : 'leave';
    if (is_mod(e) && !e.altKey) return judge_shortcut(e, wants);
    // Alt alone opens ImGui's menu layer and drops the active field, so it never gets there.
    if (e.altKey || e.key === 'Alt' || /^F\d/.test(e.key)) return 'pass';
    if (/^(Arrow|Backspace|Delete|Enter)/.test(e.key)) return 'take';
    if (/^(Home|End|Page)/.test(e.key)) return wants & kWants.text ? 'take' : 'pass';
    return e.key.length === 1 ? 'share' : 'pass';
}

function judge_shortcut(e, wants) {
    // The letter of the key cap where the layout has no Latin letters.
    const letter = /^[\x20-\x7e]$/.test(e.key) ? e.key.toLowerCase() :
        e.code.replace(/^Key/, '').toLowerCase();
    if (letter === 'c' || letter === 'x') return e.shiftKey ? 'pass' : 'share';
    if (/^[zyk]$/.test(letter)) return 'take';
    return letter === 'a' && wants & kWants.text ? 'take' : 'pass';
}

export function listen_keys(canvas) {
    const { host } = canvas;
    const keys = document.getElementById('kvg-keys');
    const hand = (e) => {
        const copy = { cancelable: true };
        for (const name of kCopied) copy[name] = e[name];
        keys.dispatchEvent(new KeyboardEvent(e.type, copy));
    };
    canvas.hand = hand;
    on(host, 'keydown', (e) => {
        if (!canvas.owns(e)) return;
        const verdict = judge(e, canvas.call('wants', -1, -1));
        if (verdict === 'leave') return canvas.element.blur();
        if (verdict !== 'pass') hand(e);
        if (verdict === 'take') e.preventDefault();
    });
    // Space must not scroll; the character goes to SDL, which asks for key presses.
    on(host, 'keypress', (e) => {
        if (!canvas.owns(e) || e.metaKey) return;
        if (e.ctrlKey && !e.getModifierState('AltGraph')) return;
        hand(e);
        e.preventDefault();
    });
    on(host, 'keyup', (e) => {
        if (!canvas.owns(e) || e.key === 'Alt') return;
        hand(e);
        // macOS sends no key-up for keys released under Cmd.
        if (e.key === 'Meta') canvas.call('release_keys');
    });
    // From which side Tab enters: its direction; 0 for a pointer or script.
    on(window, 'keydown', (e) => {
        canvas.tab_direction = e.key === 'Tab' ? (e.shiftKey ? -1 : 1) : 0;
    }, true);
    // The field of an open list is a part of the canvas: going there and back is no change.
    const inside = (e) => !canvas.owns(e) ||
        (e.relatedTarget === canvas.field && canvas.overlay.open);
    on(host, 'focusin', (e) => { if (!inside(e)) canvas.call('focus', 1, canvas.tab_direction); });
    on(host, 'focusout', (e) => { if (!inside(e)) canvas.call('focus', 0, 0); });
}
