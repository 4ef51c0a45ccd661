"""How many files a reader needs for the path of one job, measured on a running server."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, eventually

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

    async def look() -> dict[str, Any] | None:
        return json.loads(target.read_text()) if target.exists() else None  # noqa: ASYNC240 - a small local file

    record = await eventually(look, lambda found: found is not None, wanted="the record")
    target.unlink()  # noqa: ASYNC240 - a small local file
    return record


def completed(job: dict[str, Any]) -> Callable[[dict[str, Any]], bool]:
    return lambda event: event["jobId"] == job["jobId"] and event["status"] == "completed"


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
    await watcher.until("job:state_changed", completed(second))
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
