// SPDX-License-Identifier: MIT
// Owns: what every browser test needs: Debian's Chromium, the project's own static server over
// build/site, a page that notes console errors, foreign requests, frames and GL calls, and waiting by
// what the page does instead of by the clock.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../../web/tools/serve.js';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const site = path.resolve(root, process.env.KVGAUGE_SITE || 'build/site');
export const single = path.resolve(root, process.env.KVGAUGE_SINGLE || 'build/site-single',
    'kvgauge.html');
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const kFlags = ['--no-sandbox', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const kSoftwareGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export const launch = (flags = kSoftwareGl) => chromium.launch({
    executablePath: process.env.KVGAUGE_CHROMIUM || '/usr/bin/chromium',
    args: [...kFlags, ...flags],
});
export const kNoGl = ['--disable-gpu', '--disable-software-rasterizer'];
export const host = (folder = site, options) => serve(folder, 0, options);

// Counts frames asked for and GL calls, before any script of the page runs.
function count_work() {
    window.test_frames = 0;
    window.test_gl = 0;
    const prototype = WebGL2RenderingContext.prototype;
    for (const name of ['drawElements', 'clear', 'drawArrays', 'bufferData', 'texImage2D']) {
        const real = prototype[name];
        prototype[name] = function (...rest) {
            ++window.test_gl;
            return real.apply(this, rest);
        };
    }
    const ask = window.requestAnimationFrame;
    window.requestAnimationFrame = (f) => ask.call(window, (time) => {
        ++window.test_frames;
        f(time);
    });
}

// As if this visitor had chosen the form: the canvas does not step in.
function choose_form() {
    try {
        localStorage.setItem('kvgauge.mode', 'form');
    } catch {
        // No storage in this frame.
    }
}

// A fresh context and page. `form`: the form is the view. `page.noise` collects console errors,
// warnings of the page's policy, page errors and requests that leave the server.
export async function open(browser, url, options = {}) {
    const { before, form, ...rest } = options;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...rest });
    const page = await context.newPage();
    page.noise = [];
    page.on('console', (m) => { if (m.type() === 'error') page.noise.push(m.text()); });
    page.on('pageerror', (e) => page.noise.push('page error: ' + e.message));
    page.on('request', (r) => {
        const to = r.url();
        if (!/^(http:\/\/localhost:|data:|blob:|file:|about:)/.test(to)) {
            page.noise.push('foreign request: ' + to);
        }
    });
    await page.addInitScript(count_work);
    if (form) await page.addInitScript(choose_form);
    if (before) await page.addInitScript(before);
    if (url) await page.goto(url);
    return page;
}

// The answer stands in the page.
export const answered = (page) => page.waitForSelector('#kvg-table tbody tr', { timeout: 20000,
    state: 'attached' });
export const cell = (page, row, column = 'value') =>
    page.locator(`#kvg-table tr[data-row="${row}"] .c-${column}`).textContent();
export const hash = (page) => page.evaluate(() => location.hash);

// Waits until `f` (run in the page) is true; a failure says what it was.
export async function until(page, f, argument, timeout = 5000) {
    try {
        await page.waitForFunction(f, argument, { timeout });
    } catch (error) {
        throw new Error(`not within ${timeout} ms: ${f}\n${error.message}`);
    }
}
