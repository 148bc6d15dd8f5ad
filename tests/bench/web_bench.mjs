// SPDX-License-Identifier: MIT
// Owns: how big the page is and how fast it starts: sizes of build/site as they are transferred, and the
// times of first table and first canvas frame after navigation from localhost in headless Chromium,
// beside those of an empty page of the same server in the same run. Prints Markdown; --json FILE
// writes the same figures. KVGAUGE_RUNS: starts measured, 9.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { host, launch, open, site, sleep, until } from '../web/support/browser.js';

const runs = Number(process.env.KVGAUGE_RUNS || 9);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const gzip = (file) => gzipSync(readFileSync(path.join(site, file)), { level: 9 }).length;

export function sizes() {
    const names = readdirSync(site).filter((n) => !/\.(br|gz)$/.test(n));
    const one = (pattern) => names.find((n) => pattern.test(n));
    const parts = {
        wasm: one(/^kvgauge\.\w+\.wasm$/), core: one(/^core\.\w+\.js$/), page: one(/^page\.\w+\.js$/),
        css: one(/^page\.\w+\.css$/), html: 'index.html', icon: 'icons/icon.svg',
        manifest: 'manifest.webmanifest', ...Object.fromEntries(readdirSync(path.join(site, 'fonts'))
            .filter((n) => /^latin.*\.otf$/.test(n)).map((n) => [n.split('.')[0], 'fonts/' + n])),
    };
    const size = {};
    for (const [part, name] of Object.entries(parts)) {
        const raw = readFileSync(path.join(site, name)).length;
        const br = readFileSync(path.join(site, name + '.br')).length;
        size[part] = { raw, gzip: gzip(name), brotli: br };
    }
    return size;
}

// What comes when somebody begins to use the page.
export function later() {
    const name = readdirSync(site).find((n) => /^more\.\w+\.wasm$/.test(n));
    return name ? { raw: readFileSync(path.join(site, name)).length, gzip: gzip(name) } : null;
}

async function start(browser, url, reload) {
    const page = await open(browser, url);
    const marks = async () => {
        await until(page, () => performance.getEntriesByName('kvg-first-frame').length > 0 ||
            (window.kvgauge && document.documentElement.dataset.mode === 'form' &&
             performance.getEntriesByName('kvg-form').length > 0), null, 30000);
        return page.evaluate(() => {
            const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? null;
            return { table: at('kvg-answer'), frame: at('kvg-first-frame') };
        });
    };
    const out = { cold: await marks() };
    if (reload) {
        await page.reload();
        out.warm = await marks();
    }
    await page.context().close();
    return out;
}

export async function times(count = runs) {
    const server = await host();
    const list = [];
    for (let i = 0; i < count; ++i) {
        const browser = await launch();
        const blank = await open(browser, server.url + 'icons/icon.svg');
        const empty = await blank.evaluate(() =>
            performance.getEntriesByType('navigation')[0].loadEventEnd);
        await blank.context().close();
        const run = await start(browser, server.url, true);
        list.push({ empty, ...run });
        await browser.close();
    }
    server.close();
    const of = (f) => {
        const values = list.map(f).filter((v) => v !== null && v !== undefined);
        return values.length ? Math.round(median(values)) : null;
    };
    return {
        runs: count, empty_page: of((r) => r.empty),
        table_cold: of((r) => r.cold.table), table_reload: of((r) => r.warm.table),
        frame_cold: of((r) => r.cold.frame), frame_reload: of((r) => r.warm.frame),
    };
}

export async function idle() {
    const server = await host();
    const browser = await launch();
    const page = await open(browser, server.url);
    await until(page, () => performance.getEntriesByName('kvg-form').length > 0, null, 20000);
    await sleep(2500);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const busy = async () => (await session.send('Performance.getMetrics')).metrics
        .find((m) => m.name === 'TaskDuration').value;
    const frames = () => page.evaluate(() => [window.test_frames, window.test_gl]);
    const [time, count] = [await busy(), await frames()];
    await sleep(3000);
    const result = {
        seconds: 3, frames: (await frames())[0] - count[0], gl_calls: (await frames())[1] - count[1],
        main_thread_ms: +((await busy() - time) * 1000).toFixed(1),
    };
    await browser.close();
    server.close();
    return result;
}

if (process.argv[1].endsWith('web_bench.mjs') && !existsSync(path.join(site, 'index.html'))) {
    console.log('## Page\n\nNot measured: there is no build/site (make site).');
} else if (process.argv[1].endsWith('web_bench.mjs')) {
    const size = sizes();
    const time = await times();
    const rest = await idle();
    const code = size.wasm.gzip + size.core.gzip + size.page.gzip;
    const first = Object.values(size).reduce((sum, s) => sum + s.gzip, 0);
    const kb = (n) => (n / 1000).toFixed(1);
    const ms = (n) => (n === null ? 'no canvas' : n + ' ms');
    console.log(`## Page weight\n\n| part | raw kB | gzip kB | brotli kB |\n|---|--:|--:|--:|`);
    for (const [part, s] of Object.entries(size)) {
        console.log(`| ${part} | ${kb(s.raw)} | ${kb(s.gzip)} | ${kb(s.brotli)} |`);
    }
    const rest_part = later();
    if (rest_part) {
        console.log(`| on first use | ${kb(rest_part.raw)} | ${kb(rest_part.gzip)} | |`);
    }
    console.log(`\nModule and scripts ${kb(code)} kB gzip (limit 350), first view ${kb(first)} (400).\n`);
    console.log(`## Page start, median of ${time.runs} browsers\n`);
    console.log('| | cold | reload | limit |\n|---|--:|--:|--:|');
    console.log(`| first table | ${ms(time.table_cold)} | ${ms(time.table_reload)} | 500 ms |`);
    console.log(`| first canvas frame | ${ms(time.frame_cold)} | ${ms(time.frame_reload)} | ` +
        '1,500 / 800 ms |');
    console.log(`| an empty page of the same server | ${ms(time.empty_page)} | | |\n`);
    console.log(`Idle for ${rest.seconds} s: ${rest.frames} frames, ${rest.gl_calls} GL calls, ` +
        `${rest.main_thread_ms} ms of main-thread work.`);
    const at = process.argv.indexOf('--json');
    if (at > 0) {
        writeFileSync(process.argv[at + 1], JSON.stringify({ size, code_gzip: code,
            first_view_gzip: first, time, idle: rest }, null, 2) + '\n');
    }
}
