#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site's zip: equal folders give equal bytes, whatever their dates and the order they were
written in; another byte gives another zip."""
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / 'web/tools/archive.py'
FILES = {'index.html': b'<p>x</p>\n' * 50, 'fonts/b.otf': b'\0\1' * 300, 'fonts/a.otf': b'a',
         'index.html.br': b'br', 'icons/i.png': b'png'}


class Archive(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def zip(self, name, files, date):
        site = self.folder / name
        for file, content in files:
            (site / file).parent.mkdir(parents=True, exist_ok=True)
            (site / file).write_bytes(content)
            os.utime(site / file, (date, date))
        out = self.folder / (name + '.zip')
        env = {k: v for k, v in os.environ.items() if k != 'SOURCE_DATE_EPOCH'}
        subprocess.run([sys.executable, str(TOOL), str(site), str(out)], check=True, env=env)
        return out

    def test_equal_folders_equal_bytes(self):
        one = self.zip('one', FILES.items(), 1_000_000_000)
        two = self.zip('two', reversed(FILES.items()), 1_700_000_000)
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_another_byte_another_zip(self):
        one = self.zip('one', FILES.items(), 1_000_000_000)
        two = self.zip('two', {**FILES, 'fonts/a.otf': b'b'}.items(), 1_000_000_000)
        self.assertNotEqual(one.read_bytes(), two.read_bytes())

    def test_it_holds_the_folder(self):
        with zipfile.ZipFile(self.zip('one', FILES.items(), 1_000_000_000)) as archive:
            self.assertEqual(archive.namelist(), sorted('kvgauge/' + n for n in FILES))
            for name, content in FILES.items():
                self.assertEqual(archive.read('kvgauge/' + name), content)


if __name__ == '__main__':
    unittest.main()
