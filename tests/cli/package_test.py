#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian package and the archive of this build: contents, validity, installed and removed in a
folder of its own, run from there."""
import os
import shutil
import subprocess
import tempfile
import unittest

CLI = os.environ.get('KVGAUGE_CLI', 'build/native/kvgauge')
BUILD = os.path.dirname(os.path.abspath(CLI))


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, **more)


@unittest.skipUnless(shutil.which('dpkg-deb') and shutil.which('cpack'), 'no dpkg-deb or cpack')
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        made = run('cpack', '--config', os.path.join(BUILD, 'CPackConfig.cmake'), '-G', 'DEB;TGZ',
                   '-B', cls.folder.name, cwd=cls.folder.name)
        assert made.returncode == 0, made.stdout + made.stderr
        files = os.listdir(cls.folder.name)
        cls.deb = os.path.join(cls.folder.name, next(f for f in files if f.endswith('.deb')))
        cls.tar = os.path.join(cls.folder.name, next(f for f in files if f.endswith('.tar.gz')))
        cls.root = os.path.join(cls.folder.name, 'root')
        assert run('dpkg-deb', '-x', cls.deb, cls.root).returncode == 0

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, *parts):
        return os.path.join(self.root, 'usr', *parts)

    def test_it_holds_what_a_desktop_and_a_shell_look_for(self):
        for name in ('bin/kvgauge', 'share/applications/org.kvgauge.kvgauge.desktop',
                     'share/metainfo/org.kvgauge.kvgauge.metainfo.xml',
                     'share/icons/hicolor/scalable/apps/kvgauge.svg',
                     'share/icons/hicolor/512x512/apps/kvgauge.png',
                     'share/bash-completion/completions/kvgauge',
                     'share/zsh/vendor-completions/_kvgauge', 'share/doc/kvgauge/copyright'):
            self.assertTrue(os.path.getsize(self.path(name)) > 0, name)
        if shutil.which('lowdown'):
            with open(self.path('share/man/man1/kvgauge.1'), encoding='utf-8') as f:
                self.assertRegex(f.read(), r'\.TH "KVGAUGE" "1"')

    def test_the_archive_holds_the_same(self):
        names = run('tar', 'tzf', self.tar).stdout
        self.assertIn('/bin/kvgauge\n', names)
        self.assertIn('/share/bash-completion/completions/kvgauge\n', names)

    def test_it_names_the_libraries_it_needs_and_no_driver(self):
        depends = run('dpkg-deb', '-f', self.deb, 'Depends').stdout
        self.assertIn('libsdl2-2.0-0', depends)
        for word in ('nvidia', 'cuda', 'libcurl', 'libssl'):
            self.assertNotIn(word, depends)

    def test_the_program_runs_from_there(self):
        done = run(self.path('bin/kvgauge'), 'check', '--model', 'llama-3-8b')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_desktop_file_and_metainfo_are_valid(self):
        for tool, words, name in (
                ('desktop-file-validate', [], 'share/applications/org.kvgauge.kvgauge.desktop'),
                ('appstreamcli', ['validate', '--no-net'],
                 'share/metainfo/org.kvgauge.kvgauge.metainfo.xml')):
            if not shutil.which(tool):
                self.skipTest(f'no {tool}')
            done = run(tool, *words, self.path(name))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_dpkg_installs_and_removes_it(self):
        root = os.path.join(self.folder.name, 'installed')
        os.makedirs(os.path.join(root, 'var/lib/dpkg/updates'))
        os.makedirs(os.path.join(root, 'var/lib/dpkg/info'))
        for name in ('status', 'available'):
            open(os.path.join(root, 'var/lib/dpkg', name), 'w', encoding='utf-8').close()
        dpkg = ['dpkg', '--root=' + root, '--log=/dev/null', '--force-depends',
                '--force-script-chrootless', '--force-not-root']
        done = run(*dpkg, '-i', self.deb)
        self.assertEqual(done.returncode, 0, done.stderr)
        program = os.path.join(root, 'usr/bin/kvgauge')
        self.assertEqual(run(program, '--version').returncode, 0)
        self.assertEqual(run(*dpkg, '-r', 'kvgauge').returncode, 0)
        self.assertFalse(os.path.exists(program))

    def test_bash_offers_the_words_of_the_program(self):
        script = ('PATH={bin}:$PATH; . {file}; COMP_WORDS=(kvgauge {words}); '
                  'COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _kvgauge; '
                  'printf "%s\\n" "${{COMPREPLY[@]}}"')

        def offered(words):
            text = script.format(bin=self.path('bin'), words=words,
                                 file=self.path('share/bash-completion/completions/kvgauge'))
            return run('bash', '-c', text).stdout.split()
        self.assertIn('estimate', offered('est'))
        self.assertIn('--model', offered('estimate --mo'))
        self.assertEqual(offered('estimate --gpu l40s'), ['l40s-48gb'])
        self.assertEqual(offered('estimate --engine sg'), ['sglang'])
        self.assertEqual(offered('estimate --ep o'), ['off', 'on'])
        self.assertEqual(offered('list g'), ['gpus'])


class NoNetworkCode(unittest.TestCase):
    RESOLVERS = ('getaddrinfo', 'gethostbyname')
    SOCKETS = ('connect', 'socket', 'listen', 'accept', 'sendto')

    def undefined(self, file, *more):
        done = run('nm', '--undefined-only', *more, file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {line.split()[-1].split('@')[0] for line in done.stdout.splitlines() if ' U ' in line}

    def test_the_program_calls_no_resolver_and_no_connect(self):
        # Undefined symbols of the program itself; SDL and libc are other files. CUDA's static
        # runtime brings sockets for the processes of one machine, and no resolver.
        names = self.undefined(CLI, '-D')
        cuda = 'cudaLaunchKernel' in run('nm', '--defined-only', CLI).stdout
        for name in self.RESOLVERS + (() if cuda else self.SOCKETS):
            self.assertNotIn(name, names)

    def test_no_part_of_ours_calls_any(self):
        parts = [f for f in os.listdir(BUILD) if f.startswith('libkvg_') and f.endswith('.a')]
        self.assertGreater(len(parts), 5)
        for part in parts:
            names = self.undefined(os.path.join(BUILD, part))
            for name in self.RESOLVERS + self.SOCKETS:
                self.assertNotIn(name, names, part)


if __name__ == '__main__':
    unittest.main()
