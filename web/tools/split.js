// SPDX-License-Identifier: MIT
// Owns: the cut of the linked module in two: what the first view runs, and the rest, which the page
// fetches when somebody begins to use it (web/js/engine.js).
//   node split.js --wasm whole.wasm --list web/later.txt --objects "a.a b.a" --nm llvm-nm --bin DIR
//                 --first first.wasm --more more.wasm --whole stripped.wasm
// The whole module carries mangled function names. A function goes to the second one if every object
// that defines it is on the list, or if its own name is there; so templates that only such objects
// use go along. Where names of file-local functions are ambiguous, the function stays. A mistake costs
// a fetch, never an answer: a call into what is not there yet loads it.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: args } = parseArgs({ options: Object.fromEntries(['wasm', 'list', 'objects', 'nm',
    'bin', 'first', 'more', 'whole'].map((name) => [name, { type: 'string' }])) });
const kFeatures = ['--enable-bulk-memory', '--enable-sign-ext', '--enable-nontrapping-float-to-int',
    '--enable-mutable-globals'];

// Lines: "library/object" or "function name", with * for anything; "!function name" stays whatever
// else says; '#' begins a comment.
function read_list(file) {
    const lines = readFileSync(file, 'utf8').split('\n').map((l) => l.replace(/#.*/, '').trim());
    const pattern = (text) => new RegExp('^' + text.split('*').map((part) =>
        part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '$');
    const entries = lines.filter(Boolean).map((text) => ({ text, test: pattern(text.replace('!', '')),
        used: false }));
    return { objects: entries.filter((e) => e.text.includes('/')),
        functions: entries.filter((e) => !/[!/]/.test(e.text)),
        kept: entries.filter((e) => e.text.startsWith('!')) };
}

// Function name to whether every object that defines it may come later.
function defined_in(archives, objects) {
    const all_later = new Map();
    for (const archive of archives) {
        const library = path.basename(archive).replace(/^lib|\.a$/g, '');
        const out = execFileSync(args.nm, ['-A', '--defined-only', archive],
            { maxBuffer: 256 << 20, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
        for (const line of out.split('\n')) {
            const m = /:?([^:\s]+\.o): *[0-9a-f]+ ([A-Za-z]) (\S+)$/.exec(line);
            if (!m || !/[tTwW]/.test(m[2])) continue;
            const object = `${library}/${path.basename(m[1])}`;
            const hit = objects.find((e) => e.test.test(object));
            if (hit) hit.used = true;
            all_later.set(m[3], (all_later.get(m[3]) ?? true) && !!hit);
        }
    }
    return all_later;
}

// The names of the module's functions, from its name section, and the module with a letter and a number
// in place of each: the cut makes exports of them.
function function_names(bytes) {
    let at = 8;
    const number = () => {
        for (let value = 0, shift = 0; ; shift += 7) {
            const b = bytes[at++];
            value += (b & 127) * 2 ** shift;
            if (b < 128) return value;
        }
    };
    const text = () => {
        const n = number();
        at += n;
        return bytes.toString('utf8', at - n, at);
    };
    const names = [];
    const rest = [];  // where the name section is
    while (at < bytes.length) {
        const begin = at;
        const id = bytes[at++];
        const size = number();
        const end = at + size;
        if (id === 0 && text() === 'name') {
            while (at < end) {
                const kind = bytes[at++];
                const length = number();
                const stop = at + length;
                if (kind === 1) {
                    for (let n = number(); n > 0; --n) names[number()] = text();
                }
                at = stop;
            }
            rest.push([begin, end]);
        }
        at = end;
    }
    if (rest.length !== 1) throw new Error(`${args.wasm}: no function names`);
    const leb = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >>> 7)]);
    const list = names.flatMap((_, i) => {
        const name = short_name(i);
        return [...leb(i), name.length, ...Buffer.from(name)];
    });
    const map = [...leb(Object.keys(names).length), ...list];
    const section = [4, ...Buffer.from('name'), 1, ...leb(map.length), ...map];
    const short = Buffer.concat([bytes.subarray(0, rest[0][0]), Buffer.from([0, ...leb(section.length)]),
        Buffer.from(section), bytes.subarray(rest[0][1])]);
    return { names, short };
}

const short_name = (i) => 'f' + i.toString(36);

const { objects, functions, kept } = read_list(args.list);
const later = defined_in(args.objects.split(' ').filter(Boolean), objects);
const { names, short } = function_names(readFileSync(args.wasm));
writeFileSync(args.whole + '.short', short);
const on_list = (list, name) => {
    const hit = list.find((e) => e.test.test(name));
    if (hit) hit.used = true;
    return !!hit;
};
const goes = [...names.keys()].filter((i) => {
    const name = names[i];
    if (name === undefined) return false;
    if (on_list(kept, name)) return false;
    return on_list(functions, name) || later.get(name) || later.get(name.replace(/[._]\d+$/, ''));
});
for (const e of [...objects, ...functions, ...kept]) {
    if (!e.used) console.warn(`${args.list}: nothing is called ${e.text}`);
}
const list = args.more + '.txt';
writeFileSync(list, goes.map(short_name).join('\n') + '\n');
const tool = (name) => path.join(args.bin, name);
const raw = [args.first + '.raw', args.more + '.raw'];
execFileSync(tool('wasm-split'), [args.whole + '.short', ...kFeatures, '-g', `--split-funcs=@${list}`, '-o1', raw[0],
    '-o2', raw[1], '--export-prefix=%'], { stdio: ['ignore', 'inherit', 'pipe'] });
for (const [from, to] of [[raw[0], args.first], [raw[1], args.more], [args.wasm, args.whole]]) {
    execFileSync(tool('wasm-opt'), [from, ...kFeatures, '-Oz', '--strip-debug', '--strip-producers',
        '-o', to], { stdio: ['ignore', 'inherit', 'inherit'] });
}
const kb = (file) => (statSync(file).size / 1000).toFixed(0);
console.log(`module ${kb(args.whole)} kB = first ${kb(args.first)} + ${goes.length} of ` +
    `${names.length} functions later, ${kb(args.more)} kB`);
