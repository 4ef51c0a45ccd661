"""One owner per data folder: a lock that the kernel releases however its holder ends.

Servers on the same external database share it: the folder may be on a file system that all of them use.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict, cast

from workroom.domain.errors import DataFolderInUse, DataFolderUnusable

POLL_SECONDS = 0.02
# `running_url` holds the lock for a moment; only a lock that stays held has an owner.
READ_TIMEOUT = 0.3
# An owner that is creating its first cluster has a URL soon.
START_TIMEOUT = 15.0


class Owner(TypedDict):
    """The content of `owner.lock`."""

    pid: int
    command: str
    since: str  # when the lock was taken, UTC
    url: str | None  # of the embedded PostgreSQL, once it is ready
    database: str | None  # the identity of an external one; None for the embedded one


class OwnerLock:
    """Ownership of a data folder, from `take` to `release` or the end of the process."""

    def __init__(self, data: Path, database: str | None = None) -> None:
        self._descriptor: int | None = _open(data)
        self._owner: Owner = {
            "pid": os.getpid(),
            "command": " ".join(sys.argv) or sys.executable,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
            "url": None,
            "database": database,
        }
        # A child forked without exec would keep the lock, and with it the folder, after our death.
        os.register_at_fork(after_in_child=self._forget)

    @classmethod
    def take(cls, data: Path) -> OwnerLock:
        lock = cls(data)
        lock._wait(data, lock._try_alone)
        return lock

    @classmethod
    def share(cls, data: Path, database: str) -> OwnerLock:
        """Ownership together with other servers on this external database."""
        lock = cls(data, database)
        lock._wait(data, lock._try_shared)
        return lock

    def publish(self, url: str) -> None:
        self._owner["url"] = url
        self._write(self._owner)

    def release(self) -> None:
        if self._descriptor is not None:
            if self._owner["database"] is None:  # others may hold a shared one
                os.ftruncate(self._descriptor, 0)
            self._forget()

    def _wait(self, data: Path, attempt: Callable[[int], bool]) -> None:
        assert self._descriptor is not None  # it was opened just now
        deadline = time.monotonic() + READ_TIMEOUT
        while not attempt(self._descriptor):
            if time.monotonic() > deadline:
                owner = _read(self._descriptor)
                self._forget()
                raise _in_use(data, owner)
            time.sleep(POLL_SECONDS)

    def _try_alone(self, descriptor: int) -> bool:
        if not _lock(descriptor, fcntl.LOCK_EX):
            return False
        self._write(self._owner)
        return True

    def _try_shared(self, descriptor: int) -> bool:
        if self._try_alone(descriptor):  # the first one; between the two locks another process may take it
            return _lock(descriptor, fcntl.LOCK_SH)
        if not _lock(descriptor, fcntl.LOCK_SH):
            return False
        owner = _read(descriptor)
        if owner and owner.get("database") == self._owner["database"]:
            return True
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        return False

    def _write(self, owner: Owner) -> None:
        assert self._descriptor is not None  # only a held lock is written
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(owner).encode(), 0)

    def _forget(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def running_url(data: Path) -> str | None:
    """The URL of the PostgreSQL that a live process owns in this data folder, or None if none does."""
    try:
        descriptor = os.open(data / "owner.lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        deadline = time.monotonic() + START_TIMEOUT
        while not _lock(descriptor, fcntl.LOCK_SH):
            owner = _read(descriptor)
            # A dead pid belongs to the former owner; the current one has not written its own yet.
            if owner and owner["url"] and _is_alive(owner["pid"]):
                return owner["url"]
            if time.monotonic() > deadline:
                raise _in_use(data, owner)
            time.sleep(POLL_SECONDS)
    finally:
        os.close(descriptor)
    return None


def published_url(data: Path) -> str | None:
    """The URL that the owner of the folder has published last, read at once and without a check of the owner."""
    try:
        owner = cast(Owner, json.loads((data / "owner.lock").read_bytes()))
    except (OSError, ValueError):
        return None
    return owner["url"]


def _in_use(data: Path, owner: Owner | None) -> DataFolderInUse:
    who = f"process {owner['pid']} ({owner['command']}, since {owner['since']})" if owner else "another process"
    if owner and owner.get("database"):
        way = "It uses another database. Stop that process, or choose another folder with --data."
    else:
        way = (
            "Stop that process, choose another folder with --data, or share its database: `workroom pool` and "
            "`workroom db` connect to the running one."
        )
    return DataFolderInUse(f"The data folder {data} is in use by {who}. {way}", **(owner or {}))


def _open(data: Path) -> int:
    try:
        return os.open(data / "owner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as trouble:
        raise DataFolderUnusable(
            f"The data folder {data} cannot be written: {trouble.strerror}. Choose another with --data."
        ) from trouble


def _lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(descriptor: int) -> Owner | None:
    try:
        return cast(Owner, json.loads(os.pread(descriptor, 65536, 0)))
    except ValueError:  # no owner, or the owner is writing the file
        return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
