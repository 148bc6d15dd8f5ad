// SPDX-License-Identifier: MIT
// Owns: what is done on the canvas before the whole module is there: kept in its order, and given again
// when it has come. SDL listens on canvas, document and window, so this listens before all of them.
import { on } from '../dom.js';
import { judge } from './keys.js';

const kMouse = ['pointerdown', 'mousemove', 'mousedown', 'mouseup', 'mouseenter', 'mouseleave'];
const kKeys = ['keydown', 'keypress', 'keyup'];

export function hold(canvas) {
    let down = false;
    let last = null;  // the move that stands at the end of the queue
    const ours = (e) => canvas.open && !canvas.engine.whole && e.target === canvas.element;
    const keep = (e) => {
        const kept = { event: new e.constructor(e.type, e) };
        last = e.type === 'mousemove' ? kept : null;
        canvas.use(() => {
            if (last === kept) last = null;
            (kept.event.type === 'mouseup' ? document : canvas.element).dispatchEvent(kept.event);
        });
    };
    const mouse = (e) => {
        // SDL hears every mouseup of the page.
        if (e.type === 'mouseup' && canvas.open && !canvas.engine.whole) e.stopImmediatePropagation();
        if (!ours(e) && !(e.type === 'mouseup' && down)) return;
        if (canvas.engine.whole) return;
        e.stopImmediatePropagation();
        if (e.type === 'mousedown') down = true;
        if (e.type === 'mouseup') down = false;
        // Of moves in a row only the last counts.
        if (e.type === 'mousemove' && last) last.event = new MouseEvent(e.type, e);
        else keep(e);
    };
    const key = (e) => {
        if (!ours(e)) return;
        e.stopImmediatePropagation();
        if (e.type === 'keypress') {
            if (e.metaKey || (e.ctrlKey && !e.getModifierState('AltGraph'))) return;
            e.preventDefault();
        } else {
            const verdict = judge(e, 0);
            if (verdict === 'leave' && e.type === 'keydown') canvas.element.blur();
            if (verdict === 'leave' || verdict === 'pass') return;
            if (verdict === 'take') e.preventDefault();
        }
        keep(e);
    };
    for (const type of kMouse) on(window, type, mouse, true);
    for (const type of kKeys) on(window, type, key, true);
    for (const type of ['focusin', 'focusout']) {
        on(window, type, (e) => {
            if (!ours(e)) return;
            e.stopImmediatePropagation();
            keep(e);
        }, true);
    }
    // The page scrolls; a finger's drag is the page's too.
    for (const type of ['wheel', 'touchstart', 'touchmove', 'touchend', 'touchcancel']) {
        on(window, type, (e) => { if (ours(e)) e.stopImmediatePropagation(); },
            { capture: true, passive: true });
    }
}
