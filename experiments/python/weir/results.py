"""Starts runs and sweeps, and reads their results."""

from __future__ import annotations

import contextlib
import csv
import json
import math
import os
import pathlib
import sqlite3
import tempfile
from typing import Any, Iterable, Optional, Union

from weir.experiment import Experiment, Source, file_of, free_folder
from weir.program import Error, call, settings
from weir.reference import metric_units
from weir.table import frame, html_table, shown

_open = open  # Python's function, whose name this module's open() has

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Iterable[Path]]


def run(experiment: Source, out: Optional[Path] = None, jobs: Optional[int] = None, progress: Optional[bool] = None,
        allow_library: Paths = (), allow_folder: Paths = (), **values: Any) -> Union[Run, Study]:
    """Runs an experiment, as `weir run` does. Returns a Run, or a Study if the file lists others in `parts`.

    experiment: path of a file, an Experiment, or a dictionary of its tables.
    out: new folder for the results [runs/NAME-NNN]. jobs: number of concurrent runs [all cores].
    progress: False hides the progress, which is shown in a notebook or on a terminal.
    allow_library: path, or paths, of libraries of kernels that somebody else has made and whose code may run.
    allow_folder: path, or paths, of folders outside the experiment's own that compiled programs may read.
    values: parameters to set, by their keys: **{"network.hop_cycles": 2}.
    Raises Error if the input is refused or a run fails. A measured value outside the file's tolerance is not an error.
    """
    with file_of(experiment) as (file, name):
        is_file = not isinstance(experiment, (Experiment, dict))
        # The program's JSON cannot name a folder whose name is not UTF-8.
        is_named_in_json = is_file and not any("\ud800" <= letter <= "\udfff" for letter in name)
        out = out or (None if is_named_in_json else free_folder(name))
        result = json.loads(call("run", file, "--json", *_option("--out", out), *_option("--jobs", jobs),
                                 *_permissions(allow_library, allow_folder), *settings(values), good=(0, 1),
                                 progress=progress))
        folder = pathlib.Path(out or result["folder"]).resolve()
        if not is_file:
            (folder / "experiment.toml").write_bytes(file.read_bytes())
    return _result_of(result, folder)


def state(experiment: Source, cycle: int, progress: Optional[bool] = None, allow_library: Paths = (),
          allow_folder: Paths = (), **values: Any) -> str:
    """Returns the state of the machine at a cycle: waiting parts, queues, and messages on their way, as text.

    The first run of the experiment is repeated up to the cycle, which may be before or after that of an earlier call. Runs
    repeat exactly, and leave no files. Other arguments are those of run(). Raises Error if the run ends earlier.
    """
    with file_of(experiment) as (file, _), tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        result = json.loads(call("run", file, "--until", cycle, "--json", "--out", out,
                                 *_permissions(allow_library, allow_folder), *settings(values), good=(0, 1),
                                 progress=progress))
        stopped = [out / ending["folder"] / "state.txt" for ending in result.get("endings", [])]
        if not stopped:
            raise Error(f"found cycle {cycle}: the run has ended before; accepted: an earlier cycle")
        return stopped[0].read_text(encoding="utf-8")


def sweep(experiment: Source, out: Optional[Path] = None, jobs: Optional[int] = None, resume: bool = False,
          progress: Optional[bool] = None, allow_library: Paths = (), allow_folder: Paths = (), **values: Any) -> Sweep:
    """Runs all points of an experiment's sweep, as `weir sweep` does. Returns a Sweep.

    out: SQLite database for the results [runs/NAME.db]. resume: True to run only the points that the database lacks.
    Other arguments are those of run(). Raises Error, also if only some of the runs fail; open() then reads the others.
    """
    with file_of(experiment) as (file, name):
        database = pathlib.Path(out) if out else pathlib.Path("runs") / f"{name}.db"
        call("sweep", file, "--out", database, *(["--resume"] if resume else []), *_option("--jobs", jobs),
             *_permissions(allow_library, allow_folder), *settings(values), progress=progress)
    return Sweep(database.resolve())


