"""How many files a reader needs for the path of one job, measured on a running server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher

MOST_FILES = 45


@pytest.fixture
async def traced(tmp_path: Path) -> AsyncGenerator[tuple[LiveServer, Path]]:
    """A server that records which of its files run, and where the record will be."""
    target = tmp_path / "trace.json"
    server = LiveServer(TRACE_FILE=str(target))
    server.program = ["-m", "tests.acceptance.traced_serve"]
    server.start()
    yield server, target
    server.remove()


async def recorded(server: LiveServer, target: Path) -> dict[str, Any]:
    os.kill(server.pid, signal.SIGUSR2)
    async with asyncio.timeout(10):
        while not target.exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
    record = json.loads(target.read_text())
    target.unlink()
    return record


async def test_a_job_passes_at_most_45_files_from_submit_to_browser(traced: tuple[LiveServer, Path]) -> None:
    server, target = traced
    ada = await Someone.signs_in(server, "ada")
    room = await ada.makes_room("lab")
    worker = await PlainWorker.online(ada, room, "Relax")
    watcher = await Watcher.joins(ada, room)
    first = await ada.submits(room, "Relax")
    await worker.runs(await worker.gets())
    await watcher.until(
        "job:state_changed", lambda job: job["jobId"] == first["jobId"] and job["status"] == "completed"
    )

    os.kill(server.pid, signal.SIGUSR1)
    second = await ada.submits(room, "Relax")
    submitting = await recorded(server, target)
    os.kill(server.pid, signal.SIGUSR1)
    await worker.runs(await worker.gets())
    await watcher.until(
        "job:state_changed", lambda job: job["jobId"] == second["jobId"] and job["status"] == "completed"
    )
    reporting = await recorded(server, target)

    # Heartbeats and sweeps run beside the job and are not part of its path.
    files = {name for name in submitting["files"] + reporting["files"] if not name.startswith("upkeep/")}
    print(f"files from submit to browser: {len(files)}")
    print("\n".join(sorted(files)))
    print(submitting["action_calls"])
    assert len(files) <= MOST_FILES, sorted(files)
    await watcher.leaves()
    await worker.leaves()
    await ada.close()
