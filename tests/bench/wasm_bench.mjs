// SPDX-License-Identifier: MIT
// Owns: estimates and sweep points a second of the WASM module under node, from build/site/kvgauge.js,
// beside JSON.parse of the same answer in the same run. Medians of nine rounds.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const file = path.join(process.env.KVGAUGE_SITE || path.join(root, 'build/site'), 'kvgauge.js');
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// Microseconds of one call.
function cost(fn, calls) {
    for (let i = 0; i < calls; ++i) fn(i);
    const rounds = [];
    for (let r = 0; r < 9; ++r) {
        const start = performance.now();
        for (let i = 0; i < calls; ++i) fn(i);
        rounds.push((performance.now() - start) * 1000 / calls);
    }
    return median(rounds);
}

console.log('## WASM under node\n');
if (!existsSync(file)) {
    console.log('Not measured: there is no build/site (make site).');
} else {
    const kvgauge = await import(pathToFileURL(file));
    const link = (i) => `v=1&model=llama-3-8b&gpu=a100-80gb-sxm&ctx=${1024 + i}`;
    const text = JSON.stringify(kvgauge.estimate(link(0)));
    const axes = { ctx: Array.from({ length: 50 }, (_, i) => 1024 * (i + 1)),
        batch: Array.from({ length: 20 }, (_, i) => i + 1) };
    const points = kvgauge.sweep('v=1&model=llama-3-8b', axes).length;
    const rows = [
        ['estimate, link in, answer out', cost((i) => kvgauge.estimate(link(i)), 100)],
        ['sweep, a point', cost(() => kvgauge.sweep('v=1&model=llama-3-8b', axes), 1) / points],
        ['baseline: JSON.parse of one answer', cost(() => JSON.parse(text), 200)],
    ];
    console.log('| | µs | a second |\n|---|--:|--:|');
    for (const [name, us] of rows) {
        console.log(`| ${name} | ${us.toFixed(1)} | ${Math.round(1e6 / us).toLocaleString('en')} |`);
    }
    console.log(`\n${points} points a sweep, every row of each as an object.`);
}