def search(experiment: Source, out: Optional[Path] = None, jobs: Optional[int] = None, resume: bool = False,
           progress: Optional[bool] = None, allow_library: Paths = (), allow_folder: Paths = (), **values: Any) -> Search:
    """Finds the best point of an experiment's sweep with few runs, as `weir search` does. Returns a Search.

    The arguments are those of sweep(). Raises Error if the input is refused or no point ends well.
    """
    with file_of(experiment) as (file, name):
        database = pathlib.Path(out) if out else pathlib.Path("runs") / f"{name}.db"
        text = call("search", file, "--json", "--out", database, *(["--resume"] if resume else []), *_option("--jobs", jobs),
                    *_permissions(allow_library, allow_folder), *settings(values), progress=progress)
    return Search(json.loads(text), Sweep(database.resolve()))


def compare(first: Source, second: Source, jobs: Optional[int] = None, progress: Optional[bool] = None,
            allow_library: Paths = (), allow_folder: Paths = (), **values: Any) -> Comparison:
    """Runs two machines with the same programs and seeds, as `weir compare` does. Returns a Comparison.

    values: parameters to set in both experiments. Other arguments are those of run().
    """
    with file_of(first) as (first_file, first_name), file_of(second) as (second_file, second_name):
        result = json.loads(call("compare", first_file, second_file, "--json", *_option("--jobs", jobs),
                                 *_permissions(allow_library, allow_folder), *settings(values), progress=progress))
    return Comparison(result, first_name, second_name)


def report(result: Union[Run, Study, Sweep, Search, Path], out: Optional[Path] = None, metric: Optional[str] = None,
           **folders: Path) -> pathlib.Path:
    """Writes the HTML page of a result, as `weir report` does, and returns its path.

    result: a Run, Study, Sweep or Search, or the path of one. out: the page's file [report.html in the run's folder, or the
    database's name with .html]. metric: the page's main metric. folders: new folders for the figures: png="figures".
    """
    source = _path_of(result)
    page = pathlib.Path(out) if out else source / "report.html" if source.is_dir() else source.with_suffix(".html")
    options = [word for name, folder in folders.items() for word in (f"--{name}", folder)]
    call("report", source, "--out", page, *_option("--metric", metric), *options)
    return page


def open(path: Path) -> Union[Run, Study, Sweep]:
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

    def __init__(self, result: dict[str, Any]) -> None:
        self.label: str = result["label"]
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

    folder: path of the results. title, kernel, leading_metric: texts. points: a list of Point. In a notebook, a run is shown
    as the table of its leading metric: measured, published, and predicted by models.
    """

    def __init__(self, result: dict[str, Any], folder: pathlib.Path) -> None:
        self.folder = folder
        self.result = result
        self.title = result["title"]
        self.kernel = result["kernel"]
        self.leading_metric = result["leading_metric"]
        self.points = [Point(each) for each in result.get("points", [result])]

    def __repr__(self) -> str:
        return f"<weir.Run of {self.kernel} in {self.folder}>"

    def _repr_html_(self) -> str:
        name = self.leading_metric
        rows = []
        for point in self.points:
            measured = point.metrics.get(name)
            sources = {"measured": measured, **{model: each.get(name) for model, each in point.predicted.items()},
                       "published": point.published.get(name, {}).get("value")}
            for source, value in sources.items():
                if value is not None:
                    width = point.half_widths.get(name) if source == "measured" else None
                    off = f"{100 * (value / measured - 1):+.1f} %" if measured and source != "measured" else ""
                    rows.append([point.label, source, shown(float(value), width), off])
        unit = metric_units().get(name, "")
        return html_table([("point", ""), ("source", ""), (name.replace("_", " "), unit), ("off", "")], rows, self.title)

    def plot(self, axes: Any = None) -> Any:
        """Draws the parts of a round trip as a bar for each point. Needs matplotlib. Returns its Axes."""
        from weir import plots

        return plots.round_trips(self, axes)

    @property
    def point(self) -> Point:
        """The run's only point. Raises Error if the run has several points."""
        if len(self.points) != 1:
            labels = ", ".join(f"{number}: {each.label}" for number, each in enumerate(self.points))
            raise Error(f"{self.folder}: found {len(self.points)} points; accepted: one of .points ({labels})")
        return self.points[0]

    @property
    def metrics(self) -> dict[str, float]:
        """Metrics of the run's only point: {"cycles_per_iteration": 437.7, ...}, means over the seeds."""
        return self.point.metrics

    @property
    def configuration(self) -> dict[str, Any]:
        """All parameters of the run's only point: {"network.hop_cycles": 2, ...}."""
        return self.point.configuration

    def frame(self) -> Any:
        """Returns a table with a row for each point and seed: point (from 1), label, seed, cycles, and a column for each metric.

        Its attrs["units"] has the unit of each metric.
        """
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
        return frame(_columns(rows), rows, {"cycles": "cycles", **metric_units()})

    def trace(self, sql: str, seed: Optional[int] = None, point: int = 1) -> Any:
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

    def _folder_of(self, point: int, seed: int) -> pathlib.Path:
        return self.folder / f"point-{point:02}-seed-{seed}"


