"""Predicts a larger machine from runs on small ones."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Optional, Sequence, Union

from weir.experiment import Source, file_of
from weir.program import call, settings
from weir.table import frame, html_table, shown


def predict(experiment: Source, nodes: Union[int, str], constant: Optional[str] = None, small: Sequence[Union[int, str]] = (),
            check: bool = False, metric: Optional[str] = None, out: Union[str, os.PathLike[str], None] = None,
            jobs: Optional[int] = None, progress: Optional[bool] = None, **values: Any) -> Prediction:
    """Predicts a larger machine from runs on small ones, as `weir predict` does. Returns a Prediction.

    experiment: path of a file, an Experiment, or a dictionary of its tables.
    nodes: number of nodes, or extents such as "32x32". small: the small machines in the same form [4 to 64 nodes].
    constant: "per-node-size" or "total-size", for kernels with a problem size. check: True to run the larger machine, too.
    metric: its name [the kernel's main metric]. out: SQLite database of the runs [runs/NAME.predict-*.db].
    Other arguments are those of run(). Raises Error if the input is refused or a run fails.
    """
    with file_of(experiment) as (file, name):
        kept = "total" if constant == "total-size" else "per-node"
        database = pathlib.Path(out) if out else pathlib.Path("runs") / f"{name}.predict-{kept}.db"
        words: list[Any] = ["--out", database, *([f"--{constant}"] if constant else []), *(["--check"] if check else [])]
        for option, value in (("--small", ",".join(map(str, small))), ("--metric", metric), ("--jobs", jobs)):
            words += [option, value] if value else []
        text = call("predict", file, "--nodes", nodes, "--json", *words, *settings(values), good=(0, 1), progress=progress)
    return Prediction(json.loads(text))


class Prediction:
    """Metric of a larger machine. result: all that `weir predict --json` prints.

    metric: its name. value: its predicted value. low, high: ends of the 95 % interval. doubts: reasons why the small machines do
    not tell. measured: the value of the larger machine, if it was run.
    """

    def __init__(self, result: dict[str, Any]) -> None:
        self.result = result
        self.metric: str = result["metric"]
        self.value: float = result["value"]
        self.low: float = result["low"]
        self.high: float = result["high"]
        self.doubts: list[str] = result["doubts"]
        self.measured: Optional[float] = result["check"]["value"] if result["check"] else None

    def __repr__(self) -> str:
        return f"<weir.Prediction of {self.metric} on {self.result['nodes']} nodes: {shown(self.value)}>"

    def frame(self) -> Any:
        """Returns a table with a row for each run of a small machine: nodes, shape, and the metric."""
        rows = [{"nodes": machine["nodes"], "shape": machine["shape"], self.metric: value}
                for machine in self.result["machines"] for value in machine["values"]]
        return frame(["nodes", "shape", self.metric], rows, {self.metric: self.result["unit"]})

    def _repr_html_(self) -> str:
        rows = [[each["formula"], shown(100 * each["weight"]), shown(each["value"])] for each in self.result["sums"]]
        return html_table([("sum of terms", ""), ("weight", "%"), ("predicted", self.result["unit"])], rows,
                          f"{self.metric.replace('_', ' ')} on {self.result['nodes']} nodes: {shown(self.low)} to {shown(self.high)}")
