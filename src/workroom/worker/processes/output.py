"""Splits the output of a job process into lines of the job that runs."""

from __future__ import annotations

import asyncio

from workroom.worker.execution.execution_state import Execution

# Followed by the worker's random mark, with which a process ends the output of each job.
END_OF_OUTPUT = "\x1e"
_LONGEST_LINE = 10_000  # bytes; the rest of a longer one is left out
_CHUNK = 65_536
_LONGEST_MARK = 64
_MARK_TIMEOUT = 1.0


class Output:
    """Reports lines to the running job until its mark arrives."""

    def __init__(self) -> None:
        self._execution: Execution | None = None
        self._mark = b""
        self._rest = b""
        self._is_complete = asyncio.Event()
        self.last_line = ""

    def begin(self, execution: Execution, mark: str) -> None:
        self._execution = execution
        self._mark = f"{END_OF_OUTPUT}{mark}".encode()
        self._is_complete.clear()

    async def end(self) -> None:
        """Wait for the mark, but not for long: a job that has closed its output sends none."""
        try:
            async with asyncio.timeout(_MARK_TIMEOUT):
                await self._is_complete.wait()
        except TimeoutError:
            pass
        self._execution = None

    async def follow(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(_CHUNK):
            *lines, rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                self._on_line(line)
            self._rest = rest if len(rest) <= _LONGEST_LINE else rest[:_LONGEST_LINE] + rest[-_LONGEST_MARK:]
        if self._rest:
            self._on_line(self._rest)
        self._is_complete.set()

    def _on_line(self, line: bytes) -> None:
        if self._mark and line.endswith(self._mark):
            self._mark, line = b"", line.removesuffix(self._mark)
            if line:  # a last line without a newline
                self._emit(line)
            self._is_complete.set()
        else:
            self._emit(line)

    def _emit(self, line: bytes) -> None:
        text = line[:_LONGEST_LINE].decode(errors="replace").rstrip("\r").rpartition("\r")[2]
        if text.strip():
            self.last_line = text
        if self._execution is not None:
            self._execution.reporter.line(text)
