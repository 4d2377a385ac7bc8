"""Runs Weir's experiments and sweeps from Python, and reads their results.

    import weir
    experiment = weir.Experiment(extends="alewife", workload={"kernel": "remap", "iterations": 200})
    run = experiment.run(**{"network.hop_cycles": 2})
    run.metrics["cycles_per_iteration"]
    run.trace("SELECT destination_node, count(*) AS messages FROM messages GROUP BY 1")

Tables are pandas.DataFrame objects if pandas is installed, else weir.Table. Their attrs["units"] has the columns' units. If
the program refuses its input or a run fails, weir.Error is raised with the program's message.
"""

from weir.experiment import Experiment
from weir.modelling import Explanation, Fit, explain, fit
from weir.prediction import Prediction, predict
from weir.program import Error, find_program, version
from weir.reference import ModelResult, Topology, model, models, params, topology
from weir.results import (Comparison, Point, Run, Search, Study, Sweep, compare, open, report, run, search, state, sweep)
from weir.table import Table

__version__ = "0.1.0"  # equal to the program's version (CMakeLists.txt)

__all__ = [
    "Comparison", "Error", "Experiment", "Explanation", "Fit", "ModelResult", "Point", "Prediction", "Run", "Search",
    "Study", "Sweep", "Table", "Topology", "__version__", "compare", "explain", "find_program", "fit", "model", "models",
    "open", "params", "predict", "report", "run",
    "search", "state", "sweep", "topology", "version",
]
