"""Finds the program, calls it, and words what it refuses."""

import json
import os
import pathlib
import shutil
import subprocess


class Error(Exception):
    """What the program refused, or how a run failed.

    message: the program's own, one line or more. status: its exit status, as `weir --help` lists them: 2 bad input,
    3 deadlock, no progress or a thread that starved, 4 wrong answer; None where the program was not found.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.message = message
        self.status = status


def find_program():
    """The program's path: the variable WEIR, else the launcher of the checkout that this file is in, else the first on PATH."""
    named = os.environ.get("WEIR")
    if named:
        return named
    launcher = pathlib.Path(__file__).resolve().parents[3] / "weir"
    if (launcher.parent / "CMakePresets.json").is_file() and launcher.is_file():
        return str(launcher)
    found = shutil.which("weir")
    if not found:
        raise Error("found no program weir; accepted: its path in the variable WEIR, a checkout of Weir, or weir on PATH")
    return found


def version():
    """The program's version, as '0.1.0'."""
    return call("--version").split()[0]


def call(*arguments, good=(0,)):
    """Runs the program. Returns what it printed; raises Error for a status that is not in `good`."""
    try:
        ended = subprocess.run(
            [find_program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            errors="replace", check=False)
    except OSError as fault:
        raise Error(f"{find_program()}: {fault.strerror}; accepted: Weir's program in the variable WEIR") from fault
    except ValueError as fault:
        raise Error(f"found {arguments!r}; accepted: names and values in UTF-8, without a zero byte", 2) from fault
    if ended.returncode not in good:
        # Before it, a long command says how far it is.
        message = ("\n" + ended.stderr.strip()).split("\nweir: ")[-1].strip()
        raise Error(message or f"weir ended with status {ended.returncode}", ended.returncode)
    return ended.stdout


def settings(values):
    """{"network.hop_cycles": 2} as the program's options --set."""
    options = []
    for key, value in values.items():
        options += ["--set", f"{key}={toml(value)}"]
    return options


def toml(value):
    """A value as experiment files write it. Raises TypeError for what they cannot hold."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if hasattr(value, "item"):  # a number of NumPy's
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"found {value!r}; accepted: numbers, texts, True, False, and lists of these")
