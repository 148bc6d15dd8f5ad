#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rules for every tracked text file: licence line, encoding, no machine's own paths or registry hosts."""
import re
import unittest

import sources

SOURCES = ('.h', '.cc', '.c', '.cu', '.cuh', '.inc', '.js', '.mjs', '.py', '.sh', '.cmake', '.css')
TEXTS = SOURCES + ('.md', '.txt', '.tsv', '.csv', '.json', '.jsonl', '.html', '.yml', '.ts',
                   '.clang-format', '.gitignore', '.npmrc', '.svg', '.webmanifest', 'CMakeLists.txt',
                   'Makefile', '.ci/run')
# Written in parts, so that this file passes its own test.
HOSTS = re.compile('|'.join(a + r'\.' + b for a, b in [
    ('deb', r'debian\.org'), ('security', r'debian\.org'), ('snapshot', r'debian\.org'),
    ('registry', r'npmjs\.org'), ('registry', 'yarnpkg'), (r'\bpypi', 'org'), ('files', 'pythonhosted'),
    (r'\bcrates', 'io'), ('proxy', r'golang\.org'), (r'repo1?', 'maven')]))
MACHINE_PATHS = re.compile(r'(?<![\w.$}])/(?:' + '|'.join(['work', 'farm', 'root', 'home'])
                           + r')/[\w.]')
NAMESPACES = ('core/', 'kernels/', 'native/', 'web/')


class Style(unittest.TestCase):
    def check(self, suffixes, judge, prefix=('',)):
        found = []
        for path in sources.files(*suffixes):
            if path.startswith(prefix):
                found += [f'{path}: {what}' for what in judge(path, sources.read(path))]
        self.assertEqual(found, [], '\n' + '\n'.join(found))

    def test_sources_begin_with_the_licence_line(self):
        def judge(path, text):
            head = text.split('\n')[:2]
            if not any(line.strip().endswith('SPDX-License-Identifier: MIT') for line in head):
                yield 'no "SPDX-License-Identifier: MIT" in the first two lines'
        self.check(SOURCES + ('CMakeLists.txt',), judge)

    def test_headers_have_pragma_once(self):
        def judge(path, text):
            if '\n#pragma once\n' not in text:
                yield 'no #pragma once'
        self.check(('.h', '.cuh'), judge)

    def test_text_is_plain(self):
        def judge(path, text):
            if '\r' in text:
                yield 'carriage returns'
            if '\t' in text and not path.endswith(('.tsv', 'Makefile', '.jsonl')):
                yield 'tabs'
            if text and not text.endswith('\n'):
                yield 'no newline at the end'
            if text.endswith('\n\n'):
                yield 'blank lines at the end'
            if re.search(r'[ ]\n', text) and not path.endswith(('.md', '.tsv')):
                yield 'blanks at a line end'
        self.check(tuple(s for s in TEXTS), judge, ('core/', 'web/', 'native/', 'kernels/', 'site/',
                                                    'cmake/', 'tests/structure', 'tests/support',
                                                    'tests/run', '.ci/'))

    def test_no_registry_hosts(self):
        self.check(TEXTS, lambda path, text: [m.group(0) for m in HOSTS.finditer(text)])

    def test_no_paths_of_one_machine(self):
        def judge(path, text):
            if path.startswith('tests/data/') or path.endswith('package-lock.json'):
                return []  # logs and configs of others, quoted as they are
            return [m.group(0) for m in MACHINE_PATHS.finditer(text)]
        self.check(TEXTS, judge)

    def test_core_code_is_in_the_namespace(self):
        def judge(path, text):
            if 'namespace kvgauge' not in text and 'extern "C"' not in text \
                    and 'int main(' not in text and not re.search(r'^(using|#)', text, re.M):
                yield 'no namespace kvgauge'
        self.check(('.h', '.cc'), judge, ('core/',))

    def test_core_has_no_exceptions_locale_or_streams(self):
        words = re.compile(r'\b(throw|try|catch|typeid|dynamic_cast)\b\s*[({]?|'
                           r'#include <(locale|iostream|sstream|regex|fstream|cstdio|ctime)>')

        def judge(path, text):
            code = re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', '', text)
            return [m.group(0) for m in words.finditer(code)]
        self.check(('.h', '.cc'), judge, ('core/',))


if __name__ == '__main__':
    unittest.main()
