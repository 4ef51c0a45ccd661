"""Frames as a file: written by a process of its own, fed and read piece by piece.

The process gets one line of JSON (format, selection) and then the frames as a stream; what it writes is the file. When
it cannot, it ends with an error and one line of JSON that says why.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

import orjson

from workroom.domain.errors import BadInput, Unavailable

_PIECE = 256 * 1024
_PASSED_ON = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LD_LIBRARY_PATH", "PYTHONDONTWRITEBYTECODE")


class Converter:
    """Runs the process for each file, a few at a time."""

    def __init__(self, command: Sequence[str], *, at_once: int = 4) -> None:
        self._command = command
        self._turns = asyncio.Semaphore(at_once)

    async def convert(self, order: dict[str, Any], frames: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
        """The file's bytes as they are written. An order that cannot be carried out raises before the first."""
        if not self._command:
            raise Unavailable("This server cannot write files: install workroom[atoms] there.")
        async with self._turns, self._process() as process:
            feeding = asyncio.create_task(_feed(process, order, frames))
            try:
                assert process.stdout is not None
                while piece := await process.stdout.read(_PIECE):
                    yield piece
                await feeding
                if await process.wait() != 0:
                    raise await _trouble(process)
            finally:
                feeding.cancel()
                await asyncio.gather(feeding, return_exceptions=True)

    @asynccontextmanager
    async def _process(self) -> AsyncGenerator[Process]:
        with tempfile.TemporaryDirectory(prefix="workroom-file-") as folder:
            passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
            environment = passed | {"OMP_NUM_THREADS": "1", "HOME": folder, "TMPDIR": folder}
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=folder, env=environment, limit=4 * _PIECE
            )
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.communicate()


async def start_stream(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The same pieces, once the first is there: until then an error can still be answered with."""
    first = await anext(pieces, b"")

    async def all_of_them() -> AsyncGenerator[bytes]:
        async with aclosing(pieces):
            yield first
            async for piece in pieces:
                yield piece

    return all_of_them()


async def _feed(process: Process, order: dict[str, Any], frames: AsyncIterator[bytes]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):  # it has ended, and says why
        process.stdin.write(orjson.dumps(order) + b"\n")
        async for some in frames:
            process.stdin.write(some)
            await process.stdin.drain()
    process.stdin.close()


async def _trouble(process: Process) -> BadInput:
    assert process.stderr is not None
    last = (await process.stderr.read()).strip().rpartition(b"\n")[2]
    try:
        return BadInput(str(orjson.loads(last)["message"]))
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return BadInput("The frames cannot be written in this format.")
