"""Whoever looks at a worker sees how much it does."""

from __future__ import annotations

from typing import Any

from tests.acceptance.live import PlainWorker, Someone, eventually


async def test_what_a_worker_ended_lately_is_told_within_seconds(
    ada: Someone, admin: Someone, room: str, workers: list[PlainWorker]
) -> None:
    busy, idle = [await PlainWorker.online(ada, room, name) for name in ("Busy", "Idle")]
    workers += [busy, idle]
    for wrong in (False, False, True):
        await ada.submits(room, "Busy")
        job = await busy.gets()
        if wrong:
            assert (await busy.says(job, "running"))["ok"]
            assert (await busy.says(job, "failed", error={"type": "E", "message": "m"}))["ok"]
        else:
            await busy.runs(job)

    async def one() -> dict[str, Any]:
        return (await ada.get(f"/api/workers/{busy.id}"))["throughput"]

    told = await eventually(one, lambda seen: seen["ended"] == 3)
    assert told["failed"] == 1
    assert 10 <= told["seconds"] <= 300
    assert abs(told["perMinute"] - 3 * 60 / told["seconds"]) < 0.2
    assert (sum(told["history"]), len(told["history"]), told["sliceSeconds"]) == (3, 30, 10)
    for someone, path in ((ada, f"/api/rooms/{room}/workers"), (ada, "/api/workers"), (admin, "/api/workers")):
        items = {worker["id"]: worker["throughput"] for worker in (await someone.get(path))["items"]}
        assert (items[busy.id]["ended"], items[busy.id]["failed"], items[idle.id]["ended"]) == (3, 1, 0)


async def test_a_worker_that_comes_back_keeps_its_figures(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    await ada.submits(room, "Relax")
    await worker.runs(await worker.gets())

    async def ended() -> int:
        return (await ada.get(f"/api/workers/{worker.id}"))["throughput"]["ended"]

    await eventually(ended, lambda seen: seen == 1)
    await worker.leaves()
    assert (await worker.registers(room, "Relax", again=True)).status_code == 201
    await worker.attaches()
    assert await ended() == 1
