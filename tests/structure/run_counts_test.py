#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/run.py reads the closing lines of every runner right: a wrong count would hide a failure."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import run  # noqa: E402


class Counts(unittest.TestCase):
    def test_googletest(self):
        text = '''[==========] Running 4 tests from 1 test suite.
[       OK ] A.one (0 ms)
[       OK ] A.two (0 ms)
[  SKIPPED ] A.three (0 ms)
[  FAILED  ] A.four (0 ms)
[==========] 4 tests from 1 test suite ran. (1 ms total)
[  PASSED  ] 2 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] A.three
[  FAILED  ] 1 test, listed below:
[  FAILED  ] A.four
'''
        self.assertEqual(run.count(text, False), (2, 1, 1))

    def test_googletest_that_died_counts_a_failure(self):
        text = '[==========] Running 2 tests\n[       OK ] A.one (0 ms)\n[ RUN      ] A.two\n'
        self.assertEqual(run.count(text, False), (1, 1, 0))

    def test_unittest(self):
        self.assertEqual(run.count('Ran 5 tests in 0.1s\n\nOK (skipped=2)\n', True), (3, 0, 2))
        text = 'Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)\n'
        self.assertEqual(run.count(text, False), (1, 3, 1))

    def test_node(self):
        self.assertEqual(run.count('# tests 4\n# pass 3\n# fail 1\n# skipped 0\n', False), (3, 1, 0))
        self.assertEqual(run.count('ℹ pass 3\nℹ fail 0\nℹ skipped 2\n', True), (3, 0, 2))

    def test_plain_line(self):
        self.assertEqual(run.count('7 passed, 0 failed, 2 skipped\n', True), (7, 0, 2))
        self.assertEqual(run.count('cli: 7 passed, 1 failed\n', False), (7, 1, 0))

    def test_exit_status_wins_over_a_clean_count(self):
        self.assertEqual(run.count('7 passed, 0 failed\n', False), (7, 1, 0))
        self.assertEqual(run.count('Ran 5 tests in 0.1s\n\nOK\n', False), (5, 1, 0))

    def test_without_a_closing_line_it_is_one_test(self):
        self.assertEqual(run.count('hello\n', True), (1, 0, 0))
        self.assertEqual(run.count('', False), (0, 1, 0))


if __name__ == '__main__':
    unittest.main()
