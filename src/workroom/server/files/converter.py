"""Writes frames as a file in a subprocess, which is fed and read as a stream.

The subprocess reads one line of JSON (format, selection) and then the frames from stdin, and writes the file to stdout.
On failure it exits with an error code, and the last line of stderr is JSON with the message.
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

from workroom.domain.errors import BadInput, MissingPackage
from workroom.server.files.download_spool import DownloadSpool

_CHUNK_BYTES = 256 * 1024
_ENVIRONMENT = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LD_LIBRARY_PATH", "PYTHONDONTWRITEBYTECODE")


class Converter:
    """Runs one subprocess for each file, and at most `at_once` at the same time."""

    def __init__(self, command: Sequence[str], *, at_once: int = 4) -> None:
        self._command = command
        self._slots = asyncio.Semaphore(at_once)

    async def convert(self, options: dict[str, Any], frames: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
        """The bytes of the file as the subprocess writes them. An invalid request raises before the first ones."""
        if not self._command:
            raise MissingPackage("This server cannot write files. Install there: pip install 'workroom[atoms]'")
        spool = DownloadSpool()
        writing = asyncio.create_task(self._write(spool, options, frames))
        try:
            async for chunk in spool.read():
                yield chunk
            await writing
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            spool.close()

    async def _write(self, spool: DownloadSpool, options: dict[str, Any], frames: AsyncIterator[bytes]) -> None:
        """Run the subprocess at its own speed. A client that reads slowly does not hold its slot."""
        try:
            async with self._slots, self._process() as process:
                feeding = asyncio.create_task(_feed(process, options, frames))
                try:
                    assert process.stdout is not None
                    while chunk := await process.stdout.read(_CHUNK_BYTES):
                        await spool.write(chunk)
                    await feeding
                    if await process.wait() != 0:
                        raise await _load_error(process)
                finally:
                    feeding.cancel()
                    await asyncio.gather(feeding, return_exceptions=True)
        finally:
            await spool.end()

    @asynccontextmanager
    async def _process(self) -> AsyncGenerator[Process]:
        with tempfile.TemporaryDirectory(prefix="workroom-file-") as folder:
            inherited = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
            environment = inherited | {"OMP_NUM_THREADS": "1", "HOME": folder, "TMPDIR": folder}
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=folder,
                env=environment,
                limit=4 * _CHUNK_BYTES,
            )
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.communicate()


async def start_stream(chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Wait for the first chunk, so that an error before it becomes an error response; return all chunks."""
    first = await anext(chunks, b"")

    async def all_chunks() -> AsyncGenerator[bytes]:
        async with aclosing(chunks):
            yield first
            async for chunk in chunks:
                yield chunk

    return all_chunks()


async def _feed(process: Process, options: dict[str, Any], frames: AsyncIterator[bytes]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):  # it has exited; stderr has the reason
        process.stdin.write(orjson.dumps(options) + b"\n")
        async for chunk in frames:
            process.stdin.write(chunk)
            await process.stdin.drain()
    process.stdin.close()


async def _load_error(process: Process) -> BadInput:
    assert process.stderr is not None
    last_line = (await process.stderr.read()).strip().rpartition(b"\n")[2]
    try:
        return BadInput(str(orjson.loads(last_line)["message"]))
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return BadInput("The frames cannot be written in this format.")
