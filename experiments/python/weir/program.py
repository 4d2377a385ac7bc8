"""Finds and calls the program `weir`, and converts its error messages into exceptions."""

import json
import os
import pathlib
import shutil
import subprocess


class Error(Exception):
    """Error of the program: refused input, or a failed run.

    message: the program's message, of one or more lines.
    status: the program's exit status (`weir --help` lists all); None if the program did not run. 2: bad input.
    3: deadlock, no progress, or a starved thread. 4: a kernel's answer is wrong.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.message = message
        self.status = status


def find_program():
    """Returns the path of the program. Raises Error if there is none.

    The path is the value of the environment variable WEIR, else ./weir of this file's checkout, else the first `weir` on
    PATH.
    """
    named = os.environ.get("WEIR")
    if named:
        return named
    launcher = pathlib.Path(__file__).resolve().parents[3] / "weir"
    if (launcher.parent / "CMakePresets.json").is_file() and launcher.is_file():
        return str(launcher)
    found = shutil.which("weir")
    if not found:
        raise Error("found no program weir; accepted: its path in the environment variable WEIR, a checkout of Weir, or weir on PATH")
    return found


def version():
    """Returns the version of the program, for example '0.1.0'. Raises Error."""
    return call("--version").split()[0]


def call(*arguments, good=(0,)):
    """Runs the program with these arguments and returns its standard output. Raises Error if its status is not in `good`."""
    try:
        ended = subprocess.run(
            [find_program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            errors="replace", check=False)
    except OSError as fault:
        raise Error(f"{find_program()}: {fault.strerror}; accepted: the path of the program in the variable WEIR") from fault
    except ValueError as fault:
        raise Error(f"found {arguments!r}; accepted: names and values in UTF-8, without a zero byte", 2) from fault
    if ended.returncode not in good:
        # A long command prints lines of progress before its message.
        message = ("\n" + ended.stderr.strip()).split("\nweir: ")[-1].strip()
        raise Error(message or f"weir ended with status {ended.returncode}", ended.returncode)
    return ended.stdout


def settings(values):
    """Returns the program's --set options for a dict of parameters and values: {"network.hop_cycles": 2}."""
    options = []
    for key, value in values.items():
        options += ["--set", f"{key}={toml(value)}"]
    return options


def toml(value):
    """Returns a value in the syntax of experiment files (TOML). Raises TypeError unless it is a number, a text or a list."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if hasattr(value, "item"):  # a NumPy number
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"found {value!r}; accepted: numbers, texts, True, False, and lists of these")