class Study:
    """Results of an experiment file that lists others in `parts`. parts: a dict from their names to Run."""

    def __init__(self, result: dict[str, Any], folder: pathlib.Path) -> None:
        self.folder = folder
        self.result = result
        self.title: str = result["title"]
        self.parts = {pathlib.Path(part["folder"]).name: _result_of(part, folder / pathlib.Path(part["folder"]).name)
                      for part in result["parts"]}

    def __repr__(self) -> str:
        return f"<weir.Study of {', '.join(self.parts)} in {self.folder}>"

    def _repr_html_(self) -> str:
        return "".join(part._repr_html_() for part in self.parts.values())


class Sweep:
    """Results of a sweep. database: its path. axes: column of each varied key, {"network.hop_cycles": "hop_cycles", ...}."""

    def __init__(self, database: pathlib.Path) -> None:
        self.database = database
        try:
            found = _fetch(database, "SELECT key, name FROM axes ORDER BY number")[1]
        except sqlite3.Error as fault:
            raise Error(f"{database}: not a sweep's database; accepted: a database made by `weir sweep`") from fault
        self.axes = {row["key"]: row["name"] for row in found}

    def __repr__(self) -> str:
        return f"<weir.Sweep over {', '.join(self.axes)} in {self.database}>"

    @property
    def leading_metric(self) -> str:
        """The main metric of the first point's runs."""
        return _fetch(self.database, "SELECT main_metric FROM points ORDER BY number LIMIT 1")[1][0]["main_metric"]

    @property
    def costs(self) -> dict[str, str]:
        """Formulas of the study's table [cost], by the column that has their values: {'cost.links': 'copies * flit_bytes'}."""
        text = _fetch(self.database, "SELECT value FROM meta WHERE key = 'cost'")[1]
        formulas = json.loads(text[0]["value"] or "{}") if text else {}
        return {**{f"cost.{name}": formula for name, formula in formulas.items()}, **({"cost": "the sum"} if formulas else {})}

    def frame(self, source: str = "measured") -> Any:
        """Returns a table with a row for each run: point, label, the axes, seed, status, cycles, and a column for each metric.

        If the study has a table [cost], a column for each price and one for their sum follow. attrs["units"] has the unit of
        each metric, attrs["costs"] the formula of each price.
        source: origin of the metrics: 'measured', 'round_trip', 'compared' or a model's name. Raises Error if a value in the
        database is not a finite number.
        """
        try:
            return self._frame(source)
        except sqlite3.Error as fault:
            raise Error(f"{self.database}: {fault}; accepted: a database as `weir sweep` has left it") from fault

    def _frame(self, source):
        axes = ", ".join(f"outcomes.{_sql_name(name)}" for name in self.axes.values())
        columns, rows = _fetch(
            self.database,
            f"SELECT runs.run_id, number AS point, outcomes.label, {axes + ', ' if axes else ''} runs.seed, runs.status, runs.cycles "
            "FROM runs JOIN points USING (point_id) JOIN outcomes ON outcomes.point IS number AND outcomes.seed = runs.seed "
            "ORDER BY number, runs.seed")
        by_run = {row.pop("run_id"): row for row in rows}
        metrics = _fetch(self.database, "SELECT run_id, metric, value, unit FROM metrics WHERE source = ? ORDER BY metric", [source])[1]
        for row in metrics:
            if not isinstance(row["value"], (int, float)) or not math.isfinite(row["value"]):
                raise Error(f"{self.database}: table metrics, column value, run_id = {row['run_id']}, metric = {row['metric']}: the "
                            f"value is {row['value']!r}; accepted: a finite number")
            if row["run_id"] in by_run:
                by_run[row["run_id"]][row["metric"]] = row["value"]
        units = {"cycles": "cycles", **{row["metric"]: row["unit"] for row in metrics}}
        costs = self.costs
        if costs:
            self._add_costs(by_run.values(), costs)
        names = dict.fromkeys(row["metric"] for row in metrics)
        return frame([*columns[1:], *names, *costs], by_run.values(), units, costs=costs)

    def _add_costs(self, rows: Iterable[dict[str, Any]], costs: Iterable[str]) -> None:
        """Adds the prices to rows of runs. The program computes them from the formulas."""
        prices = {}
        for line in csv.DictReader(call("sweep", "show", self.database, "--csv").splitlines()):
            prices[int(line["point"])] = {name: float(line[name]) if line[name] else None for name in costs}
        for row in rows:
            row.update(prices.get(row["point"], {}))

    def means(self, metric: Optional[str] = None, source: str = "measured") -> Any:
        """Returns a table with a row for each point: the axes, and mean, least and greatest value of a metric over the seeds.

        metric: its name [the main metric]. source: as in frame().
        """
        metric = metric or self.leading_metric
        axes = ", ".join(f'"{name}"' for name in self.axes.values())
        columns, rows = _fetch(
            self.database, f"SELECT point, label, {axes + ', ' if axes else ''} mean, least, greatest, unit FROM means "
            "WHERE metric = ? AND source = ? ORDER BY point", [metric, source])
        if not rows:
            raise Error(f"{self.database}: no metric {metric!r} of source {source!r}; accepted: a column of frame({source!r})")
        unit = rows[0]["unit"]
        return frame(columns[:-1], rows, {"mean": unit, "least": unit, "greatest": unit}, metric=metric)

    def _repr_html_(self) -> str:
        table = self.means()
        columns = [name for name in table.columns if name != "label" or any(table["label"])]
        cells = zip(*([shown(value) for value in table[name]] for name in columns))
        return html_table([(name, table.attrs["units"].get(name, "")) for name in columns], cells,
                          f"{self.leading_metric.replace('_', ' ')}, over the seeds")

    def plot(self, x: Optional[str] = None, y: Optional[str] = None, source: str = "measured", axes: Any = None) -> Any:
        """Draws the mean of a metric over an axis, a line for each combination of the other axes. Needs matplotlib.

        x: column of an axis [the first one with numbers]. y: a metric [the main metric]. Bars span the seeds' least and
        greatest values. Returns matplotlib's Axes.
        """
        from weir import plots

        return plots.lines(self, x, y, source, axes)

    def query(self, sql: str) -> Any:
        """Returns the result of an SQL query on the database. Comments in its schema explain its tables. Raises Error."""
        return _rows(self.database, sql)


