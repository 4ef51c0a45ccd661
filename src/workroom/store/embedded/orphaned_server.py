"""A server of the cluster whose owner has died: wait until it ends, then signal it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

from workroom.domain.errors import DataFolderUnusable

POLL_SECONDS = 0.02
# Its watchdog stops it; these are for a watchdog that was killed as well. Seconds, then the signal.
STOP_SIGNALS = ((20.0, signal.SIGINT), (10.0, signal.SIGQUIT), (5.0, signal.SIGKILL))


def stop_orphan(cluster: Path) -> None:
    """Return when no process uses the cluster and no stale postmaster.pid is left. For the folder's owner only."""
    pid_file = cluster / "postmaster.pid"
    if not pid_file.exists():
        return
    for timeout, stop_signal in STOP_SIGNALS:
        # Backends normally end with their postmaster; one that does not still uses the cluster.
        for pid in _postmaster(cluster) or processes_of(cluster):
            _signal(pid, stop_signal)
        if _are_gone(cluster, timeout):
            # The file may name a pid that an unrelated process has by now, and PostgreSQL would believe it.
            pid_file.unlink(missing_ok=True)
            return
    raise DataFolderUnusable(
        f"A former PostgreSQL still works on {cluster} and does not stop: processes {processes_of(cluster)}."
    )


def processes_of(cluster: Path) -> list[int]:
    """Every process of the server lives in its cluster's folder."""
    if not Path("/proc/self/cwd").exists():
        return _postmaster_by_command(cluster)
    home = os.path.realpath(cluster)
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _folder_of(entry) == home]


def _folder_of(process: Path) -> str | None:
    try:
        return str((process / "cwd").readlink())
    except OSError:  # gone meanwhile, or another user's and so not ours
        return None


def _postmaster(cluster: Path) -> list[int]:
    return [pid for pid in processes_of(cluster) if pid == _written_pid(cluster)]


def _written_pid(cluster: Path) -> int | None:
    try:
        return int((cluster / "postmaster.pid").read_text().partition("\n")[0])
    except (OSError, ValueError):
        return None


def _postmaster_by_command(cluster: Path) -> list[int]:
    """Where there is no /proc, `ps` finds the postmaster by the cluster on its command line."""
    from workroom.store.embedded.os_user import Account

    pid = _written_pid(cluster)
    if pid is None:
        return []
    command = Account("", os.geteuid(), os.getegid()).run("/bin/ps", "-o", "command=", "-p", str(pid)).stdout
    return [pid] if str(cluster) in command else []


def _are_gone(cluster: Path, timeout: float) -> bool:
    deadline = time.monotonic() + timeout
    while processes_of(cluster):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
