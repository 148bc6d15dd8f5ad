// SPDX-License-Identifier: MIT
// Owns: the clipboard of the canvas, inside the browser's own copy, cut and paste events: no
// permission is asked, and it works in sandboxed frames.
import { on } from '../dom.js';

export function listen_clipboard(canvas, take) {
    let copied = null;
    let in_event = false;
    // Called by the module when ImGui copies: within the event below, or from a button.
    canvas.copy = (text) => {
        copied = text;
        if (!in_event) navigator.clipboard?.writeText(text).catch(() => {});
    };
    const give = (e) => {
        if (!canvas.open || !canvas.has_focus() || !canvas.engine.whole) return;
        copied = null;
        in_event = true;
        canvas.call('flush');
        in_event = false;
        if (copied === null) return;
        e.clipboardData.setData('text/plain', copied);
        e.preventDefault();
    };
    on(document, 'copy', give);
    on(document, 'cut', give);
    on(document, 'paste', (e) => {
        if (!canvas.open || !canvas.has_focus()) return;
        take(e.clipboardData.getData('text/plain'));
        e.preventDefault();
    });
}
