"""Uploads on disk. They are removed when the job that opens them ends, and after a day at the latest."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from workroom.domain.errors import BadInput, DiskFull, NotFound, Unavailable

KEPT_SECONDS = 86_400.0
_WRITE_BYTES = 1_000_000
_ID = re.compile(r"[0-9a-f]{32}\Z")


class UploadStore:
    """Stores files under random names, in one folder per room named by a hash. Names from clients are never used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def save(self, room: str, chunks: AsyncIterator[bytes]) -> str:
        """Write an upload to disk while it arrives, and return its id. An incomplete upload is removed."""
        name = secrets.token_hex(16)
        file = self._file(room, name)
        try:
            await self._write(file, chunks)
        except OSError as error:
            self.remove(room, name)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull from None
            raise Unavailable(f"The upload cannot be stored: {error.strerror}.") from None
        except BaseException:
            self.remove(room, name)
            raise
        return name

    def find(self, room: str, id: str) -> Path:
        file = self._file(room, id)
        if not file.is_file():
            raise NotFound("The upload was removed: its job has ended, or it is older than a day. Upload it again.")
        return file

    def remove(self, room: str, id: str) -> None:
        self._file(room, id).unlink(missing_ok=True)

    def sweep(self, older_than: float = KEPT_SECONDS) -> int:
        """Remove old files, and return how many."""
        oldest = time.time() - older_than
        removed = 0
        for file in self._folder.glob("*/*"):
            with suppress(OSError):  # removed meanwhile
                if file.stat().st_mtime < oldest:
                    file.unlink()
                    removed += 1
        for folder in self._folder.glob("*"):
            with suppress(OSError):  # not empty
                folder.rmdir()
        return removed

    async def _write(self, file: Path, chunks: AsyncIterator[bytes]) -> None:
        pending: list[bytes] = []
        size, total = 0, 0
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with file.open("xb") as target:
            async for chunk in chunks:
                pending.append(chunk)
                size += len(chunk)
                total += len(chunk)
                if size >= _WRITE_BYTES:
                    await asyncio.to_thread(target.writelines, pending)
                    pending, size = [], 0
            await asyncio.to_thread(target.writelines, pending)
        if total == 0:
            raise BadInput("The upload is empty. Send the file as the body, or as a form with one file.")

    def _file(self, room: str, id: str) -> Path:
        if not _ID.match(id):
            raise NotFound("There is no such upload.")
        return self._folder / hashlib.sha256(room.encode()).hexdigest()[:32] / id
