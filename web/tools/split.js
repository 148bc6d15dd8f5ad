// SPDX-License-Identifier: MIT
// Owns: the cut of the linked module in two: what the first view runs, and the rest, which the page
// fetches when somebody begins to use it (web/js/engine.js).
//   node split.js --wasm whole.wasm --list web/first_view.txt --bin DIR --first first.wasm
//                 --more more.wasm --whole stripped.wasm [--map kvgauge.map]
// The whole module carries mangled function names; a function that is on the list stays. A mistake
// costs a second start, never an answer: a call into what is not there yet traps, and the page begins
// anew with both parts.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { move_data } from './split_data.js';
import { function_names, short_name } from './wasm_names.js';

const { values: args } = parseArgs({ options: Object.fromEntries(['wasm', 'list', 'bin', 'first',
    'more', 'whole', 'map'].map((name) => [name, { type: 'string' }])) });
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
lighten(raw);
for (const [from, to] of [[raw[0], args.first], [raw[1], args.more], [args.wasm, args.whole]]) {
    // Without inlining a part is 1 % larger, and smaller once compressed.
    execFileSync(tool('wasm-opt'), [from, ...kFeatures, '-Oz', '--one-caller-inline-max-function-size=0',
        '--strip-debug', '--strip-producers', '-o', to], { stdio: ['ignore', 'inherit', 'inherit'] });
}
const moved = args.map && existsSync(args.map) ? part_data() : 0;
const kb = (file) => (statSync(file).size / 1000).toFixed(0);
console.log(`module ${kb(args.whole)} kB = first ${kb(args.first)} + ${goes.length} of ` +
    `${names.length - imported} functions and ${moved} B of constants later, ${kb(args.more)} kB`);

// wasm-split gives the first part an import for every function that is missing in its table, and long names
// to what the other part imports. One function that traps, and short names, save 5 KB compressed.
function lighten(files) {
    const read = (file) => execFileSync(tool('wasm-dis'), [file, ...kFeatures],
        { maxBuffer: 1 << 30 }).toString();
    const write = (file, text) => {
        writeFileSync(file + '.wat', text);
        execFileSync(tool('wasm-as'), [file + '.wat', ...kFeatures, '-o', file]);
        rmSync(file + '.wat');
    };
    const short = new Map();
    const rename = (_, before, name) => {
        if (!short.has(name)) short.set(name, '%' + short.size.toString(36));
        return `${before}"${short.get(name)}"`;
    };
    write(files[0], read(files[0]).replace(/^ \(import "placeholder" .*\n/gm, '')
        .replace(/\$placeholder_\d+/g, '$missing')
        .replace(/^( \(export )"(%[^"]*)"/gm, rename)
        .replace(/\n\)\s*$/, '\n (func $missing (unreachable))\n)\n'));
    write(files[1], read(files[1]).replace(/^( \(import "primary" )"(%[^"]*)"/gm, rename));
}

// The constants that only the other part reads go with it.
function part_data() {
    const code = execFileSync(tool('wasm-dis'), [args.first, ...kFeatures], { maxBuffer: 1 << 30 })
        .toString().replace(/^ \(data .*$/gm, '');
    const numbers = [...code.matchAll(/(?:i32\.const |offset=)(\d+)/g)].map((m) => Number(m[1]));
    const [one, two, count] = move_data(readFileSync(args.first), readFileSync(args.more),
        readFileSync(args.map, 'utf8'), numbers);
    for (const [file, bytes] of [[args.first, one], [args.more, two]]) {
        new WebAssembly.Module(bytes);  // well formed
        writeFileSync(file, bytes);
    }
    return count;
}
