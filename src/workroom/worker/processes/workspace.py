"""Cleans up after a job in a reused process. A process that cannot be cleaned up is not used again."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from pathlib import Path

# A process that uses more than this share of its memory limit gets no further job.
_MOST_MEMORY_USED = 0.5


class JobWorkspace:
    """An empty working folder for each job, and the environment variables restored after it."""

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
        """Clean up; returns why the process must not be used again, or None."""
        os.chdir(self._home)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if dict(os.environ) != self._variables:
            os.environ.clear()
            os.environ.update(self._variables)
        if any(
            thread.is_alive() and not _is_own_thread(thread) for thread in threading.enumerate() if self._is_new(thread)
        ):
            return "the job left threads behind"
        if _has_children():
            return "the job left processes behind"
        if self._memory_mb is not None and _address_space() > _MOST_MEMORY_USED * self._memory_mb * 1_000_000:
            return "most of its memory is used"
        return None

    def _is_new(self, thread: threading.Thread) -> bool:
        return thread not in self._threads


def _is_own_thread(thread: threading.Thread) -> bool:
    """The threads of the event loop behind rooms and of its connections, which the first job starts."""
    return thread.name.startswith(("workroom", "asyncio_"))


def _has_children() -> bool:
    """Asked of the kernel, because a confined process cannot read all of `/proc`."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
