#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cmake/release.py on a made-up tree: what it refuses, what a dry run says, what it gathers."""
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOG = '# Changelog\n\n## 1.2.0 (2026-11-30)\n- A thing.\n\n## 1.1.0 (2026-10-01)\n- Older.\n'


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write('CMakeLists.txt', 'project(kvgauge VERSION 1.2.0 LANGUAGES CXX)\n')
        self.write('native/packaging/share/metainfo/k.metainfo.xml',
                   '<release version="1.2.0" date="2026-11-30"/>\n')
        self.write('CHANGELOG.md', LOG)
        self.write('.gitignore', '/build/\n')
        self.git('init', '-q', '-b', 'main')
        self.commit()
        self.git('tag', 'v1.1.0')

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def git(self, *words):
        subprocess.run(['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', *words],
                       cwd=self.root, check=True, capture_output=True)

    def commit(self):
        self.git('add', '-A')
        self.git('commit', '-q', '--allow-empty', '-m', 'x')

    def release(self, *words, version='1.2.0'):
        return subprocess.run([sys.executable, str(ROOT / 'cmake/release.py'), version, '--root',
                               str(self.root), *words], capture_output=True, text=True)

    def refused(self, text, version='1.2.0'):
        done = self.release('--dry-run', version=version)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(text, done.stderr)

    def test_a_dry_run_builds_nothing_and_says_what_it_would(self):
        done = self.release('--dry-run', '--make', 'make CUDA=0')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('+ make CUDA=0 package\n+ make CUDA=0 site\n', done.stdout)
        self.assertFalse((self.root / 'build').exists())

    def test_another_version(self):
        self.refused('CMakeLists.txt says 1.2.0, not 1.3.0', '1.3.0')
        self.refused('has no section "## 1.3.0"', '1.3.0')
        self.refused('its first release is not 1.3.0', '1.3.0')
        self.refused('is not MAJOR.MINOR.PATCH', '1.2')

    def test_a_section_that_is_not_finished(self):
        for text, said in ((LOG.replace('2026-11-30', 'unreleased'), 'needs a date'),
                           (LOG.replace('- A thing.\n', ''), 'is empty')):
            self.write('CHANGELOG.md', text)
            self.commit()
            self.refused(said)

    def test_changes_that_are_not_committed(self):
        self.write('new.txt', 'x\n')
        self.refused('not committed')

    def test_tags(self):
        self.git('tag', 'v1.2.0')
        self.assertEqual(self.release('--dry-run').returncode, 0)  # the tag that a workflow runs for
        self.commit()
        self.refused('the tag v1.2.0 is another commit')
        self.git('tag', '-d', 'v1.2.0')
        self.git('tag', 'v1.10.0')  # compared by number, not by letter
        self.refused('is not above 1.10.0')

    def test_it_gathers_and_sums(self):
        names = {'build/package/kvgauge_1.2.0_amd64.deb': 'd',
                 'build/package/kvgauge-1.2.0-x86_64.tar.gz': 't',
                 'build/package/kvgauge-site.zip': 'z', 'build/site-single/kvgauge.html': 'h'}
        for name, text in names.items():
            self.write(name, text)
        done = self.release('--built')
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.root / 'build/release'
        self.assertEqual((out / 'NOTES.md').read_text(), '- A thing.\n')
        sums = dict(reversed(line.split('  ')) for line in
                    (out / 'SHA256SUMS').read_text().splitlines())
        self.assertEqual(sums, {os.path.basename(n): hashlib.sha256(t.encode()).hexdigest()
                                for n, t in (('kvgauge_1.2.0_amd64.deb', 'd'),
                                             ('kvgauge-1.2.0-x86_64.tar.gz', 't'),
                                             ('kvgauge-site-1.2.0.zip', 'z'),
                                             ('kvgauge-1.2.0.html', 'h'))})

    def test_a_package_that_is_not_there(self):
        done = self.release('--built')
        self.assertEqual(done.returncode, 1)
        self.assertIn('holds 0 files', done.stderr)


if __name__ == '__main__':
    unittest.main()
