#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every #include against the table of ARCHITECTURE.md: who may see whom.

Separate CMake targets already hide foreign modules; this test also catches system headers (which no
target can hide), files that no target compiles, and an edit of the table in CMake alone.
"""
import re
import unittest

import sources

CORE = {'model', 'engine', 'estimate', 'data', 'import', 'text', 'probe', 'ui'}
# Rows and columns of the table. 'c:' is a core module; the others are libraries.
ALLOWED = {
    'model': {'model'},
    'engine': {'model', 'engine', 'data'},
    'estimate': {'model', 'engine', 'estimate', 'data'},
    'data': {'model', 'data'},
    'import': {'model', 'data', 'import', 'json'},
    'text': {'model', 'engine', 'estimate', 'data', 'import', 'text', 'probe', 'json', 'fmt',
             'fast_float'},
    'probe': {'model', 'probe'},
    'ui': CORE | {'imgui'},
    'ui/sdl': {'model', 'ui', 'ui/sdl', 'imgui', 'imgui_backends', 'sdl', 'gl'},
    'kernels': {'kernels', 'cuda'},
    'probe_cpu': {'model', 'probe', 'native', 'kernels'},
    'native': CORE | {'ui/sdl', 'native', 'kernels', 'imgui', 'imgui_backends', 'sdl', 'gl', 'fmt',
                      'fast_float', 'cli11', 'system'},
    'web': CORE | {'ui/sdl', 'web', 'native', 'imgui', 'imgui_backends', 'sdl', 'gl', 'emscripten',
                   'kernels', 'simd'},
}
# native/probe_cuda alone touches the CUDA runtime.
EXTRA = {'native/probe_cuda': {'cuda'}, 'kernels/cpu/': {'simd', 'system'},
         'kernels/cuda/gemm': {'system'}, 'native/probe_cpu': {'system'},
         'kernels/': {'simd'}}
LIBRARIES = [
    ('json', r'rapidjson/'), ('fmt', r'fmt/'), ('fast_float', r'fast_float/'), ('cli11', r'CLI/'),
    ('imgui_backends', r'imgui_impl_'), ('imgui', r'im(gui|config|stb)'),
    ('sdl', r'SDL'), ('gl', r'(GL|GLES\d|EGL)/'),
    ('emscripten', r'emscripten'), ('cuda', r'(cuda|cublas|cooperative_groups|mma\.h|nvml|cub/|nv/)'),
    ('simd', r'(immintrin|x86intrin|arm_neon|wasm_simd128)'),
    ('system', r'(dlfcn|unistd|fcntl|dirent|signal|pthread|poll|spawn|sched|windows|sys/)'),
]
STANDARD = re.compile(r'[a-z0-9_]+(\.h)?$')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def part_of(path):
    """The row of the table that this file belongs to."""
    top, _, rest = path.partition('/')
    if top == 'core':
        if rest.startswith('ui/sdl/'):
            return 'ui/sdl'
        return rest.split('/')[0] if '/' in rest else 'estimate'
    return 'probe_cpu' if path.startswith('native/probe_cpu') else top


def seen(name, quoted):
    """The column of the table that an include belongs to; None: the standard library."""
    if quoted:
        if name.startswith('ui/sdl/'):
            return 'ui/sdl'
        top = name.split('/')[0]
        if '/' in name and top in CORE | {'kernels', 'native', 'web'}:
            return top
        if name == 'estimate.h':
            return 'estimate'
    for library, pattern in LIBRARIES:
        if re.match(pattern, name):
            return library
    return None if STANDARD.match(name) else f'unknown <{name}>'


def violations(path, text):
    part = part_of(path)
    allowed = set(ALLOWED[part])
    for start, more in EXTRA.items():
        if path.startswith(start):
            allowed |= more
    for quote, name in INCLUDE.findall(text):
        if quote == '"' and ('/' not in name or name.endswith('.inc')) and name != 'estimate.h':
            if not re.match(r'im|SDL', name):
                continue  # a file beside it, of the same part
        column = seen(name, quote == '"')
        if column is not None and column not in allowed:
            yield f'{path}: {part} must not include "{name}" ({column})'


class IncludeTable(unittest.TestCase):
    def test_every_include_follows_the_table(self):
        found = []
        for path in sources.files('.h', '.cc', '.c', '.cu', '.cuh', '.inc'):
            if path.split('/')[0] in ('core', 'kernels', 'native', 'web'):
                found += violations(path, sources.read(path))
        self.assertEqual(found, [], '\n' + '\n'.join(found))

    def test_forbidden_includes_are_seen(self):
        for path, line in [('core/model/a.h', '#include "engine/engine.h"'),
                           ('core/engine/a.cc', '#include "estimate.h"'),
                           ('core/engine/a.cc', '#include <fmt/format.h>'),
                           ('core/model/a.cc', '#include <rapidjson/document.h>'),
                           ('core/import/a.cc', '#include "engine/engine.h"'),
                           ('core/ui/a.cc', '#include <SDL.h>'),
                           ('core/ui/a.cc', '#include "imgui_impl_sdl2.h"'),
                           ('core/ui/a.cc', '# include <emscripten.h>'),
                           ('core/ui/sdl/a.cc', '#include "text/report.h"'),
                           ('core/text/a.cc', '#include <CLI/CLI.hpp>'),
                           ('core/text/a.cc', '#include <unistd.h>'),
                           ('kernels/a.cu', '#include "model/units.h"'),
                           ('native/cli.cc', '#include <cuda_runtime.h>'),
                           ('web/a.cc', '#include <CLI/CLI.hpp>'),
                           ('core/model/a.cc', '#include <boost/any.hpp>')]:
            self.assertTrue(list(violations(path, line + '\n')), f'{path}: {line}')

    def test_allowed_includes_pass(self):
        for path, line in [('core/text/a.cc', '#include <fmt/format.h>'),
                           ('core/estimate.cc', '#include "engine/engine.h"'),
                           ('core/ui/sdl/a.cc', '#include <SDL.h>'),
                           ('native/probe_cuda.cc', '#include <cuda_runtime.h>'),
                           ('native/probe_cuda.cc', '#include "kernels/launch.h"'),
                           ('core/model/a.cc', '#include <vector>'),
                           ('web/a.cc', '#include <emscripten.h>')]:
            self.assertEqual(list(violations(path, line + '\n')), [])


if __name__ == '__main__':
    unittest.main()
