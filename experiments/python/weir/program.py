"""Finds and calls the program `weir`, and converts its error messages into exceptions."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
from typing import Any, Mapping, Optional, Sequence

from weir.progress import Progress, text_without_progress

_PACKAGE = pathlib.Path(__file__).resolve().parent


class Error(Exception):
    """Error of the program: refused input, or a failed run.

    message: the program's message, of one or more lines.
    status: the program's exit status (`weir --help` lists all); None if the program did not run. 2: bad input.
    3: deadlock, no progress, or a starved thread. 4: a kernel's answer is wrong.

    The following are parts of the message, and None where it has no such part.
    file, line, column: place in an experiment file. key: the parameter, 'network.hop_cycles'.
    accepted: the accepted values. nearest: the nearest name to a misspelt one.
    """

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        first = message.split("\n", 1)[0]
        self.nearest = _part(r'did you mean "(.*?)"\?', first)
        self.accepted = _part(r"; accepted: (.*?)(?:; did you mean .*)?$", first)
        place = re.match(r"(?P<file>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+))?: ", first)
        self.file = place["file"] if place else _part(r"^(\S+\.\w+): ", first)
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place and place["column"] else None
        said = first[place.end():] if place else first.removeprefix(f"{self.file}: ")
        self.key = _part(r"--set ([^=\s]+)=", first) or _key_of(said)


def _part(pattern: str, text: str) -> Optional[str]:
    found = re.search(pattern, text)
    return found[1] if found else None


def _key_of(text: str) -> Optional[str]:
    unknown = re.search(r'\[([\w.]+)\] has no key "([^"]*)"', text)
    return f"{unknown[1]}.{unknown[2]}" if unknown else _part(r"^([a-z_]+(?:\.[a-z_0-9]+)+)\b", text)


def find_program() -> str:
    """Returns the path of the program. Raises Error if there is none.

    The environment variable WEIR may name it. Next come the program in the wheel, and ./weir of this file's checkout. The
    last two are `weir` on PATH, and ./weir of the checkout from which pip installed the package.
    """
    named = os.environ.get("WEIR")
    if named:
        return named
    own = _PACKAGE / "program" / "bin" / "weir"
    if own.is_file():
        return str(own)
    launcher = _launcher_of(_PACKAGE.parents[2]) if len(_PACKAGE.parents) > 2 else None
    found = launcher or shutil.which("weir") or _launcher_of(_installed_from())
    if not found:
        raise Error("found no program weir; accepted: its path in the variable WEIR, weir on PATH, or a wheel with the program")
    return found


def _launcher_of(checkout: Optional[pathlib.Path]) -> Optional[str]:
    if checkout and (checkout / "CMakePresets.json").is_file() and (checkout / "weir").is_file():
        return str(checkout / "weir")
    return None


def _installed_from() -> Optional[pathlib.Path]:
    try:
        return pathlib.Path((_PACKAGE / "checkout.txt").read_text(encoding="utf-8").rstrip("\n"))
    except OSError:
        return None


def main() -> None:
    """The command `weir` of a wheel: replaces this process by the program."""
    program = find_program()
    os.execv(program, [program, *sys.argv[1:]])


def version() -> str:
    """Returns the version of the program, for example '0.1.0'. Raises Error."""
    return call("--version").split()[0]


def call(*arguments: Any, good: Sequence[int] = (0,), progress: Optional[bool] = False) -> str:
    """Runs the program with these arguments and returns its standard output. Raises Error if its status is not in `good`.

    progress: True to show the program's progress, None to show it in a notebook or on a terminal.
    """
    shown = Progress(progress)
    try:
        with shown:
            process = subprocess.Popen([find_program(), *map(str, arguments)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=shown.target)
            status, output, told = _end_of(process, shown)
    except OSError as fault:
        raise Error(f"{find_program()}: {fault.strerror}; accepted: the path of the program in the variable WEIR") from fault
    except ValueError as fault:
        raise Error(f"found {arguments!r}; accepted: names and values in UTF-8, without a zero byte", 2) from fault
    if status not in good:
        # A long command prints lines of progress before its message.
        message = ("\n" + told.strip()).split("\nweir: ")[-1].strip()
        raise Error(message or f"weir ended with status {status}", status)
    return output


def _end_of(process: subprocess.Popen, shown: Progress) -> tuple[int, str, str]:
    reader = threading.Thread(target=shown.read, args=(process,), daemon=True)
    reader.start()
    try:
        with process:
            assert process.stdout is not None
            output = process.stdout.read()
    except KeyboardInterrupt:
        # A notebook interrupts only its own process. The program keeps the runs that have ended.
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    finally:
        shown.program_has_ended()
        reader.join()
    return process.returncode, output.decode("utf-8", "replace"), text_without_progress(shown.text)


def settings(values: Mapping[str, Any]) -> list[str]:
    """Returns the program's --set options for a dict of parameters and values: {"network.hop_cycles": 2}."""
    options: list[str] = []
    for key, value in values.items():
        options += ["--set", f"{key}={toml(value)}"]
    return options


def toml(value: Any) -> str:
    """Returns a value in the syntax of experiment files (TOML). Raises TypeError unless it is a number, a text or a list."""
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if hasattr(value, "tolist"):  # a NumPy number or array
        return toml(value.tolist())
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"found {value!r}; accepted: numbers, texts, True, False, and lists of these")
