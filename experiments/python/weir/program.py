"""Finds and calls the program; turns its refusals into exceptions."""

import json
import os
import pathlib
import shutil
import subprocess


class Error(Exception):
    """A refusal by the program, or the failure of a run.

    message: the program's own message, one line or more.
    status: the program's exit status, as in `weir --help`; None if the program was not found. 2: bad input.
    3: deadlock, no progress, or a starved thread. 4: wrong answer.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.message = message
        self.status = status


def find_program():
    """Path of the program: the variable WEIR, else the launcher of this file's checkout, else the first `weir` on PATH. Raises Error."""
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
    """Version of the program, such as '0.1.0'."""
    return call("--version").split()[0]


def call(*arguments, good=(0,)):
    """Runs the program. Returns its standard output; raises Error for a status that is not in `good`."""
    try:
        ended = subprocess.run(
            [find_program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            errors="replace", check=False)
    except OSError as fault:
        raise Error(f"{find_program()}: {fault.strerror}; accepted: Weir's program in the variable WEIR") from fault
    except ValueError as fault:
        raise Error(f"found {arguments!r}; accepted: names and values in UTF-8, without a zero byte", 2) from fault
    if ended.returncode not in good:
        # Before its message, a long command prints lines of progress.
        message = ("\n" + ended.stderr.strip()).split("\nweir: ")[-1].strip()
        raise Error(message or f"weir ended with status {ended.returncode}", ended.returncode)
    return ended.stdout


def settings(values):
    """The program's options --set for values such as {"network.hop_cycles": 2}."""
    options = []
    for key, value in values.items():
        options += ["--set", f"{key}={toml(value)}"]
    return options


def toml(value):
    """A value in the syntax of experiment files. Raises TypeError for types that they do not have."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if hasattr(value, "item"):  # a NumPy number
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"found {value!r}; accepted: numbers, texts, True, False, and lists of these")
