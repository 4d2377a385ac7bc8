#!/usr/bin/env python3
"""Tests of .ci/prose: a checkout with one file, and the rules that its sentences break."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader('prose', str(Path(__file__).resolve().parent / 'prose'))
PROSE = importlib.util.module_from_spec(importlib.util.spec_from_loader('prose', LOADER))
LOADER.exec_module(PROSE)
LONG = ' '.join(['word'] * 25)
SIXES = ' '.join(['word'] * 6)
GLOSSARY = '\n'.join(f'| {term} | meaning |' for term in (
    'virtual channel, channel', 'buffer slot', 'network interface', 'route', 'current cycle', 'uncontended'))


class ProseTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        subprocess.run(['git', 'init', '--quiet', self.folder], check=True)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.set('ROOT', self.folder)

    def set(self, name, value):
        patch = mock.patch.object(PROSE, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding='utf-8')

    def prose(self, *options):
        """Exit status and output lines of a call."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), mock.patch.object(sys, 'argv', ['prose', *options]):
            return int(PROSE.main()), printed.getvalue().splitlines()

    def check(self, name, text, *broken):
        """`broken`: expected lines of --list, without the file's name and with a part of the sentence."""
        self.write(f'room/{name}', text)
        found = self.prose('--list', 'room')[1]
        self.assertEqual(len(found), len(broken), found)
        for line, expected in zip(sorted(found), sorted(broken)):
            place, _, part = expected.rpartition(': ')
            self.assertTrue(line.startswith(f'room/{name}:{place}: '), line)
            self.assertIn(part, line)
        (self.folder / 'room' / name).unlink()

    def check_text(self, sentence, *broken):
        """As check(), for a C++ literal."""
        self.check('a.cpp', f'const char* text = "{sentence}";\n', *broken)

    def test_openings(self):
        self.check('a.h', '// What it is.\n', '1: opening (What): What it is.')
        self.check('a.h', 'int a;  ///< of a message\n', '1: opening (of): of a message')
        self.check('a.h', '// Whose it is. That is so.\n', '1: opening (Whose): Whose it is', '1: opening (That): That is so')
        self.check('a.h', '// "What" it is.\n// A part of it, that it has. Whatever. Off. What-if runs.\n', '1: opening ("What): it is')

    def test_words(self):
        self.check('a.h', '// Has so many.\n', '1: so many: Has')
        self.check('a.h', '// Waits, and nobody looks.\n', '1: nobody: looks')
        self.check('a.h', '// A `nobody` of `so many`.\n')

    def test_lengths(self):
        self.check('a.h', f'// {LONG}.\n')
        self.check('a.h', f'// {LONG} word.\n', '1: long (26 words): word.')
        self.check('a.h', f'// {LONG}: `code in words`.\n', '1: long (26 words): code.')
        self.check('a.h', f'// {LONG}, e.g. Word.\n', '1: long (27 words): Word')
        self.check('a.h', f'// {LONG}. {LONG}! {LONG}? {LONG}\n')

    def test_second_names(self):
        for text, name in {'its free lane.': 'lane', 'The lanes.': 'lanes', 'Has places in its buffer.': 'places in its buffer',
                           'The ends of a network.': 'ends of a network', 'The ways of messages.': 'ways of messages',
                           'In the present cycle.': 'present cycle', 'All of the packet\'s way.': 'packet\'s way'}.items():
            self.check('a.h', f'// {text}\n', f'1: second name ({name}: {text}')
        self.check('a.h', '// A `lane`, a planet, a place in the queue, an end of a run, decimal places.\n')

    def test_comments_of_consecutive_lines_are_one(self):
        self.check('a.h', '// A part,\n// of two.\n// Of three,\n// and four.\n', '3: opening (Of): Of three, and four.')
        self.check('a.h', 'int a;  // A part,\n        // of two.\nint b;  // of b\n', '3: opening (of): of b')
        self.check('a.h', '// A part,\n\n// of two.\n', '3: opening (of): of two')
        self.check('a.h', '// A part,\n//\n// of two.\n', '3: opening (of): of two')
        self.check('a.h', '// A part,\n    // of two.\n', '2: opening (of): of two')

    def test_kinds_of_comments_in_c(self):
        self.check('a.c', '/* A part,\n * of two.\n *\n * Of four. */\n', '4: opening (Of): Of four')
        self.check('a.S', '        nop     /* of no effect */\n', '1: opening (of): of no')
        self.check('a_test.cpp', '//! What it tests.\n', '1: opening (What): What it')
        self.check('a.h', '/// A part.\n/// \\param x of two\n/// \\return what it is\n', '2: opening (of): of two', '3: opening (what): it is')
        self.check('a.h', '// Parts:\n// - of one\n// - of two\n//   or three\n', '2: opening (of): of one', '3: opening (of): or three')
        self.check('a.h', "int a = 1'000;  // of it\nchar b = '\"';  // of it\n", '1: opening (of): of it', '2: opening (of): of it')
        self.check('a.cpp', 'auto a = "// of it";\n')

    def test_parts_of_comments_that_are_no_prose(self):
        self.check('a.h', '#include "of/that.h"\n// NOLINTNEXTLINE(of-what): of two\n', '2: opening (of): of two')
        self.check('a.h', f'// SPDX-License-Identifier: {LONG} {LONG}\nint a = f(/*of=*/1);\n}}  // namespace of::what\n')
        self.check('a.h', f'// Called so:\n//    of {LONG}\n// and so on.\n')
        self.check('a.h', '//   --of FILE  what it is of\n//   --at       of two\n', '1: opening (what): what it', '2: opening (of): of two')
        self.check('a.h', '// ------- Of two\n// A part.\n', '1: opening (Of): Of two')

    def test_comments_of_scripts(self):
        self.check('a.sh', '#!/bin/sh\necho "$#" # of it\n# Of two,\n# of three.\necho "a # of it"\n', '2: opening (of): of it',
                   '3: opening (Of): of three')
        self.check('a', '#!/usr/bin/env bash\n# shellcheck disable=SC1 # of it\n', '2: opening (of): of it')
        self.check('CMakeLists.txt', 'set(A "# of it")  # of two\n', '1: opening (of): of two')
        self.check('a.py', '"""Of a file."""\na = """of it"""  # of two\n', '1: opening (Of): Of a', '2: opening (of): of two')
        self.check('a.py', 'def f():\n    """What it does.\n\n    Of two.\n    """\n', '2: opening (What): does', '4: opening (Of): two')
        self.check('a.m', 'x: 1; -- of it\n', '1: opening (of): of it')

    def test_texts_of_toml(self):
        self.check('a.toml', '# Of a file\ntitle = "what # it is of"\nx = "of a thing or two"\n', '1: opening (Of): Of a file',
                   '2: opening (what): it is of')
        self.check('a.toml', 'ours = { label = "of all the nodes" }\nfindings = ["that it is there", "b"]\n',
                   '1: opening (of): of all', '2: opening (that): that it')
        self.check('a.json', '{"description": "What it is of", "default": "of all the nodes"}\n', '1: opening (What): What it')

    def test_texts_of_python(self):
        self.check('a.py', 'raise Error("What the part is "\n            f"{of + that} it has. Of two.")\n', '1: opening (What): it has.',
                   '1: opening (Of): Of two')
        self.check('a.py', 'x = r"of all the nodes" + "of {} all"\ny = f"of all the {n(1)} nodes"\n', '2: opening (of): of all')
        self.check('a_test.py', 'x = "of all the nodes"\n')

    def test_texts_of_scripts(self):
        self.check('a.sh', '#!/bin/sh\nsay "What the $part is now"\nx="of all the nodes"\nfail 2 "$log" "of all the nodes"\n'
                   "printf 'of all the nodes'\n",
                   '2: opening (What): What the', '4: opening (of): of all',
                   '5: opening (of): of all the')
        self.check('a', "#!/usr/bin/env bash\ncat <<'END'\nWhat the part is\n  --all   of all the nodes\nEND\n", '2: opening (What): What the',
                   '2: opening (of): of all')
        self.check('CMakeLists.txt', 'message(FATAL_ERROR "of all the nodes")\nset(A "of all the nodes")\n', '1: opening (of): of all')

    def test_texts_of_cpp(self):
        self.check_text('What the part is', '1: opening (What): What the part is')
        self.check_text('of three words')
        self.check_text('A part." " That is of all nodes', '1: opening (That): That is')
        self.check_text(' of the messages left', )
        self.check_text('a part;\\nthat is no SQL', )
        self.check_text('A first line.\\nWhat the second line says', '1: opening (What): What the second')
        self.check_text('  --all    what it is of', '1: opening (what): what it is of')
        self.check_text(f'{SIXES} {SIXES} {SIXES} {SIXES} {SIXES}', '1: long (30 words): word')
        self.check('a_test.cpp', 'auto a = "What the part is";\n')
        self.check('a.cpp', 'auto a = "A part "\n         "of all nodes. "\n         "Of two of them.";\n', '1: opening (Of): Of two')

    def test_literals_that_are_no_prose(self):
        self.check_text('SELECT a FROM that AND what WHERE nobody')
        self.check_text('set key above left horizontal ' + 'reverse ' * 25 + '\\nset format x')
        self.check_text('of {} % {} {} what that')
        self.check_text('of a = that(b); what();')
        self.check_text('return of what nobody has;')
        self.check('a.cpp', 'auto a = R"(of_what = 1\nthat = 2\n  // Of two.\n)";\n', '3: opening (Of): Of two')
        self.check('a.cpp', 'auto a = R"sql(CREATE TABLE a (  -- of it\n  b TEXT)  -- )";\n)sql";\n', '1: opening (of): of it')

    def test_pages(self):
        self.check('a.md', f'# What it is\n\nWhat is it? What it is.\n\n| what it does | {LONG} word |\n| --- | --- |\n| of one | of two |\n',
                   '3: opening (What): What it is.', '7: opening (of): of one', '7: opening (of): of two')
        self.check('a.md', '```\nOf two\n```\n<!-- of two\n-->\n[What it is](of-it.md).\n', '6: opening (What): What it is')
        self.check('a.md', '# So many lanes\n', '1: so many, second name (lanes: virtual channel): lanes')

    def test_exceptions(self):
        self.write('.ci/prose.exceptions', '# Reasons.\nroom/a.h | What it is | the title of a paper\n')
        self.check('a.h', '// What it is. What it does.\n', '1: opening (What): What it does')
        self.check('b.h', '// What it is.\n', '1: opening (What): What it is')

    def test_faults_of_exceptions(self):
        self.write('README.md', f'## Words\n\n| word | meaning |\n| --- | --- |\n{GLOSSARY}\n')
        self.write('.ci/prose.exceptions', 'room/a.h | What it is | \n')
        self.assertIn('accepted: FILE', self.prose('--clean')[1][-1])
        self.write('.ci/prose.exceptions', 'room/a.h | What it is | a title\n')
        self.assertIn('nothing needs', self.prose('--clean')[1][-1])
        self.write('.ci/prose.exceptions', 'room/a.h | What it is | a title\n' * 51)
        self.assertIn('found 51', self.prose('--clean')[1][0])

    def test_clean(self):
        self.write('README.md', f'## Words\n\n| word | meaning |\n| --- | --- |\n{GLOSSARY}\n')
        self.write('room/a.h', '// What it is.\n')
        self.write('other/a.h', '// Of two.\n')
        self.assertEqual(self.prose('--clean'), (1, ['other/a.h:1: opening (Of): Of two.', 'room/a.h:1: opening (What): What it is.']))
        self.write('room/a.h', '// A part.\n')
        self.write('other/a.h', '// Two parts.\n')
        self.assertEqual(self.prose('--clean'), (0, []))

    def test_glossary(self):
        self.write('README.md', f'## Words\n\n| word | meaning |\n| --- | --- |\n{GLOSSARY}\n'.replace('| route |', '| way |'))
        self.assertEqual(self.prose('--clean'), (1, ['README.md: the glossary (## Words) has no "route"']))
        self.write('README.md', '## Words\n\n' + f'| word | meaning |\n| --- | --- |\n{GLOSSARY}\n' + '| w | m |\n' * 20)
        self.assertIn('found 26 terms', self.prose('--clean')[1][0])

    def test_count(self):
        self.write('room/a.h', '// What it is. Of so many.\n')
        self.write('experiments/deep/er/a.h', '// A part.\n')
        rows = [row.split() for row in self.prose('--count')[1]]
        self.assertIn(['room', '2', '2', '2', '1', '0', '0', '0'], rows)
        self.assertIn(['experiments/deep', '1', '0', '0', '0', '0', '0', '0'], rows)
        rows = [row.split()[:2] for row in self.prose('--count', 'experiments/deep')[1]]
        self.assertEqual(rows[1:], [['experiments/deep/er', '1'], ['all', '1']])

    def test_drawn_sentences(self):
        self.write('a.h', ''.join(f'// Number {i} of the flits.\nint f{i};\n' for i in range(50)))
        self.write('a.md', 'Pages are not drawn.\n')

        def drawn(count, seed):
            status, lines = self.prose('--draw', str(count), str(seed))
            self.assertEqual(status, 0)
            return lines

        self.assertEqual(len(drawn(10, 1)), 10)
        self.assertEqual(drawn(10, 1), drawn(10, 1))
        self.assertNotEqual(drawn(10, 1), drawn(10, 2))
        self.assertEqual(len(drawn(100, 1)), 50)
        self.assertRegex(drawn(1, 1)[0], r'^a\.h:\d+: Number \d+ of the flits\.$')

    def test_lengths_of_pages(self):
        self.write('a.md', 'Some words. Two of them.\n\nOf it.\n')
        self.assertEqual(self.prose('a.md'), (0, ['a.md: 3 sentences, 2.3 words a sentence, 0.0 % over 25']))
        self.write('a.md', f'{LONG} {SIXES} {SIXES}.\n')
        status, lines = self.prose('a.md')
        self.assertEqual(status, 1)
        self.assertIn('a.md:1: a sentence of 37 words; accepted: at most 35', lines[0])
        self.assertIn('at most 18', lines[2])
        self.assertIn('at most 5 %', lines[3])
        self.write('weir.txt', f'  --one N   {SIXES} {SIXES}\n            {SIXES}\n  --two     {SIXES}\n')
        self.assertEqual(self.prose('weir.txt')[1], ['weir.txt: 2 sentences, 12.0 words a sentence, 0.0 % over 25'])


if __name__ == '__main__':
    unittest.main()
