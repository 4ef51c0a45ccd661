"""Uploads, kept on the disk until the job that opens them has ended, or for a day."""

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

from workroom.domain.errors import BadInput, NotFound, Unavailable

KEPT_SECONDS = 86_400.0
_AT_ONCE = 1_000_000
_ID = re.compile(r"[0-9a-f]{32}\Z")


class UploadStore:
    """Files with random names, in a folder for each room that is named by a hash: no name of a client's is used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def save(self, room: str, pieces: AsyncIterator[bytes]) -> str:
        """Write an upload to the disk as it arrives; its id. Of one that breaks off nothing is left."""
        name = secrets.token_hex(16)
        file = self._file(room, name)
        try:
            await self._write(file, pieces)
        except OSError as error:
            self.remove(room, name)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise Unavailable("The server's disk is full. Try again when there is room.") from None
            raise Unavailable(f"The upload cannot be kept: {error.strerror}.") from None
        except BaseException:
            self.remove(room, name)
            raise
        return name

    def find(self, room: str, id: str) -> Path:
        file = self._file(room, id)
        if not file.is_file():
            raise NotFound("The upload is gone: its job has ended, or it is older than a day. Upload it again.")
        return file

    def remove(self, room: str, id: str) -> None:
        self._file(room, id).unlink(missing_ok=True)

    def sweep(self, older_than: float = KEPT_SECONDS) -> int:
        """Remove what nobody came for; how many files."""
        oldest = time.time() - older_than
        removed = 0
        for file in self._folder.glob("*/*"):
            with suppress(OSError):  # gone meanwhile
                if file.stat().st_mtime < oldest:
                    file.unlink()
                    removed += 1
        for folder in self._folder.glob("*"):
            with suppress(OSError):  # not empty
                folder.rmdir()
        return removed

    async def _write(self, file: Path, pieces: AsyncIterator[bytes]) -> None:
        waiting: list[bytes] = []
        size, whole = 0, 0
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with file.open("xb") as target:
            async for piece in pieces:
                waiting.append(piece)
                size += len(piece)
                whole += len(piece)
                if size >= _AT_ONCE:
                    await asyncio.to_thread(target.writelines, waiting)
                    waiting, size = [], 0
            await asyncio.to_thread(target.writelines, waiting)
        if whole == 0:
            raise BadInput("The upload is empty. Send the file as the body, or as a form with one file.")

    def _file(self, room: str, id: str) -> Path:
        if not _ID.match(id):
            raise NotFound("There is no such upload.")
        return self._folder / hashlib.sha256(room.encode()).hexdigest()[:32] / id
