#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decode attention on the CPU beside the read stream and ggml's flash attention in the same run, and
callgrind's instructions a KV byte, which do not depend on how busy the machine is.

ggml comes from the npm package @node-llama-cpp/linux-x64 where it is installed under node_modules, or
from the folder named by KVGAUGE_GGML; without it its columns are left out. valgrind is optional too.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KERNELS = ['problem', 'exact', 'cpu/decoder', 'cpu/isa', 'cpu/workers']


def build(folder):
    compiler = os.environ.get('CXX', 'c++')
    common = [compiler, '-std=c++20', '-O2', '-I', ROOT, '-c']
    objects = []
    for name, flags in ([(n, []) for n in KERNELS]
                        + [('cpu/isa_portable', ['-O3', '-ffp-contract=fast'])]
                        + ([('cpu/isa_avx2', ['-O3', '-mavx2', '-mfma', '-mf16c'])]
                           if os.uname().machine == 'x86_64' else [])):
        objects.append(os.path.join(folder, name.replace('/', '_') + '.o'))
        subprocess.run([*common, *flags, os.path.join(ROOT, 'kernels', name + '.cc'), '-o', objects[-1]],
                       check=True)
    program = os.path.join(folder, 'cpu_attention')
    subprocess.run([compiler, '-std=c++20', '-O2', '-I', ROOT,
                    os.path.join(ROOT, 'tests/bench/kernels/cpu_attention.cc'), *objects, '-o', program,
                    '-ldl', '-lpthread'], check=True)
    return program


def ggml():
    """The libraries to compare with: ggml-base and the CPU backend for AVX2, or nothing."""
    for folder in [os.environ.get('KVGAUGE_GGML', ''),
                   *glob.glob(os.path.join(ROOT, 'node_modules/@node-llama-cpp/linux-x64/bins/*'))]:
        found = [os.path.join(folder, n) for n in ('libggml-base.so', 'libggml-cpu-haswell.so')]
        if folder and all(map(os.path.exists, found)):
            return found
    print('ggml is not installed: its columns are left out')
    return []


def instructions(program):
    """Instructions a KV byte of the decode, by group, each from one call under callgrind."""
    if not shutil.which('valgrind'):
        print('valgrind is not installed: no instruction counts')
        return
    print('\n| group | instructions a KV byte |\n|---|---|')
    for group in (1, 2, 4, 8):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, 'callgrind.out')
            subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=' + out,
                            '--toggle-collect=kvgauge::kernels::cpu::Decoder::decode*', program,
                            '--once', str(group)], check=True, capture_output=True)
            with open(out) as f:
                total = re.search(r'^(?:totals|summary): (\d+)', f.read(), re.M)
        # --once: 1024 tokens of 8 KV heads of 128 in two bytes, K and V.
        print(f'| {group} | {int(total.group(1)) / (1024 * 8 * 128 * 2 * 2):.3f} |', flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        print('Decode attention, f16, 8 KV heads of 128, one thread; medians of pairs', flush=True)
        subprocess.run([program, *ggml()], check=True)
        instructions(program)


if __name__ == '__main__':
    sys.exit(main())
