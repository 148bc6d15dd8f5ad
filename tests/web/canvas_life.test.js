// SPDX-License-Identifier: MIT
// The canvas through its life: pixels at every device ratio, no work when idle, a lost graphics context,
// none at all, given back off screen, and inside sandboxed frames.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answered, cell, host, kNoGl, launch, open, sleep, until } from './support/browser.js';
import { click, drawn, settle, state } from './support/canvas.js';

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

const sizes = (page) => page.evaluate(() => {
    const c = document.getElementById('canvas');
    const r = c.getBoundingClientRect();
    return { px: [c.width, c.height], css: [r.width, r.height], ratio: devicePixelRatio };
});
const whole = (s) => Math.abs(s.css[0] * s.ratio - s.px[0]) < 0.05 &&
    Math.abs(s.css[1] * s.ratio - s.px[1]) < 0.05;
const picture = (page) => page.locator('#canvas').screenshot();
const close = (a, b) => Math.abs(a.length - b.length) < a.length * 0.02;
const work = async (page, ms) => {
    const count = () => page.evaluate(() => [window.test_frames, window.test_gl]);
    const start = await count();
    await sleep(ms);
    return (await count()).map((n, i) => n - start[i]);
};

for (const ratio of [1, 1.25, 1.5, 2, 3]) {
    test(`canvas pixels are CSS pixels x ${ratio}`, async () => {
        const page = await open(browser, server.url, { viewport: { width: 1281, height: 801 },
            deviceScaleFactor: ratio });
        await drawn(page);
        const found = await sizes(page);
        assert.ok(whole(found), JSON.stringify(found));
        await page.context().close();
    });
}

test('ratio, window and element may change while it runs', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    const session = await page.context().newCDPSession(page);
    const metrics = async (width, height, deviceScaleFactor) => {
        await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor,
            mobile: false });
        await page.mouse.move(400, 401 + Math.random());
        await sleep(300);
        await settle(page);
        return sizes(page);
    };
    let found = await metrics(1280, 800, 2);
    assert.equal(found.px[0], 2560);
    found = await metrics(1024, 700, 1.5);
    assert.equal(found.px[0], 1536);
    assert.ok(whole(found));
    await metrics(1280, 800, 1);
    await page.evaluate(() => { document.getElementById('kvg-host').style.width = '900px'; });
    await until(page, () => document.getElementById('canvas').width === 900);
    await page.context().close();
});

test('idle: no frame, no GL call; every kind of event wakes it, then it is silent again', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    await sleep(700);
    assert.deepEqual(await work(page, 2000), [0, 0]);
    const frames = async () => (await state(page)).frames;
    const wakes = async (what, act) => {
        const start = await frames();
        await act();
        await sleep(600);
        await settle(page);
        assert.ok(await frames() > start, what);
        assert.deepEqual(await work(page, 700), [0, 0], what);
    };
    await wakes('mouse', () => page.mouse.move(500, 400));
    await wakes('link', () => page.evaluate(() => { location.hash = 'v=1&ctx=4k'; }));
    await wakes('size', () => page.setViewportSize({ width: 1100, height: 760 }));
    await page.focus('#canvas');
    await sleep(500);
    await wakes('key', () => page.keyboard.press('ArrowDown'));
    await click(page, 'batch');
    assert.deepEqual(await work(page, 1000), [0, 0], 'an open text field does not blink');
    await page.context().close();
});

test('a hidden page draws nothing, shown again it goes on', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
        document.dispatchEvent(new Event('visibilitychange'));
        location.hash = 'v=1&ctx=4k';
    });
    await sleep(200);
    assert.deepEqual(await work(page, 500), [0, 0]);
    assert.equal(await cell(page, 'kv.bytes_per_request'), '512 MiB');
    const start = (await state(page)).frames;
    await page.evaluate(() => {
        delete document.hidden;
        document.dispatchEvent(new Event('visibilitychange'));
    });
    await settle(page);
    assert.ok((await state(page)).frames > start);
    await page.context().close();
});

