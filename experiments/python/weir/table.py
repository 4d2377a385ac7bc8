"""Tables with named columns, with or without pandas."""

from __future__ import annotations

import html
from typing import Any, Iterable, Mapping, Optional, Sequence


class Table(list):
    """List of rows, which are dicts with equal keys. table["cycles"]: all values of a column.

    columns: the keys, in order. attrs: facts about the table, as of a pandas.DataFrame; attrs["units"] has units by column.
    """

    def __init__(self, columns: Iterable[str], rows: Iterable[Mapping[str, Any]], attrs: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(rows)
        self.columns = list(columns)
        self.attrs: dict[str, Any] = dict(attrs or {})

    def __getitem__(self, which: Any) -> Any:
        """A row by its number, or all values of a column by its name. Raises a KeyError that lists the columns."""
        if not isinstance(which, str):
            return super().__getitem__(which)
        if which not in self.columns:
            raise KeyError(f"no column {which!r}; accepted: {', '.join(self.columns)}")
        return [row[which] for row in self]

    def __str__(self) -> str:
        cells = [self.columns] + [[shown(row[name]) for name in self.columns] for row in self]
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(map(str.rjust, line, widths)) for line in cells)

    def _repr_html_(self) -> str:
        units = self.attrs.get("units", {})
        return html_table([(name, units.get(name, "")) for name in self.columns],
                          [[shown(row[name]) for name in self.columns] for row in self])


def frame(columns: Iterable[str], rows: Iterable[Mapping[str, Any]], units: Optional[Mapping[str, str]] = None,
          **attrs: Any) -> Any:
    """Returns a pandas.DataFrame if pandas is installed, else a Table.

    rows: dicts; missing values become NaN or None. units: units by column; those of other columns are left out.
    attrs: further entries of the table's attrs.
    """
    columns = list(columns)
    filled = [{name: row.get(name) for name in columns} for row in rows]
    facts = {"units": {name: unit for name, unit in (units or {}).items() if name in columns}, **attrs}
    try:
        import pandas
    except ImportError:
        return Table(columns, filled, facts)
    table = pandas.DataFrame(filled, columns=columns)
    table.attrs.update(facts)
    return table


def html_table(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Returns an HTML table. columns: names with units, or empty units."""
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{html.escape(name)}{f'<br><small>{html.escape(unit)}</small>' if unit and unit != '1' else ''}</th>"
                   for name, unit in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shown(value: Any, half_width: Optional[float] = None) -> str:
    """Returns a value as text, for example '438.6' or, with half of an interval, '438.6 ± 2.1'."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.6g}" if half_width is None else f"{value:.5g} ± {half_width:.2g}"