class Search:
    """Result of a search. sweep: its runs, a Sweep. result: all that `weir search --json` prints.

    metric: its name. best: the best point, a dict with 'number', 'description', 'mean' and 'half_width'; None if no point
    ended well.
    """

    def __init__(self, result: dict[str, Any], runs: Sweep) -> None:
        self.result = result
        self.sweep = runs
        self.metric: str = result["metric"]
        self.best: Optional[dict[str, Any]] = next(iter(result["finalists"]), None)

    def __repr__(self) -> str:
        return f"<weir.Search for {self.metric} in {self.sweep.database}>"

    def frame(self) -> Any:
        """Returns a table with a row for each point of the last round, the best first.

        Columns: number, description, mean, half_width, behind (difference to the best point, seed by seed), cost.
        """
        columns = ["number", "description", "mean", "half_width", "behind", "behind_half_width", "cost"]
        unit = metric_units().get(self.metric, "1")
        return frame(columns, self.result["finalists"],
                     {name: unit for name in ("mean", "half_width", "behind", "behind_half_width")}, metric=self.metric)

    def _repr_html_(self) -> str:
        rows = [[str(each["number"]), each["description"], shown(each["mean"], each["half_width"])]
                for each in self.result["finalists"]]
        return html_table([("point", ""), ("values", ""), (self.metric.replace("_", " "), metric_units().get(self.metric, ""))],
                          rows, f"{self.result['runs']} of {self.result['full_runs']} runs")


