"""F4: PostgreSQL is killed under load. What was acknowledged is there, and clients get 503 until it is back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator

import psutil
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, eventually
from tests.faults.fault_table import FaultRecorder

KILLS = 3


@pytest.fixture
def server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.mark.fault("F4")
async def test_a_database_killed_under_load_keeps_everything_acknowledged(
    server: LiveServer, fault: FaultRecorder
) -> None:
    ada = await Someone.signs_in(server, "ada")
    room = await ada.makes_room("lab")
    # The extension stays listed without its worker, and its jobs wait.
    await (await PlainWorker.online(ada, room, "Relax")).leaves()
    acknowledged: list[str] = []
    other: set[int] = set()
    stop = asyncio.Event()

    async def submits() -> None:
        path = f"/api/rooms/{room}/extensions/modifiers/Relax/submit"
        while not stop.is_set():
            answer = await ada.http.post(path, json={"data": {}})
            if answer.status_code == 202:
                acknowledged.append(answer.json()["jobId"])
            else:
                other.add(answer.status_code)
                await asyncio.sleep(0.05)

    submitting = asyncio.create_task(submits())
    recovery: list[float] = []
    for _ in range(KILLS):
        await _more(acknowledged)
        processes = psutil.Process(server.pid).children(recursive=True)
        next(process for process in processes if process.name() == "postgres").kill()
        killed = time.monotonic()
        await _more(acknowledged)
        recovery.append(time.monotonic() - killed)
    stop.set()
    await submitting
    await eventually(
        lambda: ada.http.get(f"/api/rooms/{room}/jobs"), lambda answer: answer.status_code == 200, 20, "an answer"
    )
    stored: set[str] = set()
    before: str | None = None
    while True:
        page = await ada.get(f"/api/rooms/{room}/jobs", limit=500, **({"before": before} if before else {}))
        stored |= {job["jobId"] for job in page["items"]}
        before = page["next"]
        if before is None:
            break
    lost = set(acknowledged) - stored
    fault.record(runs=KILLS, lost=len(lost), doubled=len(acknowledged) - len(set(acknowledged)), recovery=recovery)
    assert not lost
    assert other <= {503}
    assert "Traceback" not in server.log()
    await ada.close()


async def _more(acknowledged: list[str]) -> None:
    """Wait until ten more are acknowledged. One may be answered between a kill and its effect."""
    have = len(acknowledged)

    async def count() -> int:
        return len(acknowledged)

    await eventually(count, lambda seen: seen > have + 10, 30, "more submits acknowledged")
