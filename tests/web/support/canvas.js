// SPDX-License-Identifier: MIT
// Owns: driving the canvas: what its last frame held (window.kvgauge.canvas), where its controls are on
// the page, and waiting until it has drawn all that it wants.
import { until } from './browser.js';

// { frames, items: [{ id, kind, rect: [x, y, w, h], focused }], size, scale, mouse, down, text, ... }
export const state = (page) => page.evaluate(() => window.kvgauge.canvas.state());

// Nothing is left to draw.
export const settle = (page) => until(page, () => !window.kvgauge.canvas.busy, null, 8000);

export async function drawn(page) {
    await until(page, () => window.kvgauge?.canvas?.open && window.kvgauge.canvas.drawn > 0, null,
        20000);
    await settle(page);
}

export const find = (held, id) => {
    const item = held.items.find((i) => i.id === id);
    if (!item) throw new Error(`no control "${id}" in the canvas: ${held.items.map((i) => i.id)}`);
    return item;
};

// Where a control is on the page, as a point inside it.
export async function point(page, id, fx = 0.5, fy = 0.5) {
    const item = find(await state(page), id);
    const box = await page.locator('#canvas').boundingBox();
    return [box.x + item.rect[0] + item.rect[2] * fx, box.y + item.rect[1] + item.rect[3] * fy];
}

export async function click(page, id, fx, fy) {
    const [x, y] = await point(page, id, fx, fy);
    await page.mouse.move(x, y);
    await settle(page);
    await page.mouse.down();
    await settle(page);
    await page.mouse.up();
    await settle(page);
}

export const focused = (held) => held.items.find((i) => i.focused)?.id ?? null;
export const active = (page) => page.evaluate(() => document.activeElement.id ||
    document.activeElement.tagName);
