// SPDX-License-Identifier: MIT
// Owns: the function names that a linked module carries, and the same module with a short name in
// place of each: binaryen makes exports of them.

export const short_name = (i) => 'f' + i.toString(36);

// { names, short, imported }: names by the function's index, imported ones first; `short` is the module
// with short_name(index) for each; `imported` says how many are.
export function function_names(bytes, file) {
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
    let defined = 0;
    while (at < bytes.length) {
        const begin = at;
        const id = bytes[at++];
        const size = number();
        const end = at + size;
        if (id === 3) defined = number();
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
    if (rest.length !== 1) throw new Error(`${file}: no function names`);
    const leb = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >>> 7)]);
    const list = names.flatMap((_, i) => {
        const name = short_name(i);
        return [...leb(i), name.length, ...Buffer.from(name)];
    });
    const map = [...leb(Object.keys(names).length), ...list];
    const section = [4, ...Buffer.from('name'), 1, ...leb(map.length), ...map];
    const short = Buffer.concat([bytes.subarray(0, rest[0][0]), Buffer.from([0, ...leb(section.length)]),
        Buffer.from(section), bytes.subarray(rest[0][1])]);
    return { names, short, imported: names.length - defined };
}
