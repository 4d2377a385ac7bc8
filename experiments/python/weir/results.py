"""Runs and sweeps: how they are started, and what they left."""

import contextlib
import json
import math
import pathlib
import sqlite3

from weir.program import Error, call, settings
from weir.table import frame

_open = open  # Python's own


def run(file, out=None, jobs=None, **values):
    """Runs an experiment file, as `weir run` does, and returns its Run, or its Study where it has parts.

    out: the new folder for the results [runs/NAME-NNN]. jobs: runs at a time [all cores].
    values: parameters to set, by their keys: **{"network.hop_cycles": 2}.
    Raises Error. A run that misses a tolerance of the file's is no error: see Run.within_tolerances.
    """
    result = json.loads(call("run", file, "--json", *_option("--out", out), *_option("--jobs", jobs), *settings(values),
                             good=(0, 1)))
    return _result_of(result, pathlib.Path(result["folder"]).resolve())


def sweep(file, out=None, jobs=None, resume=False, **values):
    """Runs all points of a file's sweep, as `weir sweep` does, and returns the Sweep.

    out: the database [runs/NAME.db]. resume: goes on with it. jobs, values: as run() has them. Raises Error, also where
    a run did not end well: then the database has what did, for open() to read.
    """
    database = pathlib.Path(out) if out else pathlib.Path("runs") / (pathlib.Path(file).stem + ".db")
    call("sweep", file, "--out", database, *(["--resume"] if resume else []), *_option("--jobs", jobs), *settings(values))
    return Sweep(database.resolve())


def open(path):
    """A Run or Study by its folder, or a Sweep by its database. Raises Error where it is neither."""
    path = pathlib.Path(path).resolve()
    if path.is_dir():
        try:
            return _result_of(_read_json(path / "result.json"), path)
        except (OSError, KeyError, ValueError) as fault:
            raise Error(f"{path}: this is no folder of a run that has ended; accepted: one that `weir run` has made") from fault
    if not path.is_file():
        raise Error(f"{path}: there is nothing; accepted: a run's folder, or a sweep's database")
    return Sweep(path)


class Point:
    """One configuration and what its seeds measured: a run has one, or one for each of the file's points.

    label: the file's name for it. configuration: {"network.hop_cycles": 2, ...}. seeds, cycles: of each of its runs.
    metrics: {"cycles_per_iteration": 437.7, ...}, means over the seeds. half_widths: half of the 95 % intervals, where
    there are several seeds. round_trip: where its cycles go. predicted: by a model's name. published: by a metric's.
    """

    def __init__(self, result):
        self.label = result["label"]
        self.configuration = result["configuration"]
        self.seeds = result["seeds"]
        self.cycles = result["cycles"]
        self.metrics = result["measured"]
        self.half_widths = result["confidence_half_width_95"]
        self.round_trip = result["round_trip"]
        self.predicted = result["predicted"]
        self.published = result["published"]


class Run:
    """An experiment that has ended. folder: its results. title, kernel, leading_metric: texts. points: each a Point."""

    def __init__(self, result, folder):
        self.folder = folder
        self.result = result
        self.title = result["title"]
        self.kernel = result["kernel"]
        self.leading_metric = result["leading_metric"]
        self.points = [Point(each) for each in result.get("points", [result])]

    def __repr__(self):
        return f"<weir.Run of {self.kernel} in {self.folder}>"

    @property
    def point(self):
        """The only point. Raises Error where there are several."""
        if len(self.points) != 1:
            labels = ", ".join(f"{number}: {each.label}" for number, each in enumerate(self.points))
            raise Error(f"{self.folder}: found {len(self.points)} points; accepted: one of .points ({labels})")
        return self.points[0]

    @property
    def metrics(self):
        """The only point's: {"cycles_per_iteration": 437.7, ...}, means over the seeds."""
        return self.point.metrics

    @property
    def configuration(self):
        """The only point's: {"network.hop_cycles": 2, ...}."""
        return self.point.configuration

    def frame(self):
        """A row a point and seed: point (from 1), label, seed, cycles, and a column a metric."""
        rows = []
        for number, point in enumerate(self.points, 1):
            for seed in point.seeds:
                path = self._folder_of(number, seed) / "result.json"
                try:
                    result = _read_json(path)
                    rows.append({"point": number, "label": point.label, "seed": seed, "cycles": result["cycles"],
                                 **result["metrics"]})
                except (OSError, KeyError, TypeError, ValueError) as fault:
                    raise Error(f"{path}: {fault}; accepted: the result that `weir run` has left there") from fault
        return frame(_columns(rows), rows)

    def trace(self, sql, seed=None, point=1):
        """The rows that an SQL query finds in a run's trace; `weir trace schema` explains its tables.

        seed: of several the first. point: from 1. Raises Error for a query that SQLite refuses.
        """
        seeds = self.points[point - 1].seeds if 1 <= point <= len(self.points) else []
        if not seeds or seed not in [None, *seeds]:
            raise Error(f"{self.folder}: found point {point}, seed {seed}; accepted: points 1 to {len(self.points)}, and of this "
                        f"one the seeds {', '.join(map(str, seeds)) or '-'}")
        folder = self._folder_of(point, seeds[0] if seed is None else seed)
        database = folder / "trace.sqlite"
        if not database.exists():
            call("trace", "sqlite", folder)
        return _rows(database, sql)

    def _folder_of(self, point, seed):
        return self.folder / f"point-{point:02}-seed-{seed}"


