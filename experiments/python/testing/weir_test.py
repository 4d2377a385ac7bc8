"""Tests of the package in an empty folder; the variable WEIR names the program: python3 -m unittest weir_test"""

import builtins
import contextlib
import importlib.util
import os
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile
import types
import unittest
import zipfile
from unittest import mock

import stub_matplotlib
import weir
import weir.program
import weir.progress
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
FOUR_NODES = dict(extends="alewife", title="Four nodes", machine={"nodes": 4}, network={"dimensions": [4]},
                  workload={"kernel": "remap", "iterations": 30}, models={"compare": ["logp"]})
SWEEP = SMALL + """
[cost]
network = "copies * flit_bytes"
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
        self.assertEqual(frame.attrs["units"]["latency_cycles"], "cycles")
        self.assertEqual(frame.attrs["costs"]["cost.network"], "copies * flit_bytes")
        self.assertEqual(list(frame["cost.network"]), [2, 2, 2, 2])
        self.assertEqual(list(sweep.means()["mean"]), list(means["mean"]))
        self.assertIn("no metric 'nix'", self.refused(sweep.means, "nix").message)
        self.assertIn("<small>cycles</small>", sweep._repr_html_())
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

    def test_names_in_a_database_are_no_sql(self):
        sweep = weir.sweep("sweep.toml", out="names.db")
        name = 'x", (SELECT count(*) FROM meta) AS "leaked'
        with contextlib.closing(sqlite3.connect("names.db")) as database, database:
            database.execute("UPDATE axes SET name = ?", [name])
        self.assertIn("names.db: no such column", self.refused(weir.open("names.db").frame).message)
        column = next(iter(sweep.axes.values()))
        with contextlib.closing(sqlite3.connect("names.db")) as database, database:
            for view in ("means", "results", "outcomes"):
                database.execute(f"DROP VIEW {view}")
            database.execute(f'ALTER TABLE swept RENAME COLUMN "{column}" TO "a""b"')
            database.execute("UPDATE axes SET name = 'a\"b'")
            database.execute("DELETE FROM meta WHERE key = 'cost'")  # weir sweep show, which has the costs, refuses the view
            database.execute('CREATE VIEW outcomes AS SELECT points.number AS point, label, swept."a""b", seed FROM runs '
                             "JOIN points USING (point_id) JOIN swept USING (point_id)")
        self.assertIn('a"b', list(weir.open("names.db").frame().columns))

    def test_paths_that_are_no_utf8_work(self):
        name = os.fsdecode(b"\xfe.toml")
        pathlib.Path(name).write_text(SMALL)
        self.assertTrue(weir.run(name).points)
        self.assertTrue(weir.run(name, out=os.fsdecode(b"out\xff")).points)
        fault = self.refused(weir.run, os.fsdecode(b"no\xff.toml"))
        self.assertEqual(fault.status, 2)
        self.assertIn("no\\xff.toml", fault.message)
        self.assertIn("accepted: names and values in UTF-8", self.refused(weir.run, "a\0.toml").message)

    def test_values_are_written_as_experiment_files_have_them(self):
        for value, text in ((True, "true"), (2, "2"), (0.5, "0.5"), ('a "b"', '"a \\"b\\""'), ([1, [True, "x"]], '[1, [true, "x"]]')):
            self.assertEqual(weir.program.toml(value), text)

    def test_a_program_that_is_not_there_is_named(self):
        with mock.patch.dict(os.environ, {"WEIR": "/no/such/weir"}):
            self.assertIn("/no/such/weir: No such file or directory; accepted:", self.refused(weir.version).message)

    def test_a_dictionary_is_an_experiment(self):
        run = weir.Experiment("four", **FOUR_NODES).run()
        self.assertEqual(run.folder, pathlib.Path("runs/four-001").resolve())
        self.assertEqual(run.metrics, weir.run("small.toml").metrics)
        self.assertEqual(weir.run("runs/four-001/experiment.toml").metrics, run.metrics)
        self.assertEqual(weir.run({**FOUR_NODES, "network.hop_cycles": 3}).configuration["network.hop_cycles"], 3)
        slower = weir.Experiment("four", **FOUR_NODES).with_values(**{"network.hop_cycles": 3}).run()
        self.assertEqual((slower.configuration["network.dimensions"], slower.configuration["network.hop_cycles"]), ([4], 3))
        self.assertEqual(slower.folder.name, "four-002")
        self.assertFalse(list(pathlib.Path(".").glob(".*.toml")))
        swept = weir.Experiment("axes", **FOUR_NODES, run={"seeds": [1]}, sweep={"axis": [{"network.hop_cycles": [1, 2]}]}).sweep()
        self.assertEqual(list(swept.frame()["hop_cycles"]), [1, 2])

    def test_an_error_has_file_key_and_nearest_name(self):
        pathlib.Path("bad.toml").write_text(SMALL.replace("nodes = 4", "nodse = 4"))
        fault = self.refused(weir.run, "bad.toml")
        self.assertEqual((fault.file, fault.line, fault.key, fault.nearest), ("bad.toml", 5, "machine.nodse", "nodes"))
        fault = self.refused(weir.run, "small.toml", **{"network.hop_cycles": 0})
        self.assertEqual((fault.key, fault.accepted), ("network.hop_cycles", "a whole number from 1 to 10000"))
        fault = self.refused(weir.run, "absent.toml")
        self.assertEqual((fault.file, fault.key, fault.accepted), ("absent.toml", None, "a TOML file"))
        for tables, key in (({"network.hop_cyles": 2}, "network.hop_cyles"),
                            ({"point": [{"label": "a", "network": {"hop_cycles": 0}}]}, "point 1, network.hop_cycles")):
            fault = self.refused(weir.Experiment("four", **FOUR_NODES).with_values(**tables).run)
            self.assertEqual((fault.status, fault.key), (2, key))
            self.assertTrue(fault.message.startswith(f"weir.Experiment four, {key}: "), fault.message)
            self.assertNotIn(".toml", fault.message)
        self.assertIn("accepted: a file name", self.refused(weir.Experiment, "a/b").message)

    def test_frames_have_units(self):
        run = weir.run("small.toml")
        self.assertEqual(run.frame().attrs["units"]["cycles_per_iteration"], "cycles")
        with without_pandas():
            self.assertIn("<small>cycles</small>", run.frame()._repr_html_())
        self.assertIn(">logp<", run._repr_html_())

    def test_two_machines_are_compared(self):
        pathlib.Path("small.toml").write_text(SMALL + "[run]\nseeds = [1, 2]\n")
        slower = weir.Experiment("slower", extends="./small.toml", network={"hop_cycles": 4})
        comparison = weir.compare("small.toml", slower)
        change = comparison.change("latency_cycles")
        self.assertAlmostEqual(change["change"], change["second"] - change["first"])
        self.assertGreater(change["change"], 1)
        frame = comparison.frame()
        self.assertEqual(frame["unit"][list(frame["metric"]).index("latency_cycles")], "cycles")
        self.assertIn("cycles_per_iteration", self.refused(comparison.change, "nix").message)
        self.assertIn("<th>slower</th>", comparison._repr_html_())
        stub_matplotlib.check(self, comparison.plot, "barh", "set_xlabel")

    def test_the_best_point_is_found(self):
        pathlib.Path("search.toml").write_text(SWEEP + '[search]\nminimise = "latency_cycles"\nbudget = 4\n')
        found = weir.search("search.toml", out="found.db")
        self.assertEqual(found.metric, "latency_cycles")
        self.assertIn("hop_cycles = 1", found.best["description"])
        self.assertEqual(list(found.frame()["number"])[0], found.best["number"])
        self.assertIn(found.best["description"], found._repr_html_())
        self.assertGreater(len(found.sweep.frame()), 0)

    def test_a_larger_machine_is_predicted(self):
        found = weir.predict("small.toml", nodes=32, small=[2, 4, 6, 8], check=True, out="small.db",
                             **{"workload.iterations": 20})
        self.assertEqual(found.metric, "cycles_per_iteration")
        self.assertTrue(found.low < found.value < found.high)
        self.assertAlmostEqual(found.measured / found.value, 1, delta=0.3)
        self.assertEqual(sorted(set(found.frame()["nodes"])), [2, 4, 6, 8])
        self.assertIn(found.result["sums"][0]["formula"], found._repr_html_())
        self.assertIn("--small", self.refused(weir.predict, "small.toml", nodes=32, small=[2, 4]).message)

    def test_models_parameters_and_networks_are_listed(self):
        self.assertIn("lopc-all-to-any", list(weir.models()["name"]))
        solved = weir.model("lopc-all-to-any", processors=32, work_cycles=0, network_cycles=21, handler_cycles=130)
        self.assertGreater(solved.outputs["response_cycles"], 2 * 21 + 2 * 130)
        self.assertEqual(solved.units["response_cycles"], "cycles")
        self.assertEqual(self.refused(weir.model, "lopc-all-to-anny").nearest, "lopc-all-to-any")
        self.assertEqual(list(weir.params("network.hop_cycles")["unit"]), ["cycles"])
        torus = weir.topology("torus", dimensions=[4, 4])
        self.assertEqual((torus["nodes"], torus["diameter_hops"]), (16, 4))
        self.assertIn("<svg", torus._repr_svg_())
        self.assertEqual(weir.topology("small.toml")["nodes"], 4)

    def test_a_model_is_fitted(self):
        run = weir.run("small.toml")
        fit = weir.fit("logp", run)
        self.assertEqual(fit.model, "logp")
        self.assertGreater(fit.values["latency_cycles"], 0)
        self.assertEqual(list(fit.frame()["name"]), list(fit.values))
        self.assertIn("latency cycles", fit._repr_html_())
        self.assertEqual(weir.fit("logp", run.folder).values, fit.values)
        self.assertIn("bodies", self.refused(weir.fit, "loggp", run).message)

    def test_the_parts_of_an_error_sum_to_it(self):
        run = weir.run("small.toml")
        explanation = weir.explain(run)
        error = run.point.predicted["logp"]["cycles_per_iteration"] - run.metrics["cycles_per_iteration"]
        self.assertAlmostEqual(sum(explanation.parts("logp").values()), error, places=6)
        self.assertAlmostEqual(sum(explanation.frame()["cycles"]), error, places=6)
        self.assertIn("logp", explanation._repr_html_())
        self.assertGreater(explanation.machines_run, 0)
        self.assertEqual(weir.explain(run.folder).machines_run, 0)
        with self.assertRaisesRegex(KeyError, "accepted: logp"):
            explanation.parts("lopc")
        self.assertIn("lopc", self.refused(weir.explain, run, model="lopd").message)

    def test_a_plot_needs_matplotlib(self):
        run = weir.run("small.toml")
        sweep = weir.sweep("sweep.toml", out="it.db")
        stub_matplotlib.check(self, run.plot, "bar", "set_ylabel", "legend")
        calls = stub_matplotlib.check(self, lambda: sweep.plot(y="latency_cycles"), "errorbar", "set_ylabel")
        (at, mean), _ = next(arguments for name, arguments in calls if name == "errorbar")
        self.assertEqual((list(at), list(mean)), ([1, 4], list(sweep.means("latency_cycles")["mean"])))
        self.assertIn("accepted: hop_cycles", self.refused(sweep.plot, x="nix").message)
        with mock.patch.dict(sys.modules, {"matplotlib": None}):
            self.assertIn("pip install matplotlib", self.refused(run.plot).message)

    def test_a_notebook_shows_the_progress(self):
        told = []

        def display(content, raw, display_id):
            told.append(content["text/plain"])
            return types.SimpleNamespace(update=lambda content, raw: told.append(content["text/plain"]))

        shell = types.SimpleNamespace(kernel=None)
        modules = {"IPython": types.SimpleNamespace(get_ipython=lambda: shell),
                   "IPython.display": types.SimpleNamespace(display=display)}
        pathlib.Path("slow").write_text("#!/bin/sh\n[ -t 2 ] && printf '\\r\\033[K1 of 2 runs done' >&2\nsleep 0.3\n"
                                        "printf '\\r\\033[K' >&2\necho 'weir: a.toml:1:2: no key \"x\"' >&2\nexit 2\n")
        os.chmod("slow", 0o755)
        with mock.patch.dict(sys.modules, modules), mock.patch.dict(os.environ, {"WEIR": "./slow"}):
            fault = self.refused(weir.run, "a.toml")
        self.assertEqual((fault.message, fault.status, fault.line), ('a.toml:1:2: no key "x"', 2, 1))
        self.assertIn("1 of 2 runs done", told)
        self.assertEqual(told[-1], "")

    def test_a_machine_is_seen_at_any_cycle(self):
        later, before = weir.state("small.toml", 700), weir.state("small.toml", 650)
        self.assertIn("Cycle 700", later)
        self.assertIn("Cycle 650", before)
        self.assertEqual(weir.state("small.toml", 700), later)
        self.assertFalse(os.path.exists("runs"))
        self.assertIn("accepted: an earlier cycle", self.refused(weir.state, "small.toml", 10**9).message)

    def test_a_page_is_written(self):
        run = weir.run("small.toml")
        self.assertEqual(weir.report(run), run.folder / "report.html")
        self.assertIn("Four nodes", (run.folder / "report.html").read_text())
        sweep = weir.sweep("sweep.toml", out="it.db")
        self.assertTrue(weir.report(sweep, out="page.html", csv="numbers").samefile("page.html"))
        self.assertTrue(list(pathlib.Path("numbers").glob("*.csv")))

    def test_the_package_has_the_programs_version(self):
        self.assertEqual(weir.__version__, weir.version())


SOURCES = pathlib.Path(weir.__file__).resolve().parents[1]


class WheelTest(unittest.TestCase):
    """Wheels, and the program that a package in one of them finds."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        sys.path.insert(0, str(SOURCES))
        self.addCleanup(sys.path.remove, str(SOURCES))

    def installed(self, name):
        """Unpacks a wheel, and returns the folder."""
        with zipfile.ZipFile(self.folder / name) as wheel:
            wheel.extractall(self.folder / "site")
            modes = {entry.filename: entry.external_attr >> 16 for entry in wheel.infolist()}
            record = [line.split(",")[0] for line in wheel.read(next(path for path in modes if path.endswith("RECORD"))).decode()
                      .splitlines()]
        self.assertEqual(sorted(record), sorted(modes))
        for path, mode in modes.items():
            (self.folder / "site" / path).chmod(mode & 0o777)
        return self.folder / "site"

    def found_from(self, site, path):
        environment = {"PYTHONPATH": str(site), "PATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, "-c", "import weir; print(weir.find_program())"], env=environment,
                              cwd=self.folder, capture_output=True, text=True, check=False)

    def test_an_installed_package_finds_the_path_and_then_its_checkout(self):
        import build_backend

        before = sorted(SOURCES.rglob("*"))
        name = build_backend.build_wheel(self.folder)
        self.assertTrue(name.endswith("-py3-none-any.whl"))
        self.assertEqual(sorted(SOURCES.rglob("*")), before)
        site = self.installed(name)
        checkout = SOURCES.parents[1]
        self.assertEqual(self.found_from(site, "/nothing").stdout.strip(), str(checkout / "weir"))
        (self.folder / "weir").write_text("#!/bin/sh\n")
        (self.folder / "weir").chmod(0o755)
        self.assertEqual(self.found_from(site, self.folder).stdout.strip(), str(self.folder / "weir"))
        (site / "weir" / "checkout.txt").write_text("/nothing\n")
        self.assertIn("found no program weir; accepted:", self.found_from(site, "/nothing").stderr)

    def test_a_library_finds_others_where_the_program_does(self):
        import build_backend

        header = bytearray(120)
        struct.pack_into("<Q", header, 32, 64)  # one program header of 56 bytes behind the file's
        struct.pack_into("<HH", header, 54, 56, 1)
        struct.pack_into("<IIQQQQ", header, 64, 2, 0, 120, 0, 0, 48)
        dynamic = struct.pack("<qQqQqQ", 1, 7, 29, 5, 0, 0)
        changed = build_backend.without_runpath(bytes(header) + dynamic)
        self.assertEqual(changed, bytes(header) + struct.pack("<qQqQqQ", 1, 7, 15, 5, 0, 0))

    def test_a_wheel_with_the_program_has_it_before_the_path(self):
        import build_backend

        program = self.folder / "program" / "bin" / "weir"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho it\n")
        program.chmod(0o755)
        name = build_backend.wheel_with_program(self.folder / "program", self.folder)
        self.assertRegex(name, r"^weir-.*-py3-none-manylinux_\d+_\d+_\w+\.whl$")
        site = self.installed(name)
        found = self.found_from(site, self.folder).stdout.strip()
        self.assertEqual(found, str(site / "weir" / "program" / "bin" / "weir"))
        self.assertEqual(subprocess.run([found], capture_output=True, text=True, check=True).stdout, "it\n")


if __name__ == "__main__":
    unittest.main()
