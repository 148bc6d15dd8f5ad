// SPDX-License-Identifier: MIT
// The canvas under mouse, wheel and fingers: the page keeps scrolling and zooming, drags and taps work.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, host, launch, open, sleep, until } from './support/browser.js';
import { active, click, drawn, find, point, settle, state } from './support/canvas.js';

let browser;
let server;
before(async () => {
    server = await host();
    browser = await launch();
});
after(async () => {
    await browser.close();
    server.close();
});

const scrolled = (page) => page.evaluate(() => scrollY);
const top = (page) => page.evaluate(() => scrollTo(0, 0));
async function wheel(page, x, y, by) {
    await page.mouse.move(x, y);
    await settle(page);
    await page.mouse.wheel(0, by);
    await sleep(250);
    await settle(page);
    return scrolled(page);
}

test('an input changed through the canvas moves link and table', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    assert.equal(await cell(page, 'kv.bytes_per_request'), '1.00 GiB');
    await click(page, 'ctx');
    for (const key of ['Control+a', '3', '2', 'k', 'Enter']) {
        await page.keyboard.press(key);
        await settle(page);
    }
    await until(page, () => location.hash === '#v=1&ctx=32k');
    assert.equal(await cell(page, 'kv.bytes_per_request'), '4.00 GiB');
    await until(page, () => /of 32,768 tokens/.test(
        document.getElementById('kvg-sentence').textContent));
    if (process.env.KVGAUGE_SHOTS) {
        await page.screenshot({ path: process.env.KVGAUGE_SHOTS + '/canvas-edit.png' });
    }
    assert.deepEqual(page.noise, []);
    await page.context().close();
});

test('a segment and a tab are clicked; the tab stands in the link', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    await click(page, 'tab-batch');
    await until(page, () => location.hash === '#v=1&view=batch');
    await page.context().close();
});

test('the wheel is the page\'s unless something under it can scroll that way', async () => {
    // Low enough that the inputs do not fit their column.
    const page = await open(browser, server.url, { viewport: { width: 1280, height: 600 } });
    await drawn(page);
    assert.ok(await wheel(page, 700, 400, 120) > 0, 'unfocused');
    await top(page);
    await page.mouse.click(700, 330);
    await settle(page);
    assert.equal(await active(page), 'canvas');
    await page.evaluate(() => document.activeElement.blur());
    await page.mouse.click(150, 90);
    await page.keyboard.press('Escape');
    await settle(page);
    await top(page);
    await page.locator('#canvas').focus();
    await settle(page);
    const before = find(await state(page), 'gpu').rect[1];
    assert.equal(await wheel(page, 150, 300, 120), 0, 'over the inputs: the page stays');
    assert.ok(find(await state(page), 'gpu').rect[1] < before, 'the inputs scroll');
    for (let i = 0; i < 12; ++i) await page.mouse.wheel(0, 300);
    await sleep(300);
    await settle(page);
    assert.ok(await scrolled(page) > 0, 'at their end the page goes on');
    await page.context().close();
});

test('Ctrl and wheel zooms: not prevented', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    assert.equal(await page.evaluate(() => {
        const e = new WheelEvent('wheel', { deltaY: 100, ctrlKey: true, cancelable: true,
            bubbles: true, clientX: 150, clientY: 300 });
        document.getElementById('canvas').dispatchEvent(e);
        return e.defaultPrevented;
    }), false);
    await page.context().close();
});

test('a slider drag goes on outside the canvas and ends there', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    await page.evaluate(() => scrollTo(0, 0));
    const [x, y] = await point(page, 'ctx-slider');
    await page.mouse.move(x, y);
    await settle(page);
    await page.mouse.down();
    await settle(page);
    await page.mouse.move(x + 20, y);
    await settle(page);
    await until(page, () => /ctx=/.test(location.hash));
    const first = await page.evaluate(() => location.hash);
    await page.mouse.move(1270, 799);
    await settle(page);
    await page.mouse.up();
    await settle(page);
    await until(page, (was) => location.hash !== was, first);
    const held = await page.evaluate(() => location.hash);
    await page.mouse.move(300, 300);
    await settle(page);
    await sleep(400);
    assert.equal(await page.evaluate(() => location.hash), held);
    await page.context().close();
});

async function touch_page(options = {}) {
    const page = await open(browser, server.url, { hasTouch: true, ...options });
    await drawn(page);
    const session = await page.context().newCDPSession(page);
    const send = (type, points) => session.send('Input.dispatchTouchEvent', { type,
        touchPoints: points });
    const swipe = async (x, y, dx, dy) => {
        await send('touchStart', [{ x, y }]);
        for (let i = 1; i <= 12; ++i) {
            await send('touchMove', [{ x: x + dx * i / 12, y: y + dy * i / 12 }]);
            await sleep(16);
        }
        await send('touchEnd', []);
        await sleep(300);
        await settle(page);
    };
    return { page, send, swipe };
}

test('fingers: a drag scrolls the page, also from a button; a tap clicks; a slider slides', async () => {
    const { page, swipe } = await touch_page();
    await swipe(700, 600, 0, -300);
    assert.ok(await scrolled(page) > 100);
    await top(page);
    const [x, y] = await point(page, 'tab-batch');
    await swipe(x, y, 0, -150);
    assert.ok(await scrolled(page) > 50);
    assert.equal(await page.evaluate(() => location.hash), '');
    await top(page);
    await page.touchscreen.tap(x, y);
    await until(page, () => location.hash === '#v=1&view=batch');
    const [sx, sy] = await point(page, 'ctx-slider', 0.5);
    await swipe(sx, sy, 60, 20);
    assert.equal(await scrolled(page), 0);
    await until(page, () => /ctx=/.test(location.hash));
    await page.context().close();
});

test('two fingers zoom the page, nothing is prevented', async () => {
    const { page, send } = await touch_page({ isMobile: true });
    await page.evaluate(() => {
        window.test_prevented = [];
        for (const type of ['touchstart', 'touchmove', 'touchend']) {
            window.addEventListener(type, (e) => setTimeout(() =>
                window.test_prevented.push(e.defaultPrevented)), { passive: true, capture: true });
        }
    });
    for (let i = 0; i <= 12; ++i) {
        const k = 40 + i * 8;
        await send(i ? 'touchMove' : 'touchStart', [{ x: 600 - k, y: 400, id: 1 },
            { x: 600 + k, y: 400, id: 2 }]);
        await sleep(20);
    }
    await send('touchEnd', []);
    await sleep(300);
    assert.ok(await page.evaluate(() => visualViewport.scale) > 1.2);
    assert.equal(await page.evaluate(() => window.test_prevented.includes(true)), false);
    await page.context().close();
});
