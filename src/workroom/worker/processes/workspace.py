"""What a job leaves behind in its process. A process that cannot be made as it was before is not used again."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

# A process with less of its memory left than this is not given another job.
_ROOM_LEFT = 0.5


class JobWorkspace:
    """A place to work in for one job at a time: an empty folder, and the variables as they were."""

    def __init__(self, memory_mb: int | None) -> None:
        self._home = Path.cwd()
        self._variables = dict(os.environ)
        self._memory_mb = memory_mb
        self._folder: str | None = None
        self._threads: set[threading.Thread] = set()

    def enter(self) -> None:
        self._threads = set(threading.enumerate())
        self._folder = tempfile.mkdtemp(prefix="job-", dir=self._home)
        os.chdir(self._folder)

    def leave(self) -> str | None:
        """Put everything back; why the process is better not used again, if so."""
        os.chdir(self._home)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if dict(os.environ) != self._variables:
            os.environ.clear()
            os.environ.update(self._variables)
        if any(thread.is_alive() and not _is_ours(thread) for thread in threading.enumerate() if self._is_new(thread)):
            return "the job left threads behind"
        if _children():
            return "the job left processes behind"
        if self._memory_mb is not None and _address_space() > _ROOM_LEFT * self._memory_mb * 1_000_000:
            return "most of its memory is taken"
        return None

    def _is_new(self, thread: threading.Thread) -> bool:
        return thread not in self._threads


def _is_ours(thread: threading.Thread) -> bool:
    """The event loop behind rooms, started with the first job, and its helpers."""
    return thread.name == "workroom" or thread.name.startswith("asyncio_")


def _children() -> list[str]:
    found: list[str] = []
    for listing in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found += listing.read_text().split()
    return found


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
