#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ptxas says of the decode and prefill kernels: no spills, registers within the blocks wanted.

Usage: ptxas_test.py NVCC REPOSITORY FOLDER
Only the shapes of head_dim 64, 128 and 256 of each element type on sm_80 and sm_90, to keep it short;
the release build compiles the rest for every architecture.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

# (head_dim, head tiles): most registers a thread may use. 65,536 a multiprocessor and 128 threads a
# block: 170 leave three blocks, 255 two.
LIMITS = {(64, 1): 128, (64, 2): 170, (128, 1): 170, (128, 2): 255, (256, 1): 255}
SOURCE = '''#include "kernels/cuda/decode.cuh"
#include "kernels/cuda/prefill.cuh"
using namespace kvgauge::kernels::dev;
template <class E, int D, int T, bool P>
__global__ void __launch_bounds__(128, D > 128 || T > 1 ? 2 : D <= 64 ? 4 : 3)
    decode(const __grid_constant__ DecodeParams p) { Decode<E, D, T, P>::run(p); }
template <class E, int D>
__global__ void __launch_bounds__(128, 2) prefill(const __grid_constant__ PrefillParams p) {
    Prefill<E, D>::run(p);
}
'''
ELEMENTS = ['F16', 'Bf16', 'E4m3']


def source(element):
    text = SOURCE
    for dim, tiles in LIMITS:
        for paged in ('false', 'true'):
            text += f'template __global__ void decode<{element}, {dim}, {tiles}, {paged}>(\n    const __grid_constant__ DecodeParams);\n'
    if element != 'E4m3':
        text += f'template __global__ void prefill<{element}, 128>(const __grid_constant__ PrefillParams);\n'
    return text


def compile_one(nvcc, root, folder, element):
    path = os.path.join(folder, f'{element}.cu')
    with open(path, 'w') as f:
        f.write(source(element))
    done = subprocess.run(
        [nvcc, '-std=c++20', '-O3', '-gencode', 'arch=compute_80,code=sm_80', '-gencode',
         'arch=compute_90,code=sm_90', '-Xptxas', '-v', '-I', root, '-c', path,
         '-o', path + '.o'], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def kernels(report):
    """(mangled name, architecture, spilled bytes, registers) of every kernel in a report."""
    for name, arch, rest in re.findall(
            r"Compiling entry function '(\w+)' for '(sm_\d+)'((?:(?!Compiling entry)[\s\S])*)", report):
        spills = sum(int(n) for n in re.findall(r'(\d+) bytes spill', rest))
        registers = re.search(r'Used (\d+) registers', rest)
        if registers:
            yield name, arch, spills, int(registers.group(1))


def main():
    nvcc, root, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    passed, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('KVGAUGE_JOBS', '2'))) as pool:
        reports = list(pool.map(lambda e: compile_one(nvcc, root, folder, e), ELEMENTS))
    for element, (code, report) in zip(ELEMENTS, reports):
        if code != 0:
            print(f'{element} does not compile: {report[-2000:]}')
            failed += 1
            continue
        found = 0
        for name, arch, spills, registers in kernels(report):
            numbers = [int(n) for n in re.findall(r'Li(\d+)E', name)]
            decode = '6decode' in name
            limit = LIMITS[(numbers[0], numbers[1])] if decode else 255
            found += 1
            good = spills == 0 and registers <= limit
            shape = f'dim {numbers[0]}' + (f' tiles {numbers[1]} paged {name.count("Lb1E")}' if decode else '')
            print(f'{"ok    " if good else "FAILED"} {element} {"decode" if decode else "prefill"} {shape} '
                  f'{arch}: {registers} registers of {limit}, {spills} bytes spilled')
            passed, failed = (passed + 1, failed) if good else (passed, failed + 1)
        expected = 2 * (2 * len(LIMITS) + (element != 'E4m3'))
        if found != expected:
            print(f'{element}: {found} kernels in the report, {expected} expected')
            failed += 1
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
