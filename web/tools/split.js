// SPDX-License-Identifier: MIT
// Owns: the cut of the linked module in two: what the first view runs, and the rest, which the page
// fetches when somebody begins to use it (web/js/engine.js).
//   node split.js --wasm whole.wasm --list web/first_view.txt --bin DIR --first first.wasm
//                 --more more.wasm --whole stripped.wasm
// The whole module carries mangled function names; a function that is on the list stays. A mistake
// costs a fetch, never an answer: a call into what is not there yet loads it.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { function_names, short_name } from './wasm_names.js';

const { values: args } = parseArgs({ options: Object.fromEntries(['wasm', 'list', 'bin', 'first',
    'more', 'whole'].map((name) => [name, { type: 'string' }])) });
const kFeatures = ['--enable-bulk-memory', '--enable-sign-ext', '--enable-nontrapping-float-to-int',
    '--enable-mutable-globals', '--enable-simd'];

const first = new Set(readFileSync(args.list, 'utf8').split('\n')
    .filter((line) => line && !line.startsWith('#')));
const { names, short, imported } = function_names(readFileSync(args.wasm), args.wasm);
writeFileSync(args.whole + '.short', short);
const goes = [...names.keys()].filter((i) => i >= imported && !first.has(names[i]));
const list = args.more + '.txt';
writeFileSync(list, goes.map(short_name).join('\n') + '\n');
const tool = (name) => path.join(args.bin, name);
const raw = [args.first + '.raw', args.more + '.raw'];
execFileSync(tool('wasm-split'), [args.whole + '.short', ...kFeatures, '-g', `--split-funcs=@${list}`,
    '-o1', raw[0], '-o2', raw[1], '--export-prefix=%'], { stdio: ['ignore', 'inherit', 'pipe'] });
for (const [from, to] of [[raw[0], args.first], [raw[1], args.more], [args.wasm, args.whole]]) {
    // Without inlining a part is 1 % larger, and smaller once compressed.
    execFileSync(tool('wasm-opt'), [from, ...kFeatures, '-Oz', '--one-caller-inline-max-function-size=0',
        '--strip-debug', '--strip-producers', '-o', to], { stdio: ['ignore', 'inherit', 'inherit'] });
}
const kb = (file) => (statSync(file).size / 1000).toFixed(0);
console.log(`module ${kb(args.whole)} kB = first ${kb(args.first)} + ${goes.length} of ` +
    `${names.length - imported} functions later, ${kb(args.more)} kB`);
