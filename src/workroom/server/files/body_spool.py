"""Receives the body of an upload in whole before anything is done with it.

A slow client must hold neither a database connection nor one of the few places of uploads. So the body goes to memory
if it is short, else to a temporary file, and is written to the database at the speed of the server.
"""

from __future__ import annotations

import asyncio
import errno
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import IO
from uuid import UUID

from workroom.domain.errors import DiskFull, TooManyRequests, Unavailable

LARGE_BYTES = 1_000_000
_MEMORY_EACH = 16_000_000
_MEMORY_TOTAL = 64_000_000
_PIECE_BYTES = 250_000


class UploadBudget:
    """Counts the bytes of uploads that have not ended, for each account and in all."""

    def __init__(self, *, per_account: int, total: int) -> None:
        self._per_account = per_account
        self._most = total
        self._total = 0
        self._by_account: dict[UUID, int] = {}
        self.in_memory = 0

    def take(self, account: UUID, size: int) -> None:
        held = self._by_account.get(account, 0)
        if held + size > self._per_account:
            raise TooManyRequests(
                f"Your unfinished uploads take more than {self._per_account:,} bytes. Wait until some have ended.",
                limit="unfinished_upload_bytes",
            )
        if self._total + size > self._most:
            raise TooManyRequests(
                f"The unfinished uploads of all users take more than {self._most:,} bytes. Try again later.",
                limit="unfinished_upload_bytes_total",
            )
        self._by_account[account] = held + size
        self._total += size

    def release(self, account: UUID, size: int) -> None:
        self._total -= size
        self._by_account[account] -= size
        if not self._by_account[account]:
            del self._by_account[account]

    async def counted(self, account: UUID, chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
        """The chunks of an upload, counted until it ends."""
        taken = 0
        try:
            async for chunk in chunks:
                self.take(account, len(chunk))
                taken += len(chunk)
                yield chunk
        finally:
            if taken:
                self.release(account, taken)


class BodySpool:
    """A received body: its size, and its pieces."""

    def __init__(self, budget: UploadBudget, folder: Path) -> None:
        self._budget = budget
        self._folder = folder
        self._pieces: list[bytes] = []
        self._kept = 0  # bytes in memory
        self._file: IO[bytes] | None = None
        self.size = 0

    async def fill(self, chunks: AsyncIterator[bytes], when_large: Callable[[], Awaitable[object]]) -> None:
        """Receive the chunks. `when_large` is awaited once, as soon as the body is large."""
        async for chunk in chunks:
            was_small = self.size <= LARGE_BYTES
            self.size += len(chunk)
            if was_small and self.size > LARGE_BYTES:
                await when_large()
            self._pieces.append(chunk)
            self._kept += len(chunk)
            self._budget.in_memory += len(chunk)
            if self._file is not None and self._kept < _PIECE_BYTES:
                continue
            if self._file is not None or self._kept > _MEMORY_EACH or self._budget.in_memory > _MEMORY_TOTAL:
                await self._write()
        if self._file is not None:
            await self._write()

    async def _write(self) -> None:
        pieces, self._pieces = self._pieces, []
        self._free_memory()
        try:
            await asyncio.to_thread(self._write_pieces, pieces)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull from None
            raise Unavailable(f"The upload cannot be stored: {error.strerror}.") from None

    def _write_pieces(self, pieces: list[bytes]) -> None:
        if self._file is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - `close` closes it
        self._file.writelines(pieces)
        self._file.flush()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body, once: pieces in memory are freed as they are given."""
        if self._file is not None:
            self._file.seek(0)
            while piece := await asyncio.to_thread(self._file.read, _PIECE_BYTES):
                yield piece
            return
        self._pieces.reverse()
        while self._pieces:
            yield self._pieces.pop()
            await asyncio.sleep(0)  # to decode a piece takes a while: others use the event loop in between

    def close(self) -> None:
        self._free_memory()
        self._pieces.clear()
        if self._file is not None:
            self._file.close()

    def _free_memory(self) -> None:
        self._budget.in_memory -= self._kept
        self._kept = 0


@asynccontextmanager
async def received(
    budget: UploadBudget,
    folder: Path,
    account: UUID,
    chunks: AsyncIterator[bytes],
    when_large: Callable[[], Awaitable[object]],
) -> AsyncGenerator[BodySpool]:
    """The received body of an upload."""
    spool = BodySpool(budget, folder)
    try:
        async with aclosing(budget.counted(account, chunks)) as counted:
            await spool.fill(counted, when_large)
        yield spool
    finally:
        spool.close()
