"""Stand-in for matplotlib, which is no test package: it notes the calls of a plot."""

import sys
import types
from unittest import mock


class Axes:
    """Axes whose methods only note their arguments."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *arguments, **named: self.calls.append((name, (arguments, named)))

    def __repr__(self):
        return f"<Axes: {', '.join(dict.fromkeys(name for name, _ in self.calls))}>"


def installed():
    """Context in which importing matplotlib gives the stub."""
    pyplot = types.SimpleNamespace(subplots=lambda: (None, Axes()))
    return mock.patch.dict(sys.modules, {"matplotlib": types.SimpleNamespace(pyplot=pyplot), "matplotlib.pyplot": pyplot})


def check(test, plot, *names):
    """Draws a plot, and checks that it calls these methods of its Axes. Returns all calls."""
    with installed():
        axes = plot()
    for name in names:
        test.assertIn(name, [called for called, _ in axes.calls])
    return axes.calls
