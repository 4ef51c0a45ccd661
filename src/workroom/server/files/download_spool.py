"""Holds a file between the process that writes it and the client that reads it."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile

from workroom.domain.errors import DiskFull

_MEMORY_BYTES = 4_000_000
_MOST_AHEAD = 2_000_000_000  # bytes that are written and not yet read
_CHUNK_BYTES = 256 * 1024


class DownloadSpool:
    """A temporary file that one task writes while another reads behind it."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115 - `close` closes it
        self._changed = asyncio.Condition()
        self._written = 0
        self._read = 0
        self._ended = False

    async def write(self, chunk: bytes) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._written - self._read < _MOST_AHEAD)
            try:
                await asyncio.to_thread(self._write_at, self._written, chunk)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise DiskFull from None
                raise
            self._written += len(chunk)
            self._changed.notify_all()

    async def end(self) -> None:
        """Nothing more is written."""
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def read(self) -> AsyncIterator[bytes]:
        """The content, as it is written, until its end."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._ended or self._read < self._written)
                if self._read == self._written:
                    return
                chunk = await asyncio.to_thread(self._read_at, self._read)
                self._read += len(chunk)
                self._changed.notify_all()
            yield chunk

    def close(self) -> None:
        self._file.close()

    def _write_at(self, position: int, chunk: bytes) -> None:
        self._file.seek(position)
        self._file.write(chunk)

    def _read_at(self, position: int) -> bytes:
        self._file.seek(position)
        return self._file.read(_CHUNK_BYTES)
