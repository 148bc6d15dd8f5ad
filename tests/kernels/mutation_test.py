#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seeds faults into copies of the kernels and requires that each is found, and found in its own way.

A mutant is an exact text of one file, its replacement, and who must find it: `plain` (wrong result,
divergence, traffic), `asan` (out of bounds) or `tsan` (a race, by file and line), each with a pattern
its report must match. The text must occur exactly once, so that a mutant cannot go stale unseen. The
unchanged kernels must pass all three first.

Usage: mutation_test.py --compiler C++ --root REPOSITORY --out FOLDER --PLAIN|ASAN|TSAN object...
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

FLAGS = {
    'plain': ['-O0'],
    'asan': ['-O1', '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
    'tsan': ['-O1', '-g', '-fsanitize=thread'],
}
DECODE, PREFILL, MERGE = 'decode.cuh', 'prefill.cuh', 'merge.cuh'
SOFTMAX, ELEMENT, SLICES, PARAMS = 'online_softmax.cuh', 'element.h', 'lane_slices.h', 'params.h'
WRONG = r'is off by'
RACE = r'WARNING: ThreadSanitizer: data race(?s:.*?){}:\d+'


def race(path):
    return RACE.format(re.escape(path))


# name, file, [(text, replacement)], {finder: pattern}
MUTANTS = [
    ('no barrier before the warps are merged', DECODE,
     [('        barrier();\n        const float gain', '        const float gain')],
     {'plain': WRONG, 'tsan': race(DECODE)}),
    ('barrier by half of the block', DECODE,
     [('        barrier();\n        const float gain',
       '        if (warp < 2) barrier();\n        const float gain')],
     {'plain': r'barrier reached by a part of the block'}),
    ('half a warp at a shuffle', SOFTMAX,
     [('            best = fmaxf(best, shuffle_xor(best, 4));',
       '            if (thread_index() % 32 < 16) best = fmaxf(best, shuffle_xor(best, 4));')],
     {'plain': r'(warp divergence|deadlock).*online_softmax.cuh:\d+'}),
    ('lanes at different collectives', SOFTMAX,
     [('            prob[u][1] = transpose8x8(Element::pack(s[u][2], s[u][3]));',
       '            if (thread_index() % 2) prob[u][1] = transpose8x8(0);\n'
       '            else prob[u][1] = transpose8x8(Element::pack(s[u][2], s[u][3]));')],
     {'plain': r'warp divergence: movmatrix at online_softmax.cuh:\d+'}),
    ('misaligned wide load', DECODE,
     [('return block + key * p.token_bytes + head;', 'return block + key * p.token_bytes + head + 8;')],
     {'plain': r'misaligned 16-byte access at lane_slices.h:\d+'}),
    ('tail rows not clamped', DECODE,
     [('            key = key < end ? key : end - 1;\n            if constexpr (kPaged) key &=',
       '            if constexpr (kPaged) key &=')],
     {'asan': r'heap-buffer-overflow(?s:.*?)emulated_device.h:\d+(?s:.*?)decode.cuh:\d+'}),
    ('shared memory one float short', PARAMS,
     [('return kDecodeWarps * head_tiles * kHeadsPerTile * (head_dim + 2) * 4;',
       'return kDecodeWarps * head_tiles * kHeadsPerTile * (head_dim + 2) * 4 - 4;')],
     {'asan': r'heap-buffer-overflow(?s:.*?)decode.cuh:\d+'}),
    ('wrong byte selector', ELEMENT,
     [('a[1] = byte_perm(rows[0][step], rows[1][step], 0x7632);',
       'a[1] = byte_perm(rows[0][step], rows[1][step], 0x5432);')], {'plain': WRONG}),
    ('wrong byte selector for fp8', ELEMENT, [('? 0x7362 : 0x5140', '? 0x5140 : 0x7362')],
     {'plain': WRONG}),
    ('keys of the fragment swapped', ELEMENT,
     [('        a[1] = far[2 * step];\n        a[2] = near[2 * step + 1];',
       '        a[2] = far[2 * step];\n        a[1] = near[2 * step + 1];')], {'plain': WRONG}),
    ('a step of the maximum dropped', SOFTMAX,
     [('            best = fmaxf(best, shuffle_xor(best, 16));\n', '')], {'plain': WRONG}),
    ('a step of the sum dropped', SOFTMAX, [('        sum += shuffle_xor(sum, 8);\n', '')],
     {'plain': WRONG}),
    ('probabilities not transposed', SOFTMAX,
     [('prob[u][0] = transpose8x8(Element::pack(s[u][0], s[u][1]));',
       'prob[u][0] = Element::pack(s[u][0], s[u][1]);')], {'plain': WRONG}),
    ('output not rescaled', SOFTMAX, [('                    acc.o[n][i][c + 2] *= shrink;\n', '')],
     {'plain': WRONG}),
    ('sum not rescaled', SOFTMAX, [('                acc.l[n][c] *= shrink;\n', '')],
     {'plain': WRONG}),
    ('tail mask off by one', DECODE,
     [('if (key + 16 * u + g >= end)', 'if (key + 16 * u + g > end)')], {'plain': WRONG}),
    ('wrong page', DECODE, [('(key >> p.page_shift)', '((key >> p.page_shift) ^ 1)')],
     {'plain': WRONG}),
    ('a warp left out of the merge', DECODE,
     [('w = 0; w < kDecodeWarps; ++w) {\n                const int slot',
       'w = 1; w < kDecodeWarps; ++w) {\n                const int slot')], {'plain': WRONG}),
    ('wrong first key of a split', DECODE,
     [('static_cast<std::int64_t>(split) * p.keys_per_split;',
       'static_cast<std::int64_t>(split) * (p.keys_per_split - 16);')], {'plain': WRONG}),
    ('splits write one place', DECODE,
     [('const std::int64_t part = row * p.splits + split;', 'const std::int64_t part = row * p.splits;')],
     {'plain': WRONG}),
    ('values loaded twice', DECODE,
     [('ValueSlices::template load<Streamed>(v[u][r], p.v + at, g);',
       'ValueSlices::template load<Streamed>(v[u][r], p.v + at, g);\n'
       'ValueSlices::template load<Streamed>(v[u][r], p.v + at, g);')],
     {'plain': r'KV bytes loaded \d+ of \d+'}),
    ('each lane a run of its own', SLICES,
     [('return start * kLanes + lane * piece_size(start) + byte - start;',
       'return lane * kLaneBytes + byte;'),
      ('row + kStart * kLanes + lane * kSize', 'row + lane * kLaneBytes + kStart')],
     {'plain': r'sectors a load'}),
    ('fp8 factor forgotten in the scores', DECODE,
     [('p.scale_log2 * Element::gain();', 'p.scale_log2;')], {'plain': WRONG}),
    ('merge reads splits that nobody wrote', MERGE,
     [('s < used; ++s) {', 's < p.splits; ++s) {')], {'plain': WRONG}),
    ('no barrier behind the weights', MERGE,
     [('sums[thread / 32] = sum;\n        barrier();', 'sums[thread / 32] = sum;')],
     {'plain': WRONG, 'tsan': race(MERGE)}),
    ('next tile copied over the one in use', PREFILL,
     [('            barrier();  // until all', '            // until all')],
     {'plain': WRONG, 'tsan': race('emulated_device.h')}),
    ('tile read before all have copied', PREFILL,
     [('            wait_copies<1>();\n            barrier();', '            wait_copies<1>();')],
     {'plain': WRONG, 'tsan': race('lane_slices.h')}),
    ('copies not waited for', PREFILL, [('            wait_copies<1>();\n', '')], {'plain': WRONG}),
    ('one copy group too few waited for', PREFILL,
     [('            wait_copies<1>();', '            wait_copies<2>();')], {'plain': WRONG}),
    ('causal mask off by one', PREFILL, [('if (key > query ||', 'if (key > query + 1 ||')],
     {'plain': WRONG}),
    ('banks one row too few', PARAMS,
     [('return 2 * 2 * kPrefillKeys * prefill_pitch(head_dim);',
       'return (2 * 2 * kPrefillKeys - 1) * prefill_pitch(head_dim);')],
     {'asan': r'heap-buffer-overflow'}),
]


class Bench:
    def __init__(self, args):
        self.args = args
        self.include = ['-I' + os.path.join(args.root, p)
                        for p in ('', 'tests/kernels', 'tests/kernels/emulator')]

    def build(self, name, kind, overlay):
        """(program, what the compiler said)."""
        program = os.path.join(self.args.out, f'{name}_{kind}')
        source = os.path.join(self.args.root, 'tests/kernels/kernel_cases.cc')
        objects = getattr(self.args, kind)
        command = [self.args.compiler, '-std=c++20', '-fno-exceptions', '-fno-rtti', '-DKVG_FEW_CASES',
                   *FLAGS[kind], *(['-I' + overlay] if overlay else []), *self.include, source,
                   *objects, '-o', program]
        done = subprocess.run(command, capture_output=True, text=True)
        return (program, '') if done.returncode == 0 else (None, done.stderr[-2000:])

    def run(self, program):
        environment = dict(os.environ, TSAN_OPTIONS='halt_on_error=1', ASAN_OPTIONS='detect_leaks=0')
        command = [program]
        if shutil.which('setarch') and program.endswith('_tsan'):
            command = ['setarch', '-R', program]  # its shadow wants the usual address space
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors='replace',
                                  timeout=300, env=environment)
        except subprocess.TimeoutExpired:
            return 1, 'ran for more than 300 s'
        return done.returncode, done.stdout + done.stderr

    def overlay(self, number, path, edits):
        """A folder with the changed file, to be searched first; None and why when a text is not there."""
        with open(os.path.join(self.args.root, 'kernels/cuda', path)) as f:
            text = f.read()
        for old, new in edits:
            if text.count(old) != 1:
                return None, f'{path} holds {text.count(old)} times, not once: {old.strip()}'
            text = text.replace(old, new)
        folder = os.path.join(self.args.out, f'mutant{number}')
        target = os.path.join(folder, 'kernels/cuda', path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, 'w') as f:
            f.write(text)
        return folder, ''

    def clean(self, kind):
        program, said = self.build('clean', kind, None)
        if program is None:
            return [f'the kernels do not compile for {kind}: {said}']
        code, output = self.run(program)
        return [] if code == 0 else [f'the kernels as they are fail under {kind}: {output[-2000:]}']

    def mutant(self, number):
        """One line a finder that found nothing, or found something else."""
        name, path, edits, finders = MUTANTS[number]
        overlay, why = self.overlay(number, path, edits)
        if overlay is None:
            return [f'{name}: {why}']
        missed = []
        for kind, pattern in finders.items():
            program, said = self.build(f'mutant{number}', kind, overlay)
            if program is None:
                missed.append(f'{name}: does not compile: {said}')
                continue
            code, output = self.run(program)
            os.remove(program)
            if code == 0:
                missed.append(f'{name}: not found by {kind}')
            elif not re.search(pattern, output):
                missed.append(f'{name}: {kind} says otherwise than {pattern}: {output[-1500:]}')
        return missed


def main():
    parser = argparse.ArgumentParser()
    for name in ('--compiler', '--root', '--out'):
        parser.add_argument(name, required=True)
    for kind in FLAGS:
        parser.add_argument('--' + kind, nargs='+', required=True)
    parser.add_argument('--only', type=int, nargs='+', help='numbers of mutants')
    args = parser.parse_args()
    bench = Bench(args)
    shutil.rmtree(args.out, ignore_errors=True)
    os.makedirs(args.out)
    numbers = range(len(MUTANTS)) if args.only is None else args.only
    jobs = int(os.environ.get('KVGAUGE_JOBS', os.cpu_count() or 2))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        clean = list(pool.map(bench.clean, FLAGS))
        results = list(zip(numbers, pool.map(bench.mutant, numbers)))
    missed = [line for lines in clean for line in lines]
    for number, lines in results:
        print(f'{number:2}  {"MISSED" if lines else "found "}  {MUTANTS[number][0]}')
        missed += lines
    for line in missed:
        print(line)
    failed = sum(1 for lines in clean + [r[1] for r in results] if lines)
    print(f'{len(clean) + len(results) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
