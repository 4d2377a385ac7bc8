"""Lists and facts that the program prints: parameters, models, networks."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import tempfile
from typing import Any, Optional, Sequence, Union

from weir.program import Error, call, find_program, settings
from weir.table import frame, html_table, shown


def params(pattern: str = "") -> Any:
    """Returns a table of the parameters whose keys match: key, default, accepted, unit, sentence, source.

    pattern: part of a key, 'network.hop'; all parameters without it. Raises Error if none matches.
    """
    found = json.loads(call("params", *([pattern] if pattern else []), "--json"))
    return frame(["key", "default", "accepted", "unit", "sentence", "source"], found)


def models() -> Any:
    """Returns a table of the analytic models: name, title, source."""
    return frame(["name", "title", "source"], json.loads(call("model", "--json"))["models"])


def model(name: str, **inputs: Any) -> ModelResult:
    """Evaluates an analytic model, as `weir model` does: model("lopc-all-to-any", processors=32, ...). Returns a ModelResult.

    inputs: the model's inputs by name; `weir model NAME --help` lists them. Raises Error if an input is refused.
    """
    return ModelResult(json.loads(call("model", name, "--json", *settings(inputs))))


class ModelResult:
    """Solution of a model. name: its name. inputs: values by name. outputs: values by name. units: units of the outputs."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.result = result
        self.name: str = result["model"]
        self.inputs: dict[str, Any] = result["inputs"]
        self.outputs: dict[str, float] = {name: each["value"] for name, each in result["outputs"].items()}
        self.units: dict[str, str] = {name: each.get("unit", "1") for name, each in result["outputs"].items()}

    def __repr__(self) -> str:
        return f"<weir.ModelResult of {self.name}: {', '.join(f'{name} {shown(value)}' for name, value in self.outputs.items())}>"

    def frame(self) -> Any:
        """Returns a table with a row for each output: name, value, unit, symbol, equation."""
        return frame(["name", "value", "unit", "symbol", "equation"],
                     [{"name": name, **each} for name, each in self.result["outputs"].items()])

    def _repr_html_(self) -> str:
        rows = [[name.replace("_", " "), shown(value), self.units[name]] for name, value in self.outputs.items()]
        return html_table([("output", ""), ("value", ""), ("unit", "")], rows, self.name)


class Topology(dict):
    """Facts about a network: nodes, switches, channels, diameter_hops, mean_distance_hops, bisection and others.

    In a notebook it is shown as a drawing.
    """

    def __init__(self, facts: dict[str, Any], words: Sequence[str]) -> None:
        super().__init__(facts)
        self._words = list(words)

    def svg(self) -> str:
        """Returns a drawing of the network; its two colours show the bisection."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "network.svg"
            call("topology", "show", *self._words, "--svg", path)
            return path.read_text(encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg()


def topology(source: Union[str, os.PathLike[str], None] = None, dimensions: Optional[Sequence[int]] = None,
             nodes: Optional[int] = None, arity: Optional[int] = None, **values: Any) -> Topology:
    """Returns the facts of a network, as `weir topology show` prints them: topology("torus", dimensions=[8, 4]).

    source: name of a topology (`weir list topologies`), or the path of an experiment or a graph file.
    dimensions, nodes, arity: size of a named topology. values: parameters to set, for a file.
    """
    words: list[str] = []
    if source is not None:
        text = os.fspath(source)
        words += [text] if pathlib.Path(text).suffix else ["--topology", text]
    if dimensions is not None:
        words += ["--dimensions", ",".join(map(str, dimensions))]
    for option, value in (("--nodes", nodes), ("--arity", arity)):
        words += [] if value is None else [option, str(value)]
    words += settings(values)
    found = json.loads(call("topology", "show", *words, "--json"))["topologies"]
    if len(found) != 1:
        raise Error(f"{source}: found {len(found)} networks; accepted: a name, or a file with one network")
    return Topology(found[0], words)


def metric_units() -> dict[str, str]:
    """Returns the units of all metrics by name; '1' for a ratio or a count."""
    return _metric_units(find_program())


@functools.lru_cache(maxsize=4)
def _metric_units(program: str) -> dict[str, str]:
    return {each["name"]: each["unit"] for each in json.loads(call("list", "metrics", "--json"))["metrics"]}
