#!/usr/bin/env python3
"""Tests of .ci/figures: a checkout with a page and a program of its own."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

FIGURES = Path(__file__).resolve().parent / 'figures'
PROGRAM = """#!/bin/sh
echo "$*" >>"$CALLS"
case "$1 $2" in
    "run experiments/fails.toml") echo "weir: no such kernel" >&2; exit 2 ;;
    run*)
        mkdir -p results/point-01-seed-1
        printf 'part,statistic,value\\nnode_0,hits,3\\nnode_1,hits,4\\n' >results/point-01-seed-1/statistics.csv
        cat experiments/result.json ;;
    "sweep show") if [ "$4" ]; then cat experiments/sweep.csv; else printf 'lock: 1.5 ±\n  0.25 of all\n'; fi ;;
    report*) mkdir drawings && echo page | tee page.html && printf 'x,y\n1,2.5\n' >drawings/figure-02-more-lines.csv ;;
    model*) echo '{"outputs": {"cycles": {"value": 12.25, "symbol": "R"}}}' ;;
    text*) echo 'in all: 1,234 pairs' ;;
esac
"""
RESULT = {'measured': {'makespan_cycles': 71147.4}, 'confidence_half_width_95': {'makespan_cycles': 10.25}}
SWEEP = 'label,lock,seed,measured.cycles\n,queue,1,100\n,queue,2,300\n,test,1,1000\n,test,2,1000\n'
NAMES = {'one': 'one = weir run experiments/a.toml', 'locks': 'locks = weir sweep experiments/a.toml'}


def named(text):
    """Page with the text and the definitions of the names used in it; always with the same number of lines."""
    return '\n'.join(['<!-- figures', *(line * (f'{name}.' in text) for name, line in NAMES.items()), '-->', text])


class FiguresTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / '.ci').mkdir()
        (self.folder / 'experiments').mkdir()
        shutil.copy(FIGURES, self.folder / '.ci/figures')
        self.write('program', PROGRAM)
        self.write('.gitignore', 'build\nprogram\ncalls\n')
        self.write('experiments/a.toml', 'extends = "alewife"\n')
        self.write('experiments/result.json', json.dumps(RESULT))
        self.write('experiments/sweep.csv', SWEEP)
        (self.folder / 'program').chmod(0o755)
        subprocess.run(['git', 'init', '--quiet', self.folder], check=True)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding='utf-8')

    def figures(self, page, *options):
        """Writes a page and renews its figures."""
        self.write('page.md', page)
        return subprocess.run([self.folder / '.ci/figures', '--program', self.folder / 'program', *options], capture_output=True,
                              text=True, check=False, env={**os.environ, 'CALLS': str(self.folder / 'calls')})

    def page(self):
        return (self.folder / 'page.md').read_text(encoding='utf-8')

    def calls(self):
        return (self.folder / 'calls').read_text().splitlines()

    def check_renewed(self, text, mark, renewed):
        """Checks that renewing the text's figures, and those in its mark, gives `renewed`."""
        end = self.figures(named(f'\n{text}\n<!--= {mark} -->\n'))
        self.assertEqual(end.returncode, 0, end.stderr)
        self.assertEqual(self.page().split('-->\n\n')[1].split('\n<!--')[0], renewed)

    def check_fault(self, page, line, *words):
        end = self.figures(page)
        self.assertEqual(end.returncode, 2)
        self.assertIn(f'page.md:{line}: ', end.stderr)
        for word in words:
            self.assertIn(word, end.stderr)
        self.assertEqual(self.page(), page)

    def test_a_figure_is_renewed_in_the_text_and_in_its_mark(self):
        end = self.figures(named('\nIt takes 70,000 cycles.\n<!--= 70,000 = one.makespan_cycles -->\n'))
        self.assertEqual(self.page(), named('\nIt takes 71,147 cycles.\n<!--= 71,147 = one.makespan_cycles -->\n'))
        self.assertIn('page.md:6: 70,000 -> 71,147', end.stdout)

    def test_a_renewed_page_changes_no_more(self):
        self.figures(named('\nIt takes 70,000 cycles.\n<!--= 70,000 = one.makespan_cycles -->\n'))
        end = self.figures(self.page(), '--check')
        self.assertEqual((end.returncode, end.stdout), (0, 'figures: 1 marks, 0 figures differ\n'))

    def test_check_writes_nothing_and_fails(self):
        page = named('\nIt takes 70,000 cycles.\n<!--= 70,000 = one.makespan_cycles -->\n')
        end = self.figures(page, '--check')
        self.assertEqual((end.returncode, self.page()), (1, page))

    def test_decimals_and_separators_stay(self):
        self.check_renewed('in 5.25 and 999', '5.25 = one.makespan_cycles; 999 = 10 * one.makespan_cycles',
                           'in 71,147.40 and 711,474')
        self.check_renewed('in 5071 cycles', '5071 = one.makespan_cycles', 'in 71147 cycles')

    def test_signs_stay(self):
        self.check_renewed('+5 % and \u22125 % and -5 %', '+5 = 3; \u22125 = -4; -5 = -6', '+3 % and \u22124 % and -6 %')
        self.check_renewed('+5 % and 5 %', '+5 = 0.1; 5 % = -7', '0 % and \u22127 %')

    def test_words_say_which_of_equal_numbers_is_meant(self):
        self.check_renewed('4 ways cost\n4 cycles', 'cost 4 = 6', '4 ways cost\n6 cycles')

    def test_a_number_within_another_is_not_meant(self):
        self.check_renewed('1,400 and 4.5 and x4 and 4', '4 = 6', '1,400 and 4.5 and x4 and 6')

    def test_an_interval_has_two_numbers(self):
        self.check_renewed('in 1.0 \u00b1 2.0 cycles', '1.0 \u00b1 2.0 = one.interval("makespan_cycles")',
                           'in 71,147.4 \u00b1 10.2 cycles')

    def test_a_sweep_has_means_over_seeds(self):
        self.check_renewed('5 and 6 %', '5 = locks.mean("cycles", lock="queue"); 6 = '
                           'less(locks.mean("cycles", lock="queue"), locks.mean("cycles", lock="test"))', '200 and 80 %')

    def test_a_sweep_has_intervals_over_seeds(self):
        self.check_renewed('in 1.0 ± 2.0 cycles', '1.0 ± 2.0 = locks.interval("cycles", lock="queue")',
                           'in 200.0 ± 1,270.6 cycles')

    def test_a_sweep_has_what_its_page_shows(self):
        self.check_renewed('1.0 ± 2.0 and 3.0', '1.0 ± 2.0 = locks.number("lock: ([0-9.]+) ± ([0-9.]+) of"); '
                           '3.0 = locks.drawing("More Lines").the("y", x=1)', '1.5 ± 0.2 and 2.5')

    def test_statistics_of_a_run_are_summed(self):
        self.check_renewed('5 and 6', '5 = one.statistic("hits"); 6 = one.statistic("hits", "node_1")', '7 and 4')

    def test_models_and_texts_are_results(self):
        names = '<!-- figures\nm = weir model lopc\nt = weir text\nboth = lambda: m.cycles + t.number("all: ([0-9,]+)")\n-->\n'
        self.figures(names + '\n1.00 and 5\n<!--= 1.00 = m.cycles; 5 = both() -->\n')
        self.assertIn('\n12.25 and 1,246\n', self.page())

    def test_a_block_is_what_its_command_prints(self):
        self.figures('<!-- weir text -->\nin all: 5 pairs\nmore\n<!-- end -->\n')
        self.assertEqual(self.page(), '<!-- weir text -->\nin all: 1,234 pairs\n<!-- end -->\n')

    def test_a_table_is_renewed_row_by_row(self):
        table = '| lock | mean | last | said |\n| --- | --- | --- | --- |\n| `queue` | 1 | \u2013 | 7 |\n| test | 1 | 5 | 7 |'
        self.check_renewed(table, 'table [[locks.mean("cycles", lock=row), _ if row == "queue" else 6] for row in rows]',
                           table.replace('queue` | 1', 'queue` | 200').replace('test | 1 | 5', 'test | 1,000 | 6'))

    def test_a_table_of_changes_is_signed(self):
        table = '| of | change |\n| --- | --- |\n| a | +1.0 % |\n| b | 0.0 % |\n| c | 3.0 % |'
        self.check_renewed(table, 'table [1.5, 2.5, 4]',
                           table.replace('+1.0', '+1.5').replace('| 0.0', '| +2.5').replace('3.0', '4.0'))

    def test_a_command_runs_once_until_its_files_change(self):
        page = named('\n5\n<!--= 5 = one.makespan_cycles -->\n\n6\n<!--= 6 = one.makespan_cycles -->\n')
        self.figures(page)
        self.figures(page)
        self.assertEqual(len(self.calls()), 1)
        self.write('experiments/a.toml', 'extends = "b.toml"\n')
        self.figures(page)
        self.assertEqual(len(self.calls()), 2)
        self.write('experiments/b.toml', '\n')
        self.figures(page)
        self.assertEqual(len(self.calls()), 3)
        self.assertEqual(len(list((self.folder / 'build/figures').iterdir())), 1)

    def test_commands_may_read_files_that_the_page_shows(self):
        shown = 'This is `mine.toml`:\n\n```toml\na = 1\n```\n\n'
        page = shown + '<!-- figures\none = weir run mine.toml\n-->\n\n5\n<!--= 5 = one.makespan_cycles -->\n'
        self.assertEqual(self.figures(page).returncode, 0)
        self.figures(page.replace('a = 1', 'a = 2'))
        self.assertEqual(len(self.calls()), 2)

    def test_one_command_may_prepare_another(self):
        self.figures('<!-- figures\none = weir text a.c && weir run experiments/a.toml\n-->\n\n5\n'
                     '<!--= 5 = one.makespan_cycles + one.text("statistics.csv").number("node_1,hits,([0-9]+)") -->\n')
        self.assertIn('\n71,151\n', self.page())
        self.assertEqual(self.calls(), ['text a.c', 'run experiments/a.toml --json --out results'])

    def test_a_run_may_be_read_by_another(self):
        self.figures('<!-- figures\none = weir run experiments/a.toml --out first && weir run experiments/a.toml\n-->\n\n5\n'
                     '<!--= 5 = one.makespan_cycles -->\n')
        self.assertEqual(self.calls(), ['run experiments/a.toml --out first --json', 'run experiments/a.toml --json --out results'])

    def test_marks_alone_run_nothing(self):
        end = self.figures(named('\nIt takes 70,000 cycles.\n<!--= 70,000 = one.makespan_cycles -->\n'), '--marks')
        self.assertEqual(end.returncode, 0)
        self.assertFalse((self.folder / 'calls').exists())

    def test_commands_are_listed_with_their_seconds(self):
        page = named('\n5\n<!--= 5 = one.makespan_cycles -->\n')
        self.figures(page)
        listed = self.figures(page, '--list').stdout
        self.assertRegex(listed, r'one: weir run experiments/a.toml: \d+\.\d s')
        listed = self.figures(named('\n5\n<!--= 5 = locks.mean("cycles") -->\n'), '--list').stdout
        self.assertIn('locks: weir sweep experiments/a.toml: not run yet', listed)

    def test_code_has_no_marks(self):
        page = '```\n<!--= 5 = nothing -->\n```\nA mark is `<!--= 5 = nothing -->`.\n'
        self.assertEqual(self.figures(page).returncode, 0)

    def test_faults_tell_their_line(self):
        self.check_fault(named('\n5\n<!--= 6 = one.makespan_cycles -->\n'), 7, "'6'")
        self.check_fault(named('\n5\n<!--= 5 -->\n'), 7, "'5'", 'FIGURE = EXPRESSION')
        self.check_fault(named('\n5\n<!--= 5 = two.makespan_cycles -->\n'), 7, "'two'")
        self.check_fault(named('\n5\n<!--= 5 = one.makespan_cycle -->\n'), 7, "'makespan_cycle'", "'makespan_cycles'")
        self.check_fault(named('\n5\n<!--= 5 = locks.mean("cycles", lock="que") -->\n'), 7, "'que'", "'queue'")
        self.check_fault(named('\n5\n<!--= 5 = "text" -->\n'), 7, "'text'")
        self.check_fault(named('\n5\n<!--= 5 = 1 / 0 -->\n'), 7, '1 / 0')
        self.check_fault(named('\n5\n<!--= 5 = (1 -->\n'), 7, '(1')
        self.check_fault(named('\n5\n<!--= table [1] -->\n'), 7, 'table')
        self.check_fault(named('\n| a | b |\n| - | - |\n| c | 1 |\n<!--= table [1, 2] -->\n'), 9, '1 rows', '2')
        self.check_fault('<!-- figures\na = 2 * a\n-->\n\n5\n<!--= 5 = a -->\n', 2, "'a'")
        self.check_fault('<!-- figures\none weir\n-->\n', 2, 'one weir')
        self.check_fault('<!-- figures\none = weir run experiments/fails.toml\n-->\n\n5\n<!--= 5 = one.x -->\n', 2,
                         'fails.toml', 'status 2', 'no such kernel')

    def test_a_name_that_no_mark_uses_is_a_fault(self):
        self.check_fault('<!-- figures\none = weir run experiments/a.toml\n-->\n', 2, "'one'")

    def test_a_command_that_fails_is_told_once(self):
        names = '<!-- figures\none = weir run experiments/fails.toml\n-->\n'
        end = self.figures(names + '\n5 and 6\n<!--= 5 = one.x; 6 = one.y -->\n')
        self.assertEqual(end.stderr.count('no such kernel'), 1)


if __name__ == '__main__':
    unittest.main()
