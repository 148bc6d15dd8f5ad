// SPDX-License-Identifier: MIT
// Owns: mouse, wheel and touch of the canvas. The page keeps scrolling and zooming: SDL hears a wheel
// only when something under the pointer can still scroll that way, and never a touch.
import { on } from '../dom.js';
import { kWants } from './keys.js';

export function listen_pointer(canvas) {
    const { host } = canvas;
    on(host, 'pointerdown', (e) => {
        canvas.tab_direction = 0;
        if (!canvas.owns(e) || e.pointerType !== 'mouse') return;
        // SDL prevents mousedown, so the focus is given by hand; captured, a drag goes on outside.
        canvas.element.focus({ preventScroll: true });
        canvas.element.setPointerCapture(e.pointerId);
    }, true);
    on(host, 'wheel', (e) => {
        if (e.target !== canvas.element) return;
        const asks = canvas.has_focus() && !e.ctrlKey && !e.shiftKey;
        const wants = asks ? canvas.call('wants', -1, -1) : 0;
        if (!(wants & (e.deltaY < 0 ? kWants.up : kWants.down))) e.stopPropagation();
    }, { capture: true, passive: true });
    const touch = touch_handler(canvas);
    for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel']) {
        on(host, type, touch, { capture: true, passive: false });
    }
}

// SDL prevents every touchend, which kills taps. It gets none; taps come back as the browser's mouse
// events. Only a one-finger drag that begins on a slider is taken and queued by hand.
function touch_handler(canvas) {
    let finger = -1;
    const none = -1;
    return (e) => {
        if (e.target !== canvas.element) return;
        e.stopPropagation();
        if (!canvas.open) {
            finger = none;
            return;
        }
        const touch = [...e.changedTouches].find((t) => finger === none || t.identifier === finger);
        if (!touch) return;
        const box = canvas.element.getBoundingClientRect();
        const x = touch.clientX - box.left;
        const y = touch.clientY - box.top;
        if (e.type === 'touchstart') {
            if (finger !== none || e.touches.length > 1) return;
            if (!(canvas.call('wants', x, y) & kWants.drag)) return;
            finger = touch.identifier;
            canvas.call('touch', 0, x, y);
        } else if (finger === none) {
            return;
        } else if (e.type === 'touchmove') {
            canvas.call('touch', 1, x, y);
        } else {
            finger = none;
            canvas.call('touch', 2, x, y);
        }
        if (e.cancelable) e.preventDefault();
    };
}