class Comparison:
    """Two machines with the same programs and seeds. result: all that `weir compare --json` prints.

    first, second: their names. points: the points of the experiments, dicts with 'label', 'metrics' and 'round_trip'.
    """

    def __init__(self, result: dict[str, Any], first: str, second: str) -> None:
        self.result = result
        self.first, self.second = first, second
        self.points: list[dict[str, Any]] = result["points"]
        self.leading_metric: str = result["leading_metric"]

    def __repr__(self) -> str:
        return f"<weir.Comparison of {self.first} and {self.second}>"

    def change(self, metric: Optional[str] = None, point: int = 1) -> dict[str, Any]:
        """Returns a metric's 'first', 'second', 'change' and 'half_width' of the change's 95 % interval.

        metric: its name [the leading metric]. point: number of the point, from 1. Raises Error for an unknown metric.
        """
        metrics = self.points[point - 1]["metrics"]
        metric = metric or self.leading_metric
        if metric not in metrics:
            raise Error(f"found the metric {metric!r}; accepted: {', '.join(metrics)}")
        return metrics[metric]

    def frame(self, part: str = "metrics") -> Any:
        """Returns a table with a row for each point and metric: label, metric, first, second, change, half_width, unit.

        part: 'metrics', or 'round_trip' for the parts of the leading time.
        """
        units = metric_units() if part == "metrics" else {}
        rows = [{"label": point["label"], "metric": name, **change, "unit": units.get(name, "cycles" if part == "round_trip" else "")}
                for point in self.points for name, change in point.get(part, {}).items()]
        return frame(["label", "metric", "first", "second", "change", "half_width", "unit"], rows,
                     first=self.first, second=self.second)

    def _repr_html_(self) -> str:
        rows = []
        for point in self.points:
            for name, change in {self.leading_metric: self.change(), **point.get("round_trip", {})}.items():
                rows.append([point["label"], name.replace("_", " "), shown(change["first"]), shown(change["second"]),
                             shown(change["change"], change["half_width"])])
        return html_table([("point", ""), ("cycles", ""), (self.first, ""), (self.second, ""), ("change", "")], rows)

    def plot(self, point: int = 1, axes: Any = None) -> Any:
        """Draws the change of each part of the leading time. Needs matplotlib. Returns its Axes."""
        from weir import plots

        return plots.changes(self, point, axes)


def _path_of(result: Any) -> pathlib.Path:
    if isinstance(result, (Run, Study)):
        return result.folder
    if isinstance(result, (Sweep, Search)):
        return (result.sweep if isinstance(result, Search) else result).database
    return pathlib.Path(result)


def _option(name: str, value: Any) -> list[Any]:
    return [] if value is None else [name, value]


def _permissions(libraries: Paths, folders: Paths) -> list[Path]:
    options: list[Path] = []
    for name, paths in (("--allow-library", libraries), ("--allow-folder", folders)):
        for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
            options += [name, path]
    return options


def _result_of(result: dict[str, Any], folder: pathlib.Path) -> Any:
    return (Study if "parts" in result else Run)(result, folder)


def _read_json(path: pathlib.Path) -> Any:
    # Python's reader accepts NaN and infinities, which are invalid in a result.
    def number(text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(f"the number {text} is not finite")
        return value

    with _open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=number, parse_constant=number)


def _columns(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    return dict.fromkeys(name for row in rows for name in row)


def _fetch(database: pathlib.Path, sql: str, values: Any = ()) -> tuple[list[str], list[dict[str, Any]]]:
    # Read-only, so that a missing database is not created.
    with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        # Views of a file that somebody else has made can't have side effects.
        connection.execute("PRAGMA trusted_schema = OFF")
        cursor = connection.execute(sql, values)
        columns = [column[0] for column in cursor.description or []]
        return columns, [dict(zip(columns, row)) for row in cursor]


def _sql_name(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _rows(database: pathlib.Path, sql: str) -> Any:
    try:
        return frame(*_fetch(database, sql))
    except sqlite3.Error as fault:
        raise Error(f"{database}: {fault} (in the query: {sql})") from fault
