#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The workflow files call targets that the Makefile has, and the Makefile presets that exist."""
import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / 'Makefile').read_text()
TARGETS = set(re.findall(r'^([\w-]+):', MAKEFILE, re.M))


class Workflows(unittest.TestCase):
    def test_they_call_targets_of_the_makefile(self):
        called = {}
        for file in sorted((ROOT / '.github/workflows').glob('*.yml')):
            called[file.stem] = set(re.findall(r'run: make ([\w-]+)', file.read_text()))
            self.assertLessEqual(called[file.stem], TARGETS, file.name)
        self.assertIn('test', called['test'])
        self.assertIn('site', called['pages'])
        self.assertIn('release', called['release'])

    def test_the_makefile_calls_presets_that_exist(self):
        presets = json.loads((ROOT / 'CMakePresets.json').read_text())
        workflows = {p['name'] for p in presets['workflowPresets']}
        variables = dict(re.findall(r'^(\w+) :?= (.*)$', MAKEFILE, re.M))
        found = set()
        for name in re.findall(r'--workflow --preset (\S+)', MAKEFILE):
            inner = re.fullmatch(r'\$\((\w+)\)', name)
            found |= set(re.search(r',([\w-]+),([\w-]+)\)', variables[inner.group(1)]).groups()) \
                if inner else {name}
        self.assertTrue(found)
        self.assertLessEqual(found, workflows)
        for p in presets['workflowPresets']:
            for step in p['steps']:
                self.assertIn(step['name'], {q['name'] for q in presets[step['type'] + 'Presets']},
                              p['name'])

    def test_every_target_is_phony(self):
        phony = set(re.search(r'^\.PHONY: (.*?[^\\])$', MAKEFILE, re.M | re.S).group(1)
                    .replace('\\', ' ').split())
        self.assertEqual(TARGETS, phony)


if __name__ == '__main__':
    unittest.main()