test('a lost context: the page says so, answers go on, the same picture comes back, six times',
    async () => {
        const page = await open(browser, server.url);
        await drawn(page);
        await page.mouse.move(5, 790);
        await sleep(500);
        await settle(page);
        const before = await picture(page);
        await page.evaluate(() => {
            window.test_lose = document.getElementById('canvas').getContext('webgl2')
                .getExtension('WEBGL_lose_context');
            window.test_lose.loseContext();
        });
        await page.waitForSelector('#kvg-msg:not([hidden])');
        await page.evaluate(() => { location.hash = 'v=1&ctx=4k'; });
        await until(page, () => /512 MiB/.test(document.getElementById('kvg-table').textContent));
        await page.evaluate(() => { location.hash = 'v=1'; });
        await page.evaluate(() => window.test_lose.restoreContext());
        await page.waitForSelector('#kvg-msg', { state: 'hidden' });
        for (let i = 0; i < 5; ++i) {
            await page.evaluate(() => window.test_lose.loseContext());
            await sleep(120);
            await page.evaluate(() => window.test_lose.restoreContext());
            await sleep(200);
        }
        await sleep(500);
        await settle(page);
        assert.ok(close(before, await picture(page)));
        assert.equal(await page.evaluate(() =>
            document.getElementById('canvas').getContext('webgl2').getError()), 0);
        await page.context().close();
    });

test('scrolled away the context is given back; scrolled back it draws and hears again', async () => {
    const page = await open(browser, server.url);
    await drawn(page);
    await page.mouse.move(5, 790);
    await sleep(500);
    await settle(page);
    const before = await picture(page);
    await page.evaluate(() => {
        document.body.style.paddingBottom = '3000px';
        scrollTo(0, 3000);
    });
    await until(page, () => !window.kvgauge.canvas.open);
    await page.evaluate(() => scrollTo(0, 0));
    await drawn(page);
    await sleep(300);
    await settle(page);
    assert.ok(close(before, await picture(page)));
    await click(page, 'tab-batch');
    await until(page, () => location.hash === '#v=1&view=batch');
    await page.context().close();
});

for (const [name, flags, script] of [
    ['no GPU', kNoGl, null],
    ['getContext gives nothing', undefined, () => {
        HTMLCanvasElement.prototype.getContext = () => null;
    }]]) {
    test(`without WebGL (${name}) the form is the page and the reason stands in it`, async () => {
        const other = await launch(flags);
        const page = await open(other, server.url, { before: script || undefined });
        await answered(page);
        await until(page, () => document.documentElement.dataset.mode === 'form' &&
            /WebGL/.test(document.body.textContent));
        await page.fill('#f-kv-heads', '4');
        await until(page, () => location.hash === '#v=1&kv-heads=4');
        assert.equal(await cell(page, 'kv.bytes_per_token'), '64 KiB');
        await other.close();
    });
}

test('who begins with the form before the canvas is there keeps it; the choice is remembered',
    async () => {
        const page = await open(browser, server.url);
        await drawn(page);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.mode), 'chart');
        assert.equal(await page.locator('#kvg-form').isVisible(), false);
        await page.locator('.foot [data-act=form]').click();
        assert.ok(await page.locator('#kvg-form').isVisible());
        await until(page, () => !window.kvgauge.canvas.open);
        await page.reload();
        await answered(page);
        await page.waitForSelector('#f-ctx');
        await sleep(1200);
        assert.ok(await page.locator('#kvg-form').isVisible());
        await page.click('header [data-act=chart]');
        await drawn(page);
        assert.equal(await page.locator('#kvg-form').isVisible(), false);
        await page.context().close();
    });

test('light and dark follow the system until one is chosen', async () => {
    const page = await open(browser, server.url, { colorScheme: 'dark' });
    await drawn(page);
    const corner = async () => {
        const shot = await page.locator('#canvas').screenshot({ clip: undefined });
        return page.evaluate(async (bytes) => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
            const c = new OffscreenCanvas(1, 1).getContext('2d');
            c.drawImage(image, -700, -700);
            return c.getImageData(0, 0, 1, 1).data[0];
        }, [...shot]);
    };
    assert.ok(await corner() < 60, 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await settle(page);
    assert.ok(await corner() > 200, 'light');
    await page.evaluate(() => { location.hash = 'v=1&theme=dark'; });
    await settle(page);
    assert.ok(await corner() < 60, 'chosen');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.context().close();
});

test('the Korean page: words of page and canvas, fonts fetched when asked for', async () => {
    const page = await open(browser, null);
    const asked = [];
    page.on('request', (r) => asked.push(r.url()));
    await page.goto(server.url + '#v=1&lang=ko');
    await drawn(page);
    await until(page, () => document.documentElement.lang === 'ko');
    await sleep(500);
    await settle(page);
    assert.ok(asked.some((url) => /fonts\/korean-regular\.\w+\.otf$/.test(url)));
    assert.match(await page.textContent('#kvg-results-h'), /모든 수치/);
    if (process.env.KVGAUGE_SHOTS) {
        await page.screenshot({ path: process.env.KVGAUGE_SHOTS + '/korean.png' });
    }
    assert.deepEqual(page.noise, []);
    await page.context().close();
});
