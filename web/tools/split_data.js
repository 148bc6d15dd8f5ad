// SPDX-License-Identifier: MIT
// Owns: which constant data the first part of a cut module does without, and its move into the other part,
// whose instance writes it into the common memory.
// A constant of the linker's map stays when the code of the first part names an address in it or shortly
// before it, or when something that stays points into it; the strings that the linker merged are judged
// one by one. Every number that could be an address counts as one. tests/web/parts.test.js compares the
// answers of the first part alone with those of the whole.

// What a compiler may fold into the address of a table: table[c - 128].
const kBefore = 256;

// [{ at, end, strings }] of the constants in a map of wasm-ld; `strings` marks the merged ones.
export function constants_of(map) {
    const found = [];
    for (const line of map.split('\n')) {
        const row = line.match(/^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) {9}(\S.*):\((\.rodata.*)\)$/);
        if (!row) continue;
        const at = parseInt(row[1], 16);
        found.push({ at, end: at + parseInt(row[2], 16), strings: row[3] === '<internal>' });
    }
    return found;
}

// The sections of a module: [{ id, at, end }], `at` after the size.
function sections(bytes) {
    const list = [];
    const reader = read_at(bytes, 8);
    while (reader.at < bytes.length) {
        const begin = reader.at;
        const id = bytes[reader.at++];
        const size = reader.number();
        list.push({ id, begin, at: reader.at, end: reader.at += size });
    }
    return list;
}

function read_at(bytes, at) {
    return {
        at,
        number() {
            for (let value = 0, shift = 0; ; shift += 7) {
                const b = bytes[this.at++];
                value += (b & 127) * 2 ** shift;
                if (b < 128) return value;
            }
        },
    };
}

// The addresses of active segments are small enough to be positive in 32 bits.
function signed(n) {
    const out = [];
    for (;;) {
        const low = n & 127;
        n >>= 7;
        if (n === 0 && !(low & 64)) return [...out, low];
        out.push(low | 128);
    }
}
function unsigned(n) {
    const out = [];
    for (; n >= 128; n >>>= 7) out.push((n & 127) | 128);
    return [...out, n];
}

// The memory that the active segments make.
function memory_of(bytes) {
    const data = sections(bytes).find((s) => s.id === 11);
    const reader = read_at(bytes, data.at);
    const segments = [];
    for (let n = reader.number(); n > 0; --n) {
        if (reader.number() !== 0 || bytes[reader.at++] !== 0x41) throw new Error('a passive segment');
        const at = reader.number();
        if (bytes[reader.at++] !== 0x0b) throw new Error('no end of an address');
        const size = reader.number();
        segments.push([at, bytes.subarray(reader.at, reader.at += size)]);
    }
    const image = new Uint8Array(Math.max(...segments.map(([at, part]) => at + part.length)));
    for (const [at, part] of segments) image.set(part, at);
    return image;
}

// A data section of the bytes that `wanted` says; zero is what memory holds anyway.
function data_section(image, wanted) {
    const runs = [];
    for (let i = 0; i < image.length; ++i) {
        if (!wanted[i] || image[i] === 0) continue;
        const run = runs[runs.length - 1];
        if (run && i - run[1] < 12) run[1] = i + 1;
        else runs.push([i, i + 1]);
    }
    const parts = runs.map(([at, end]) => {
        // A small gap between two constants is a constant too, and the same in both parts.
        const part = image.subarray(at, end);
        return Buffer.concat([Buffer.from([0, 0x41, ...signed(at), 0x0b, ...unsigned(end - at)]), part]);
    });
    return { count: runs.length, body: Buffer.concat([Buffer.from(unsigned(runs.length)), ...parts]) };
}

function with_data(bytes, { count, body }) {
    const section = (id, content) =>
        Buffer.concat([Buffer.from([id, ...unsigned(content.length)]), content]);
    const out = [bytes.subarray(0, 8)];
    let put = false;
    for (const s of sections(bytes)) {
        if (s.id === 11) continue;
        if (s.id === 12) out.push(section(12, Buffer.from(unsigned(count))));
        else out.push(bytes.subarray(s.begin, s.end));
        if (s.id !== 10) continue;
        out.push(section(11, body));
        put = true;
    }
    if (!put) throw new Error('a module without code');
    return Buffer.concat(out);
}

// numbers: every number in the code of the first part. -> [first, more, bytes moved].
export function move_data(first, more, map, numbers) {
    const image = memory_of(first);
    const named = constants_of(map);
    if (!named.length) return [first, more, 0];
    const moves = new Uint8Array(image.length);  // 1: a constant that nobody was seen to need
    const pieces = [];
    for (const { at, end, strings } of named) {
        moves.fill(1, at, Math.min(end, image.length));
        if (!strings) {
            pieces.push({ at, end, before: kBefore });
            continue;
        }
        for (let i = at; i < end;) {
            let stop = i;
            while (stop < end && image[stop] !== 0) ++stop;
            pieces.push({ at: i, end: stop + 1, before: 0 });
            i = stop + 1;
        }
    }
    pieces.sort((a, b) => a.at - b.at);
    const todo = [];
    const stay = (piece) => {
        if (piece.stays) return;
        piece.stays = true;
        moves.fill(0, piece.at, Math.min(piece.end, image.length));
        todo.push([piece.at, piece.end]);
    };
    const sorted = [...new Set(numbers)].sort((a, b) => a - b);
    for (const piece of pieces) {
        let low = 0;
        for (let high = sorted.length; low < high;) {
            const mid = (low + high) >> 1;
            if (sorted[mid] < piece.at - piece.before) low = mid + 1;
            else high = mid;
        }
        if (sorted[low] < piece.end) stay(piece);
    }
    // What is no constant stays, and points where it will.
    for (let i = 0; i < image.length; ++i) {
        if (moves[i] || (i > 0 && !moves[i - 1])) continue;
        let end = i;
        while (end < image.length && !moves[end]) ++end;
        todo.push([i, end]);
    }
    const view = new DataView(image.buffer);
    const hit = (address) => {
        let low = 0;
        for (let high = pieces.length; low < high;) {
            const mid = (low + high) >> 1;
            if (pieces[mid].end < address) low = mid + 1;
            else high = mid;
        }
        for (; low < pieces.length && pieces[low].at <= address; ++low) stay(pieces[low]);
    };
    while (todo.length) {
        const [at, end] = todo.pop();
        for (let i = (at + 3) & ~3; i + 4 <= Math.min(end, image.length); i += 4) {
            hit(view.getUint32(i, true));
        }
    }
    const stays = moves.map((m) => 1 - m);
    return [with_data(first, data_section(image, stays)), with_data(more, data_section(image, moves)),
        moves.reduce((sum, m, i) => sum + (m && image[i] ? 1 : 0), 0)];
}
