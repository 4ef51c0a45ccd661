"""The disk of the database and of the log is full: writes are refused with the cause, and go on when there is space."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.acceptance.live import LiveServer, Someone, eventually

from workroom.wire.frames import MEDIA_TYPE, encode, framed

DISK = "400m"


@pytest.fixture
def small_disk() -> Generator[Path]:
    """A file system of its own in memory."""
    folder = Path(tempfile.mkdtemp(prefix="workroom-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=711", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        folder.rmdir()
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


def fill(disk: Path) -> Path:
    """Take all space of a disk, and return the file that takes it."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (1_000_000, 4_096):
            try:
                while True:
                    file.write(bytes(size))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    return filler


def stream(count: int) -> bytes:
    frame = encode({"arrays.numbers": np.ones(100, int), "arrays.positions": np.random.rand(100, 3)})
    return b"".join(framed(frame)) * count


@pytest.mark.slow
async def test_a_full_disk_is_named_and_the_server_recovers_by_itself(small_disk: Path) -> None:
    server = LiveServer()
    shutil.rmtree(server.data)
    server.data = small_disk / "data"
    server.data.mkdir(mode=0o711)
    server.start()
    try:
        ada = await Someone.signs_in(server, f"ada-{time.time_ns()}")
        room = await ada.makes_room("lab")
        path = f"/api/rooms/{room}/frames"
        seen: list[tuple[int, str]] = []

        async def write() -> dict[str, Any]:
            answer = await ada.http.post(path, content=stream(300), headers={"Content-Type": MEDIA_TYPE})
            told = answer.json()  # never a bare text
            seen.append((answer.status_code, told.get("code", "")))
            return told

        async def ready() -> dict[str, Any]:
            return (await ada.http.get("/readyz")).json()

        acknowledged = (await write())["length"]
        filler = fill(small_disk)
        told = await eventually(write, lambda told: told.get("status") == 507, 60, "507")
        assert told["code"] == "database_disk_full" and "The disk of the database is full" in told["detail"], told
        told = await eventually(ready, lambda told: told.get("status") == 507, 10, "not ready")
        assert "The disk of the database is full" in told["detail"], told
        assert (await ada.http.get("/healthz")).status_code == 200
        for _ in range(5):
            await write()
            fill(small_disk)
        assert {status for status, _ in seen} <= {200, 507}, seen
        acknowledged = 300 * sum(status == 200 for status, _ in seen)

        filler.unlink()
        await eventually(ready, lambda told: told.get("status") == "ready", 60, "ready")
        seen.clear()
        assert (await write())["length"] == acknowledged + 300, seen
        await ada.close()
    finally:
        server.remove()


async def test_a_log_that_cannot_be_written_fails_no_request() -> None:
    """The log goes to /dev/full, where each write fails as on a full disk, and the database is killed."""
    server = LiveServer()
    server.log_file = Path("/dev/full")
    server.start()
    try:
        ada = await Someone.signs_in(server, f"ada-{time.time_ns()}")
        seen: list[tuple[int, str]] = []

        async def look() -> int:
            answer = await ada.http.get("/readyz")
            seen.append((answer.status_code, answer.headers["content-type"]))
            return answer.status_code

        (database,) = server.data.glob("postgres/postmaster.pid")
        os.kill(int(database.read_text().split()[0]), signal.SIGKILL)
        await eventually(look, lambda status: status == 503, 30, "503")
        await eventually(look, lambda status: status == 200, 60, "200")
        assert {status for status, _ in seen} <= {200, 503}, seen
        assert {kind for _, kind in seen} <= {"application/json", "application/problem+json"}, seen
        await ada.close()
    finally:
        server.remove()
