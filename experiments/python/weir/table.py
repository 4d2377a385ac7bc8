"""Tables with named columns, with or without pandas."""


class Table(list):
    """List of rows, which are dicts with equal keys. columns: these keys, in order. table["cycles"]: all values of a column."""

    def __init__(self, columns, rows):
        super().__init__(rows)
        self.columns = list(columns)

    def __getitem__(self, which):
        """A row by its number, or all values of a column by its name. Raises a KeyError that lists the columns."""
        if not isinstance(which, str):
            return super().__getitem__(which)
        if which not in self.columns:
            raise KeyError(f"no column {which!r}; accepted: {', '.join(self.columns)}")
        return [row[which] for row in self]

    def __str__(self):
        cells = [self.columns] + [[_text(row[name]) for name in self.columns] for row in self]
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(map(str.rjust, line, widths)) for line in cells)


def frame(columns, rows):
    """Returns a pandas.DataFrame if pandas is installed, else a Table. rows: dicts; missing values become NaN or None."""
    filled = [{name: row.get(name) for name in columns} for row in rows]
    try:
        import pandas
    except ImportError:
        return Table(columns, filled)
    return pandas.DataFrame(filled, columns=list(columns))


def _text(value):
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
