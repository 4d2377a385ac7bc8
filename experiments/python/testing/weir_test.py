"""Tests of the package in an empty folder; the variable WEIR names the program: python3 -m unittest weir_test"""

import builtins
import contextlib
import importlib.util
import os
import pathlib
import re
import sqlite3
import tempfile
import unittest
from unittest import mock

import weir
import weir.program
import weir.table

SMALL = """
extends = "alewife"
title = "Four nodes"
[machine]
nodes = 4
[network]
dimensions = [4]
[workload]
kernel = "remap"
iterations = 30
[models]
compare = ["logp"]
"""
SWEEP = SMALL + """
[[sweep.axis]]
network.hop_cycles = [1, 4]
[run]
seeds = [1, 2]
"""


def without_pandas():
    """Context in which importing pandas fails."""
    imported = builtins.__import__

    def refusing(name, *arguments, **named):
        if name == "pandas":
            raise ImportError(name)
        return imported(name, *arguments, **named)

    return mock.patch.object(builtins, "__import__", refusing)


class PackageTest(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, self.before)
        os.chdir(self.folder.name)
        pathlib.Path("small.toml").write_text(SMALL)
        pathlib.Path("sweep.toml").write_text(SWEEP)

    def refused(self, action, *arguments, **named):
        with self.assertRaises(weir.Error) as raised:
            action(*arguments, **named)
        return raised.exception

    def test_a_run_has_what_was_measured_and_predicted(self):
        run = weir.run("small.toml", out="it", **{"network.hop_cycles": 3, "run.seeds": [1, 2]})
        self.assertEqual((run.title, run.kernel, run.leading_metric), ("Four nodes", "remap", "cycles_per_iteration"))
        self.assertEqual(run.configuration["network.hop_cycles"], 3)
        self.assertEqual(run.point.seeds, [1, 2])
        self.assertGreater(run.metrics["cycles_per_iteration"], 300)
        self.assertGreater(run.point.half_widths["cycles_per_iteration"], 0)
        self.assertAlmostEqual(sum(run.point.round_trip.values()), run.metrics["cycles_per_iteration"], places=6)
        self.assertIn("logp", run.point.predicted)
        again = weir.open("it")
        self.assertEqual(again.metrics, run.metrics)
        self.assertEqual(again.folder, run.folder)

    def test_a_frame_has_a_row_a_seed_and_their_mean_is_the_metric(self):
        run = weir.run("small.toml", **{"run.seeds": (1, 2)})
        frame = run.frame()
        self.assertEqual(list(frame["seed"]), [1, 2])
        self.assertEqual(list(frame["cycles"]), run.point.cycles)
        self.assertAlmostEqual(sum(frame["cycles_per_iteration"]) / 2, run.metrics["cycles_per_iteration"])

    def test_frames_are_of_pandas_where_it_is_installed(self):
        run = weir.run("small.toml")
        with without_pandas():
            table = run.frame()
        self.assertIsInstance(table, weir.Table)
        self.assertEqual(table[0]["seed"], 1)
        self.assertIn("cycles_per_iteration", str(table).splitlines()[0])
        with self.assertRaisesRegex(KeyError, "no column 'cycle'; accepted: point, label, seed, cycles"):
            table["cycle"]
        if importlib.util.find_spec("pandas"):
            frame = run.frame()
            self.assertEqual(type(frame).__name__, "DataFrame")
            self.assertEqual(list(frame.columns), table.columns)
            self.assertEqual(frame["cycles"].tolist(), table["cycles"])

    def test_the_trace_answers_sql(self):
        run = weir.run("small.toml", **{"run.seeds": [1, 2]})
        messages = run.trace("SELECT count(*) AS messages FROM messages", seed=2)
        self.assertEqual(list(messages["messages"]), [4 * 2 * 30])
        self.assertIn("no such column: nix", self.refused(run.trace, "SELECT nix FROM messages").message)
        self.assertIn("accepted: points 1 to 1; seeds of this point: 1, 2", self.refused(run.trace, "SELECT 1", seed=3).message)
        self.assertIn("found point 2", self.refused(run.trace, "SELECT 1", point=2).message)

    def test_points_of_a_file_are_told_apart(self):
        pathlib.Path("points.toml").write_text(
            SMALL + '[[point]]\nlabel = "near"\nnetwork.hop_cycles = 1\n[[point]]\nlabel = "far"\nnetwork.hop_cycles = 9\n')
        run = weir.run("points.toml")
        near, far = run.points
        self.assertEqual((near.label, far.label), ("near", "far"))
        self.assertLess(near.metrics["latency_cycles"], far.metrics["latency_cycles"])
        self.assertEqual(list(run.frame()["label"]), ["near", "far"])
        self.assertIn("found 2 points; accepted: one of .points (0: near, 1: far)", self.refused(lambda: run.metrics).message)

    def test_a_study_has_its_parts_by_name(self):
        pathlib.Path("study.toml").write_text('title = "Two"\nparts = ["small.toml", "other.toml"]\n')
        pathlib.Path("other.toml").write_text(SMALL)
        study = weir.run("study.toml", out="both")
        self.assertEqual(list(study.parts), ["small", "other"])
        self.assertEqual(study.parts["small"].metrics, study.parts["other"].metrics)
        self.assertEqual(list(study.parts["other"].frame()["seed"]), [1])
        self.assertEqual(list(weir.open("both").parts), ["small", "other"])

    def test_a_sweep_has_a_row_a_run(self):
        sweep = weir.sweep("sweep.toml", out="it.db", **{"workload.iterations": 20})
        self.assertEqual(sweep.axes, {"network.hop_cycles": "hop_cycles"})
        frame = sweep.frame()
        self.assertEqual(list(frame["hop_cycles"]), [1, 1, 4, 4])
        self.assertEqual(list(frame["seed"]), [1, 2, 1, 2])
        self.assertEqual(set(frame["status"]), {"ok"})
        self.assertLess(sum(frame["latency_cycles"][:2]), sum(frame["latency_cycles"][2:]))
        predicted = sweep.frame("logp")
        self.assertEqual(len(predicted), 4)
        self.assertIn("cycles_per_iteration", list(predicted.columns))
        means = sweep.query("SELECT mean FROM means WHERE metric = 'cycles_per_iteration' AND source = 'measured' ORDER BY hop_cycles")
        self.assertAlmostEqual(means["mean"][0], sum(frame["cycles_per_iteration"][:2]) / 2)
        self.assertEqual(list(weir.open("it.db").frame()["cycles"]), list(frame["cycles"]))
        self.assertEqual(len(weir.sweep("sweep.toml", out="it.db", resume=True, **{"workload.iterations": 20}).frame()), 4)
        self.assertIn("no such table: nix", self.refused(sweep.query, "SELECT * FROM nix").message)
        with self.assertRaises(weir.Error):
            sweep.query("DELETE FROM runs")

    def test_what_the_program_refuses_is_an_error_with_its_message(self):
        fault = self.refused(weir.run, "small.toml", **{"network.hop_cyles": 2})
        self.assertEqual(fault.status, 2)
        self.assertRegex(fault.message, '^--set network.hop_cyles=2: .* did you mean "hop_cycles"\\?$')
        fault = self.refused(weir.run, "small.toml", **{"run.most_cycles": 100})
        self.assertEqual(fault.status, 3)
        self.assertIn("run.most_cycles reached", fault.message)
        self.assertEqual(self.refused(weir.run, "nothing.toml").status, 2)
        with self.assertRaisesRegex(TypeError, "accepted: numbers, texts, True, False, and lists of these"):
            weir.run("small.toml", **{"network.hop_cycles": None})

    def test_what_is_no_result_is_refused_and_left_alone(self):
        for path, text in (("nothing", "no such file or folder"), (".", "not the folder of a finished run"),
                           ("small.toml", "not a sweep's database")):
            self.assertIn(text, self.refused(weir.open, path).message)
        sqlite3.connect("other.db").close()
        self.assertIn("not a sweep's database", self.refused(weir.open, "other.db").message)
        self.assertEqual(pathlib.Path("small.toml").read_text(), SMALL)

    def test_values_that_no_run_leaves_are_refused(self):
        sweep = weir.sweep("sweep.toml", out="it.db")
        with contextlib.closing(sqlite3.connect("it.db")) as database, database:
            database.execute("UPDATE metrics SET value = -9e999 WHERE run_id = 2 AND metric = 'latency_cycles'")
        message = self.refused(sweep.frame).message
        self.assertIn("it.db: table metrics, column value, run_id = 2, metric = latency_cycles: the value is -inf", message)
        run = weir.run("small.toml", out="it")
        result = pathlib.Path("it/point-01-seed-1/result.json")
        for text in (result.read_text().replace('"cycles": ', '"cycles": 9e999, "x": '), "{", '{"cycles": NaN}'):
            result.write_text(text)
            self.assertIn("result.json: ", self.refused(run.frame).message)
        pathlib.Path("it/result.json").write_text('{"weir": NaN}')
        self.assertIn("not the folder of a finished run", self.refused(weir.open, "it").message)

    def test_names_that_are_no_text_are_refused(self):
        name = os.fsdecode(b"\xfe.toml")
        pathlib.Path(name).write_text(SMALL)
        fault = self.refused(weir.run, name)
        self.assertEqual(fault.status, 2)
        self.assertIn("is not valid UTF-8", fault.message)
        self.assertIn("accepted: names and values in UTF-8", self.refused(weir.run, "a\0.toml").message)

    def test_values_are_written_as_experiment_files_have_them(self):
        for value, text in ((True, "true"), (2, "2"), (0.5, "0.5"), ('a "b"', '"a \\"b\\""'), ([1, [True, "x"]], '[1, [true, "x"]]')):
            self.assertEqual(weir.program.toml(value), text)

    def test_a_program_that_is_not_there_is_named(self):
        with mock.patch.dict(os.environ, {"WEIR": "/no/such/weir"}):
            self.assertIn("/no/such/weir: No such file or directory; accepted:", self.refused(weir.version).message)

    def test_the_wheel_has_the_programs_version(self):
        setup = (pathlib.Path(weir.__file__).parents[1] / "setup.py").read_text()
        self.assertEqual(re.search('version="(.*?)"', setup)[1], weir.version())


if __name__ == "__main__":
    unittest.main()
