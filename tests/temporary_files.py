"""Temporary files of a run: in memory where there is enough of it.

A run makes about two hundred clusters of PostgreSQL with a thousand files each. On a disk they take half of the
processor time of the run. WORKROOM_TEST_DISK=1 keeps them on the disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")
_PREFIX = "workroom-tests-"
_NEEDED_BYTES = 8_000_000_000


def choose_folder() -> None:
    """Make the folder of this run and let this process, and all that it starts, put temporary files there."""
    if os.environ.get("WORKROOM_TEST_DISK") or not _has_room():
        return
    _remove_abandoned()
    folder = _MEMORY / f"{_PREFIX}{os.getpid()}"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o1777)  # as /tmp: PostgreSQL and confined processes have other accounts
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def remove_folder() -> None:
    folder = Path(tempfile.gettempdir())
    if folder == _MEMORY / f"{_PREFIX}{os.getpid()}":
        tempfile.tempdir = None
        del os.environ["TMPDIR"]
        shutil.rmtree(folder, ignore_errors=True)


def _has_room() -> bool:
    if not _MEMORY.is_mount():
        return False
    space = os.statvfs(_MEMORY)
    available = min(space.f_bavail * space.f_frsize, _available_memory())
    return available >= _NEEDED_BYTES and not space.f_flag & os.ST_NOEXEC


def _available_memory() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def _remove_abandoned() -> None:
    """A run that was killed could not remove its folder."""
    for folder in _MEMORY.glob(f"{_PREFIX}*"):
        if not Path("/proc", folder.name.removeprefix(_PREFIX)).exists():
            shutil.rmtree(folder, ignore_errors=True)
