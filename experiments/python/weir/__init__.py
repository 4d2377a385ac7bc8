"""Runs Weir's experiments and sweeps from Python, and reads their results.

    import weir
    run = weir.run("sync-remap.toml", **{"network.hop_cycles": 2})
    run.metrics["cycles_per_iteration"]
    run.trace("SELECT destination_node, count(*) AS messages FROM messages GROUP BY 1")

Tables are pandas.DataFrame objects if pandas is installed, else weir.Table. If the program refuses its input or a run
fails, weir.Error is raised with the program's message.
"""

from weir.program import Error, find_program, version
from weir.results import Point, Run, Study, Sweep, open, run, sweep
from weir.table import Table

__all__ = ["Error", "Point", "Run", "Study", "Sweep", "Table", "find_program", "open", "run", "sweep", "version"]
