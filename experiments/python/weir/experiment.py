"""Experiments as dictionaries."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Union

from weir.program import Error, toml

if TYPE_CHECKING:
    from weir.results import Run, Search, Study, Sweep

Source = Union[str, "os.PathLike[str]", "Experiment", Mapping[str, Any]]
"""An experiment: the path of a file, an Experiment, or a dictionary of its tables."""


class Experiment:
    """An experiment as dictionaries, with the tables and keys of an experiment file.

        weir.Experiment(extends="alewife", workload={"kernel": "remap"}, network={"hop_cycles": 2})

    name: name of the results, runs/NAME-NNN. Keys with dots are accepted: {"network.hop_cycles": 2}. Lists of tables, such as
    `point` and sweep's `axis`, are lists of dictionaries. Paths are relative to the current folder.
    """

    def __init__(self, name: str = "experiment", **tables: Any) -> None:
        if not name or "/" in name:
            raise Error(f"found the name {name!r}; accepted: a file name without its ending")
        self.name = name
        self.tables = tables

    def __repr__(self) -> str:
        return f"<weir.Experiment {self.name} with {', '.join(self.tables)}>"

    def with_values(self, **values: Any) -> Experiment:
        """Returns a copy with further tables or keys: with_values(**{"network.hop_cycles": 2})."""
        changed = Experiment(self.name)
        changed.tables = _merged(self.tables, values)
        return changed

    def text(self) -> str:
        """Returns the experiment as the text of an experiment file."""
        return "\n".join(line for line, _ in _lines(self.tables)) + "\n"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> pathlib.Path:
        """Writes the experiment file and returns its path. An existing file is replaced."""
        path = pathlib.Path(path)
        path.write_text(self.text(), encoding="utf-8")
        return path

    def run(self, **named: Any) -> Union[Run, Study]:
        """Runs the experiment: see weir.run()."""
        from weir import results

        return results.run(self, **named)

    def sweep(self, **named: Any) -> Sweep:
        """Runs all points of the experiment's sweep: see weir.sweep()."""
        from weir import results

        return results.sweep(self, **named)

    def search(self, **named: Any) -> Search:
        """Finds the best point of the experiment's sweep: see weir.search()."""
        from weir import results

        return results.search(self, **named)


@contextlib.contextmanager
def file_of(source: Source) -> Iterator[tuple[pathlib.Path, str]]:
    """Context with the experiment's file and the name of its results. The file of a dictionary exists only meanwhile."""
    if isinstance(source, Mapping):
        source = Experiment(**source)
    if not isinstance(source, Experiment):
        yield pathlib.Path(source), pathlib.Path(source).stem
        return
    # In the current folder, since the program takes paths as relative to the file.
    descriptor, path = tempfile.mkstemp(prefix=f".{source.name}-", suffix=".toml", dir=".", text=True)
    path = os.path.relpath(path)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(source.text())
        yield pathlib.Path(path), source.name
    except Error as fault:
        raise _without_file(fault, path, source) from fault
    finally:
        os.unlink(path)


def free_folder(name: str) -> pathlib.Path:
    """Returns a new folder's name for the results: runs/NAME-NNN."""
    number = 1
    while os.path.lexists(f"runs/{name}-{number:03}"):
        number += 1
    return pathlib.Path("runs") / f"{name}-{number:03}"


def _without_file(fault: Error, path: str, experiment: Experiment) -> Error:
    """Returns the same error with the experiment's key in place of a line of the temporary file."""
    line = fault.line if fault.file == path else None
    keys = [key for _, key in _lines(experiment.tables)]
    key = keys[line - 1] if line and line <= len(keys) else None
    place = f"weir.Experiment {experiment.name}"
    message = fault.message
    if fault.file == path and line:
        message = message.replace(f"{path}:{line}:{fault.column}", f"{place}, {key}" if key else place)
    changed = Error(message.replace(path, place), fault.status)
    changed.key = key or fault.key
    changed.file, changed.line, changed.column = None, None, None
    return changed


def _lines(tables: Mapping[str, Any], place: str = "") -> list[tuple[str, str]]:
    """Returns lines of TOML, each with the place of its value: a key, or 'point 2, network.hop_cycles'."""
    lines = [(f"{key} = {toml(value)}", f"{place}{key}") for key, value in _values(tables) if not _is_list_of_tables(value)]
    for key, entries in _values(tables):
        if _is_list_of_tables(entries):
            for number, entry in enumerate(entries, 1):
                lines.append((f"[[{key}]]", f"{place}{key} {number}"))
                lines += _lines(entry, f"{place}{key} {number}, ")
    return lines


def _values(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yields each key, 'network.hop_cycles', with its value, which is no table."""
    for name, value in tables.items():
        key = prefix + (name if re.fullmatch(r"[\w.-]+", name, re.ASCII) else toml(str(name)))
        if isinstance(value, Mapping):
            yield from _values(value, f"{key}.")
        else:
            yield key, value


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], Mapping)


def _merged(tables: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the tables with the values in them; keys with dots name a key in a table."""
    merged = dict(tables)
    for name, value in values.items():
        table, dot, rest = name.partition(".")
        if dot:
            value = {rest: value}
        if isinstance(value, Mapping) and isinstance(merged.get(table), Mapping):
            value = _merged(merged[table], value)
        merged[table] = value
    return merged
