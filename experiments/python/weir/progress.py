"""Shows the progress of the program in a notebook or on a terminal."""

from __future__ import annotations

import codecs
import os
import re
import subprocess
import sys
from typing import Any, Optional

_MOST_OF_A_LINE = 4096  # letters; the program makes its lines as short as the terminal
_NEW_LINE_OF_PROGRESS = "\r\x1b[K"  # the program's; it begins each line of progress, and removes the last one


def text_without_progress(text: str) -> str:
    """Returns the program's messages without its lines of progress."""
    text = text.replace("\r\n", "\n")
    return re.sub(r"\r\x1b\[K[^\r\n]*(?=\r)", "", text).replace(_NEW_LINE_OF_PROGRESS, "")


class Progress:
    """Standard error of the program. If progress is shown, this is a terminal of its own, which makes the program report it.

    wanted: True, False, or None for a notebook or a terminal only.
    target: the program's standard error, for subprocess. text: all that the program has written.
    """

    def __init__(self, wanted: Optional[bool]) -> None:
        self.text = ""
        self.target: int = subprocess.PIPE
        self._display = _display_of(wanted)
        self._terminal: Optional[int] = None

    def __enter__(self) -> Progress:
        if self._display is not None:
            self._terminal, self.target = os.openpty()
            _make_wide(self.target)
        return self

    def __exit__(self, *ignored: Any) -> None:
        self.program_has_ended()
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None
        if self._display is not None:
            self._display.show("")

    def program_has_ended(self) -> None:
        """Closes this process's copy of the terminal, so that read() ends."""
        if self._terminal is not None and self.target >= 0:
            os.close(self.target)
            self.target = subprocess.PIPE

    def read(self, process: subprocess.Popen) -> None:
        """Reads until the program ends, and shows its last line."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        descriptor = self._terminal if self._terminal is not None else process.stderr.fileno()  # type: ignore[union-attr]
        while True:
            try:
                read = os.read(descriptor, 65536)
            except OSError:  # Linux reports the end of a terminal in this way
                break
            if not read:
                break
            self.text += decoder.decode(read)
            if self._display is not None:
                line = re.split(r"[\r\n]", self.text[-_MOST_OF_A_LINE:].rstrip("\r\n"))[-1].replace("\x1b[K", "")
                if line:
                    self._display.show(re.sub("^weir: ", "", line))


class _TerminalLine:
    def show(self, line: str) -> None:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        sys.stderr.write(_NEW_LINE_OF_PROGRESS + line[:columns - 1])
        sys.stderr.flush()


class _NotebookLine:
    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, line: str) -> None:
        from IPython.display import display

        content = {"text/plain": line}
        if self._handle is None:
            if line:
                self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)


def _is_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


def _display_of(wanted: Optional[bool]) -> Any:
    if wanted is False:
        return None
    if _is_notebook():
        return _NotebookLine()
    try:
        is_terminal = os.isatty(sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):
        is_terminal = False
    return _TerminalLine() if is_terminal else None


def _make_wide(terminal: int) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