class Study:
    """An experiment file with parts. parts: a Run each, by the name of its folder."""

    def __init__(self, result, folder):
        self.folder = folder
        self.result = result
        self.title = result["title"]
        self.parts = {pathlib.Path(part["folder"]).name: _result_of(part, folder / pathlib.Path(part["folder"]).name)
                      for part in result["parts"]}

    def __repr__(self):
        return f"<weir.Study of {', '.join(self.parts)} in {self.folder}>"


class Sweep:
    """A sweep's database. database: its path. axes: {"network.hop_cycles": "hop_cycles", ...}, each key's column."""

    def __init__(self, database):
        self.database = database
        try:
            found = _fetch(database, "SELECT key, name FROM axes ORDER BY number")[1]
        except sqlite3.Error as fault:
            raise Error(f"{database}: this is no sweep's database; accepted: one that `weir sweep` has made") from fault
        self.axes = {row["key"]: row["name"] for row in found}

    def __repr__(self):
        return f"<weir.Sweep over {', '.join(self.axes)} in {self.database}>"

    def frame(self, source="measured"):
        """A row a run: point, label, the axes, seed, status, cycles, and a column a metric.

        source: 'measured', 'round_trip', 'compared' or a model's name: where the metrics are from.
        """
        axes = ", ".join(f'outcomes."{name}"' for name in self.axes.values())
        columns, rows = _fetch(
            self.database,
            f"SELECT runs.run_id, number AS point, outcomes.label, {axes + ', ' if axes else ''} runs.seed, runs.status, runs.cycles "
            "FROM runs JOIN points USING (point_id) JOIN outcomes ON outcomes.point IS number AND outcomes.seed = runs.seed "
            "ORDER BY number, runs.seed")
        by_run = {row.pop("run_id"): row for row in rows}
        metrics = _fetch(self.database, "SELECT run_id, metric, value FROM metrics WHERE source = ? ORDER BY metric", [source])[1]
        for row in metrics:
            if not isinstance(row["value"], (int, float)) or not math.isfinite(row["value"]):
                raise Error(f"{self.database}: table metrics, column value, run_id = {row['run_id']}, metric = {row['metric']}: the "
                            f"value is {row['value']!r}; accepted: a finite number")
            if row["run_id"] in by_run:
                by_run[row["run_id"]][row["metric"]] = row["value"]
        names = dict.fromkeys(row["metric"] for row in metrics)
        return frame([*columns[1:], *names], by_run.values())

    def query(self, sql):
        """The rows that an SQL query finds in the database; its own texts explain its tables (`.schema`). Raises Error."""
        return _rows(self.database, sql)


def _option(name, value):
    return [] if value is None else [name, value]


def _result_of(result, folder):
    return (Study if "parts" in result else Run)(result, folder)


def _read_json(path):
    # Python's own reader takes NaN and infinities, which no result has.
    def number(text):
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(f"the number {text} is not finite")
        return value

    with _open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=number, parse_constant=number)


def _columns(rows):
    return dict.fromkeys(name for row in rows for name in row)


def _fetch(database, sql, values=()):
    # Only to read; a database that is not there is not made.
    with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        cursor = connection.execute(sql, values)
        columns = [column[0] for column in cursor.description or []]
        return columns, [dict(zip(columns, row)) for row in cursor]


def _rows(database, sql):
    try:
        return frame(*_fetch(database, sql))
    except sqlite3.Error as fault:
        raise Error(f"{database}: {fault} (in the query: {sql})") from fault
