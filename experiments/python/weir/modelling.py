"""Fits models to traces, and splits their errors by assumption."""

from __future__ import annotations

import json
from typing import Any, Optional, Union

from weir.program import call
from weir.results import Path, Paths, Run, _option, _path_of, _permissions
from weir.table import frame, html_table, shown

Source = Union[Run, Path]


def fit(model: str, *runs: Source) -> Fit:
    """Estimates the parameters of a model from traces, as `weir fit` does. Returns a Fit.

    model: a name of models.compare. runs: Runs of one machine, or paths of their folders or traces.
    Raises Error if the traces do not tell a parameter that the model needs; the message names a run that would.
    """
    return Fit(json.loads(call("fit", model, *map(_path_of, runs), "--json")))


def explain(run: Source, model: Optional[str] = None, point: Optional[str] = None, jobs: Optional[int] = None,
            progress: Optional[bool] = None, allow_library: Paths = (), allow_folder: Paths = ()) -> Explanation:
    """Splits the errors of models by assumption, as `weir explain` does. Returns an Explanation.

    run: a Run, or the path of its folder. model: a prediction, such as 'lopc' or 'lopc_given' [all that the run compares].
    point: label of a point [all]. Idealised machines are run and stay in the run's folder. Other arguments are those of run().
    Raises Error if no prediction of the run can be split.
    """
    return Explanation(json.loads(call("explain", _path_of(run), *_option("--model", model), *_option("--point", point),
                                       *_option("--jobs", jobs), *_permissions(allow_library, allow_folder), "--json",
                                       progress=progress)))


class Fit:
    """Model fitted to traces. result: all that `weir fit --json` prints.

    model, summary: texts. values: values by the parameters' names, None where the traces do not tell one. half_widths:
    halves of their 95 % intervals.
    """

    def __init__(self, result: dict[str, Any]) -> None:
        self.result = result
        self.model: str = result["model"]
        self.summary: str = result["summary"]
        self.values: dict[str, Optional[float]] = {each["name"]: each["value"] for each in result["values"]}
        self.half_widths: dict[str, Optional[float]] = {each["name"]: each["half_width"] for each in result["values"]}

    def __repr__(self) -> str:
        return f"<weir.Fit of {self.model}: {', '.join(self.values)}>"

    def frame(self) -> Any:
        """Returns a table with a row for each value: name, symbol, message_bytes, value, half_width, unit, observations."""
        return frame(["name", "symbol", "message_bytes", "value", "half_width", "unit", "observations"], self.result["values"])

    def _repr_html_(self) -> str:
        rows = [[each["name"].replace("_", " "), each["symbol"], shown(each["value"], each["half_width"]), each["unit"]]
                for each in self.result["values"]]
        return html_table([("parameter", ""), ("symbol", ""), ("value", ""), ("unit", "")], rows, self.summary)


class Explanation:
    """Errors of predictions, split by assumption. result: all that `weir explain --json` prints.

    machines_run, machines_kept: number of idealised machines that this call ran, and that earlier calls had run.
    """

    def __init__(self, result: dict[str, Any]) -> None:
        self.result = result
        self.machines_run: int = result["machines_run"]
        self.machines_kept: int = result["machines_kept"]

    def __repr__(self) -> str:
        return f"<weir.Explanation of {self.result['title'] or self.result['experiment']}>"

    def parts(self, model: str, point: Optional[str] = None) -> dict[str, float]:
        """Returns the parts of a prediction's error in cycles, by the names of the assumptions and 'unexplained'.

        point: label of the point [the first]. The parts sum to the prediction minus the measurement.
        """
        found = [each for each in self._explained(point) if each["model"] == model]
        if not found:
            accepted = ", ".join(each["model"] for each in self._explained(point))
            raise KeyError(f"no prediction {model!r}; accepted: {accepted}")
        return {**{part["assumption"]: part["cycles"] for part in found[0]["parts"]},
                "unexplained": found[0]["unexplained_cycles"]}

    def frame(self) -> Any:
        """Returns a table with a row for each part: point, model, assumption, cycles, is_named, counterfactual."""
        rows = [{"point": point["label"], "model": each["model"], **part}
                for point in self.result["points"] for each in point["explained"]
                for part in [*each["parts"], {"assumption": "unexplained", "cycles": each["unexplained_cycles"]}]]
        return frame(["point", "model", "assumption", "cycles", "is_named", "counterfactual"], rows, {"cycles": "cycles"})

    def _explained(self, label: Optional[str]) -> list[dict[str, Any]]:
        points = [point for point in self.result["points"] if label in (None, point["label"])]
        return points[0]["explained"] if points else []

    def _repr_html_(self) -> str:
        rows = [[point["label"], each["model"], part["label"], f"{part['cycles']:+.1f}", "yes" if part["is_named"] else ""]
                for point in self.result["points"] for each in point["explained"] for part in each["parts"]]
        return html_table([("point", ""), ("model", ""), ("part", ""), ("error", "cycles"), ("broken", "")], rows,
                          self.result["title"])
