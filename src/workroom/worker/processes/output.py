"""What a job's process prints, cut into lines."""

from __future__ import annotations

import asyncio

from workroom.worker.execution.execution import Execution

# Comes before the worker's mark, with which a process ends what its job has printed.
END_OF_OUTPUT = "\x1e"
_LONGEST_LINE = 10_000  # bytes; the rest of a longer one is left out
_CHUNK = 65_536
_LONGEST_MARK = 64
_PATIENCE = 1.0


class Output:
    """Lines go to the job that runs, until its mark says that it has printed all."""

    def __init__(self) -> None:
        self._execution: Execution | None = None
        self._mark = b""
        self._rest = b""
        self._is_over = asyncio.Event()
        self.last_line = ""

    def begin(self, execution: Execution, mark: str) -> None:
        self._execution = execution
        self._mark = f"{END_OF_OUTPUT}{mark}".encode()
        self._is_over.clear()

    async def end(self) -> None:
        """Wait for the mark. A job that has closed its output leaves none."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._is_over.wait()
        except TimeoutError:
            pass
        self._execution = None

    async def follow(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(_CHUNK):
            *lines, rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                self._take(line)
            self._rest = rest if len(rest) <= _LONGEST_LINE else rest[:_LONGEST_LINE] + rest[-_LONGEST_MARK:]
        if self._rest:
            self._take(self._rest)
        self._is_over.set()

    def _take(self, line: bytes) -> None:
        if self._mark and line.endswith(self._mark):
            self._mark, line = b"", line.removesuffix(self._mark)
            if line:  # a last line without an end
                self._pass_on(line)
            self._is_over.set()
        else:
            self._pass_on(line)

    def _pass_on(self, line: bytes) -> None:
        text = line[:_LONGEST_LINE].decode(errors="replace").rstrip("\r").rpartition("\r")[2]
        if text.strip():
            self.last_line = text
        if self._execution is not None:
            self._execution.voice.line(text)
