"""Starts runs and sweeps, and reads their results."""

import contextlib
import json
import math
import pathlib
import sqlite3

from weir.program import Error, call, settings
from weir.table import frame

_open = open  # Python's function, whose name this module's open() has


def run(file, out=None, jobs=None, **values):
    """Runs an experiment file, as `weir run` does. Returns a Run, or a Study if the file lists others in `parts`.

    out: new folder for the results [runs/NAME-NNN]. jobs: number of concurrent runs [all cores].
    values: parameters to set, by their keys: **{"network.hop_cycles": 2}.
    Raises Error if the input is refused or a run fails. A measured value outside the file's tolerance is not an error.
    """
    result = json.loads(call("run", file, "--json", *_option("--out", out), *_option("--jobs", jobs), *settings(values),
                             good=(0, 1)))
    return _result_of(result, pathlib.Path(result["folder"]).resolve())


def sweep(file, out=None, jobs=None, resume=False, **values):
    """Runs all points of a file's sweep, as `weir sweep` does. Returns a Sweep.

    out: SQLite database for the results [runs/NAME.db]. resume: True to run only the points that the database lacks.
    jobs, values: as for run(). Raises Error, also if only some of the runs fail; open() then reads the others.
    """
    database = pathlib.Path(out) if out else pathlib.Path("runs") / (pathlib.Path(file).stem + ".db")
    call("sweep", file, "--out", database, *(["--resume"] if resume else []), *_option("--jobs", jobs), *settings(values))
    return Sweep(database.resolve())


def open(path):
    """Opens earlier results: a Run or Study by its folder, or a Sweep by its database. Raises Error if the path is neither."""
    path = pathlib.Path(path).resolve()
    if path.is_dir():
        try:
            return _result_of(_read_json(path / "result.json"), path)
        except (OSError, KeyError, ValueError) as fault:
            raise Error(f"{path}: not the folder of a finished run; accepted: a folder made by `weir run`") from fault
    if not path.is_file():
        raise Error(f"{path}: no such file or folder; accepted: a run's folder, or a sweep's database")
    return Sweep(path)


class Point:
    """One configuration and its measurements, from one run for each seed.

    label: the point's name in the experiment file. configuration: all parameters, {"network.hop_cycles": 2, ...}.
    seeds, cycles: lists with the seed and the total cycles of each run.
    metrics: {"cycles_per_iteration": 437.7, ...}, means over the seeds.
    half_widths: half the width of each metric's 95 % confidence interval; needs several seeds.
    round_trip: mean cycles of each part of a round trip, by the part's name.
    predicted: predictions, by the model's name. published: published values, by the metric's name.
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
    """Results of an experiment file.

    folder: path of the results. title, kernel, leading_metric: texts. points: a list of Point.
    """

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
        """The run's only point. Raises Error if the run has several points."""
        if len(self.points) != 1:
            labels = ", ".join(f"{number}: {each.label}" for number, each in enumerate(self.points))
            raise Error(f"{self.folder}: found {len(self.points)} points; accepted: one of .points ({labels})")
        return self.points[0]

    @property
    def metrics(self):
        """Metrics of the run's only point: {"cycles_per_iteration": 437.7, ...}, means over the seeds."""
        return self.point.metrics

    @property
    def configuration(self):
        """All parameters of the run's only point: {"network.hop_cycles": 2, ...}."""
        return self.point.configuration

    def frame(self):
        """Returns a table with a row for each point and seed: point (from 1), label, seed, cycles, and a column for each metric."""
        rows = []
        for number, point in enumerate(self.points, 1):
            for seed in point.seeds:
                path = self._folder_of(number, seed) / "result.json"
                try:
                    result = _read_json(path)
                    rows.append({"point": number, "label": point.label, "seed": seed, "cycles": result["cycles"],
                                 **result["metrics"]})
                except (OSError, KeyError, TypeError, ValueError) as fault:
                    raise Error(f"{path}: {fault}; accepted: the result written by `weir run`") from fault
        return frame(_columns(rows), rows)

    def trace(self, sql, seed=None, point=1):
        """Returns the result of an SQL query on the cycle trace of one run; `weir trace schema` explains its tables.

        seed: seed of the run [the point's first seed]. point: number of the point, from 1.
        Raises Error if the run does not exist or SQLite refuses the query.
        """
        seeds = self.points[point - 1].seeds if 1 <= point <= len(self.points) else []
        if not seeds or seed not in [None, *seeds]:
            raise Error(f"{self.folder}: found point {point}, seed {seed}; accepted: points 1 to {len(self.points)}; "
                        f"seeds of this point: {', '.join(map(str, seeds)) or '-'}")
        folder = self._folder_of(point, seeds[0] if seed is None else seed)
        database = folder / "trace.sqlite"
        if not database.exists():
            call("trace", "sqlite", folder)
        return _rows(database, sql)

    def _folder_of(self, point, seed):
        return self.folder / f"point-{point:02}-seed-{seed}"


class Study:
    """Results of an experiment file that lists others in `parts`. parts: a dict from their names to Run."""

    def __init__(self, result, folder):
        self.folder = folder
        self.result = result
        self.title = result["title"]
        self.parts = {pathlib.Path(part["folder"]).name: _result_of(part, folder / pathlib.Path(part["folder"]).name)
                      for part in result["parts"]}

    def __repr__(self):
        return f"<weir.Study of {', '.join(self.parts)} in {self.folder}>"


class Sweep:
    """Results of a sweep. database: its path. axes: column of each varied key, {"network.hop_cycles": "hop_cycles", ...}."""

    def __init__(self, database):
        self.database = database
        try:
            found = _fetch(database, "SELECT key, name FROM axes ORDER BY number")[1]
        except sqlite3.Error as fault:
            raise Error(f"{database}: not a sweep's database; accepted: a database made by `weir sweep`") from fault
        self.axes = {row["key"]: row["name"] for row in found}

    def __repr__(self):
        return f"<weir.Sweep over {', '.join(self.axes)} in {self.database}>"

    def frame(self, source="measured"):
        """Returns a table with a row for each run: point, label, the axes, seed, status, cycles, and a column for each metric.

        source: origin of the metrics: 'measured', 'round_trip', 'compared' or a model's name. Raises Error if a value in the
        database is not a finite number.
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
        """Returns the result of an SQL query on the database. Comments in its schema explain its tables. Raises Error."""
        return _rows(self.database, sql)


def _option(name, value):
    return [] if value is None else [name, value]


def _result_of(result, folder):
    return (Study if "parts" in result else Run)(result, folder)


def _read_json(path):
    # Python's reader accepts NaN and infinities, which are invalid in a result.
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
    # Read-only, so that a missing database is not created.
    with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        cursor = connection.execute(sql, values)
        columns = [column[0] for column in cursor.description or []]
        return columns, [dict(zip(columns, row)) for row in cursor]


def _rows(database, sql):
    try:
        return frame(*_fetch(database, sql))
    except sqlite3.Error as fault:
        raise Error(f"{database}: {fault} (in the query: {sql})") from fault
