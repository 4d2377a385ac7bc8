"""Plots of results with matplotlib, which is imported when a plot is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from weir.program import Error

if TYPE_CHECKING:
    from weir.results import Comparison, Run, Sweep


def round_trips(run: Run, axes: Any) -> Any:
    """Draws a stacked bar of the parts of a round trip for each point. Returns the Axes."""
    axes = axes or _new_axes()
    labels = [point.label for point in run.points]
    parts = dict.fromkeys(part for point in run.points for part in point.round_trip)
    if not parts:
        raise Error(f"{run.folder}: the kernel {run.kernel} measures no parts of a round trip; accepted: a frame's plot")
    bottoms = [0.0] * len(labels)
    drawn = [part for part in parts if any(part in point.round_trip and point.round_trip[part] for point in run.points)]
    for number, part in enumerate(drawn):
        heights = [point.round_trip.get(part, 0.0) for point in run.points]
        hatch = "//" if number >= 10 else None  # matplotlib's colours repeat
        axes.bar(labels, heights, bottom=bottoms, label=part.replace("_", " "), hatch=hatch)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights)]
    axes.set_ylabel("cycles")
    axes.set_title(run.title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return axes


def lines(sweep: Sweep, x: Optional[str], y: Optional[str], source: str, axes: Any) -> Any:
    """Draws a line over the axis x for each combination of the other axes. Returns the Axes."""
    table = sweep.means(y, source)
    names = list(sweep.axes.values())
    x = x or next((name for name in names if all(isinstance(value, (int, float)) for value in table[name])), None)
    if x not in names:
        raise Error(f"{sweep.database}: found x = {x!r}; accepted: {', '.join(names)}")
    others = [name for name in names if name != x]
    groups: dict[str, list[tuple[Any, float, float, float]]] = {}
    columns = [table[name] for name in (x, "mean", "least", "greatest", *others)]
    for at, mean, least, greatest, *values in zip(*columns):
        label = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in zip(others, values))
        groups.setdefault(label, []).append((at, mean, mean - least, greatest - mean))
    axes = axes or _new_axes()
    for label, points in groups.items():
        at, mean, below, above = zip(*sorted(points))
        axes.errorbar(at, mean, yerr=[below, above], marker="o", capsize=2, label=label or None)
    axes.set_xlabel(x.replace("_", " "))
    axes.set_ylabel(_with_unit(table.attrs["metric"], table.attrs["units"]["mean"]))
    if others:
        axes.legend()
    return axes


def changes(comparison: Comparison, point: int, axes: Any) -> Any:
    """Draws a bar with an interval for each part that changes. Returns the Axes."""
    parts = {name: each for name, each in comparison.points[point - 1].get("round_trip", {}).items() if each["change"]}
    axes = axes or _new_axes()
    axes.barh([name.replace("_", " ") for name in parts], [each["change"] for each in parts.values()],
              xerr=[each["half_width"] or 0.0 for each in parts.values()])
    axes.invert_yaxis()
    axes.set_xlabel(f"cycles, {comparison.second} minus {comparison.first}")
    return axes


def _new_axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as fault:
        raise Error("plots need matplotlib, which is not installed; accepted: pip install matplotlib") from fault
    return pyplot.subplots()[1]


def _with_unit(metric: str, unit: str) -> str:
    name = metric.replace("_", " ")
    return name if unit == "1" or name.endswith(unit) else f"{name} [{unit}]"
