"""Captures what a job prints and logs as lines of its log. The output also goes where it went before."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TextIO

from workroom.worker.execution.execution_state import CURRENT, Execution

_LONGEST_LINE = 10_000  # the rest of a longer one is left out


class Tee(io.TextIOBase):
    """A stream that also reports whole lines to the job that runs in this thread, if any."""

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
                    execution.reporter.line(_after_last_carriage_return(line))
            if rest:
                self._parts[execution] = (
                    rest if len(rest) <= _LONGEST_LINE else _after_last_carriage_return(rest)[:_LONGEST_LINE]
                )
        written = self._stream.write(text)
        if execution is not None and "\n" in text:
            self._stream.flush()  # in a pipe, lines of jobs would otherwise stay in the buffer for hours
        return written

    def finish(self, execution: Execution) -> None:
        """Report a last line without a newline."""
        if rest := self._parts.pop(execution, ""):
            execution.reporter.line(_after_last_carriage_return(rest))

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


def _call_handlers_and_capture(self: logging.Logger, record: logging.LogRecord) -> None:
    """Replaces `Logger.callHandlers`: a record made in a job's thread is also reported as lines of the job.

    It is not a handler, because a handler at the root changes what `basicConfig` and unconfigured logging do.
    """
    execution = CURRENT.get()
    if execution is None or record.name.startswith("workroom."):
        _call_handlers(self, record)
        return
    for line in _format(record).splitlines():
        execution.reporter.line(line)
    token = CURRENT.set(None)  # what the handlers print must not be captured again
    try:
        _call_handlers(self, record)
    finally:
        CURRENT.reset(token)


def install() -> None:
    """Capture from now on. Each call is undone by one call of `uninstall`."""
    global _users  # noqa: PLW0603 - streams belong to the process, and so does this
    _users += 1
    if not isinstance(sys.stdout, Tee):
        sys.stdout = Tee(sys.stdout)
    if not isinstance(sys.stderr, Tee):
        sys.stderr = Tee(sys.stderr, blank_lines=False)  # progress bars end with one
    logging.Logger.callHandlers = _call_handlers_and_capture


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
def capturing(execution: Execution) -> Generator[None]:
    """Within this block the output of this thread belongs to the job."""
    token = CURRENT.set(execution)
    try:
        yield
    finally:
        CURRENT.reset(token)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, Tee):
                stream.finish(execution)


def _after_last_carriage_return(line: str) -> str:
    """What a terminal shows of a line that was overwritten with carriage returns."""
    return line.rstrip("\r").rpartition("\r")[2]
