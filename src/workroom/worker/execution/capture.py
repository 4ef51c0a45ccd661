"""What jobs print and log, besides going where it always went, becomes lines of the job."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TextIO

from workroom.worker.execution.execution import CURRENT, Execution

_LONGEST_LINE = 10_000  # the rest of a longer one is left out


class Tee(io.TextIOBase):
    """A stream that also hands whole lines to the job running in this thread, if one is."""

    def __init__(self, stream: TextIO, *, blank_lines: bool = True) -> None:
        self._stream = stream
        self._blank_lines = blank_lines
        self._parts: dict[Execution, str] = {}

    def write(self, text: str, /) -> int:
        execution = CURRENT.get()
        if execution is not None:
            *lines, rest = (self._parts.pop(execution, "") + text).split("\n")
            for line in lines:
                if line or self._blank_lines:
                    execution.voice.line(_last_drawn(line))
            if rest:
                self._parts[execution] = rest if len(rest) <= _LONGEST_LINE else _last_drawn(rest)[:_LONGEST_LINE]
        return self._stream.write(text)

    def finish(self, execution: Execution) -> None:
        """A last line without an end."""
        if rest := self._parts.pop(execution, ""):
            execution.voice.line(_last_drawn(rest))

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_users = 0
_format = logging.Formatter("%(levelname)s %(name)s: %(message)s").format
_call_handlers = logging.Logger.callHandlers


def _handled(self: logging.Logger, record: logging.LogRecord) -> None:
    """A log record, on its way to its handlers, is also lines of the job in whose thread it was made.

    No handler of our own: one more in the root would change what `basicConfig` and unconfigured logging do.
    """
    execution = CURRENT.get()
    if execution is None or record.name.startswith("workroom."):
        _call_handlers(self, record)
        return
    for line in _format(record).splitlines():
        execution.voice.line(line)
    token = CURRENT.set(None)  # what the handlers print is not the job's once more
    try:
        _call_handlers(self, record)
    finally:
        CURRENT.reset(token)


def install() -> None:
    """Listen from now on. Each call is undone by one of `uninstall`."""
    global _users  # noqa: PLW0603 - streams belong to the process, and so does this
    _users += 1
    if not isinstance(sys.stdout, Tee):
        sys.stdout = Tee(sys.stdout)
    if not isinstance(sys.stderr, Tee):
        sys.stderr = Tee(sys.stderr, blank_lines=False)  # bars end with one
    logging.Logger.callHandlers = _handled


def uninstall() -> None:
    global _users  # noqa: PLW0603
    _users -= 1
    if _users > 0:
        return
    if isinstance(sys.stdout, Tee):
        sys.stdout = sys.stdout._stream  # pyright: ignore[reportPrivateUsage]
    if isinstance(sys.stderr, Tee):
        sys.stderr = sys.stderr._stream  # pyright: ignore[reportPrivateUsage]
    logging.Logger.callHandlers = _call_handlers


@contextmanager
def speaking_as(execution: Execution) -> Generator[None]:
    """What this thread prints meanwhile is the job's."""
    token = CURRENT.set(execution)
    try:
        yield
    finally:
        CURRENT.reset(token)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, Tee):
                stream.finish(execution)


def _last_drawn(line: str) -> str:
    """Of a line drawn over and over, what is seen in the end."""
    return line.rstrip("\r").rpartition("\r")[2]
