"""Workers that close, lose messages and come back: no job waits for them, fails or runs twice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone

from workroom import AsyncRoom, Category, Extension
from workroom.client.net.socketio_connection import SocketIOConnection


class Short(Extension):
    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> str:
        return "done"


class Stubborn(Extension):
    """Never looks whether it should stop."""

    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> None:
        begun.set()
        go_on.wait(30)


begun, go_on = threading.Event(), threading.Event()


@pytest.fixture(scope="module")
def patient_server() -> Generator[LiveServer]:
    """A server that waits long for a worker, but not for the confirmation of a job."""
    seconds = {"GRACE": "60", "LEASE": "60", "CONFIRM": "5"}
    live = LiveServer(**{f"WORKROOM_{name}_SECONDS": value for name, value in seconds.items()}).start()
    yield live
    live.remove()


async def test_a_worker_that_closes_gives_its_unstarted_job_back_at_once(
    server: LiveServer, ada: Someone, name: str
) -> None:
    room = AsyncRoom(name, server.url, "worker", auto_pickup_jobs=False)
    await room.open()
    await room.register_extension(Short)
    job_id = (await ada.submits(name, "Short"))["jobId"]
    await ada.sees(job_id, "assigned")
    await room.close()
    assert (await ada.job(job_id))["status"] == "pending"
    async with AsyncRoom(name, server.url, "worker") as other:
        await other.register_extension(Short)
        job = await ada.sees(job_id, "completed", "failed")
        assert (job["status"], job["attempt"], job["result"]) == ("completed", 2, "done")


async def test_a_job_that_a_closing_worker_abandons_fails_at_once(patient_server: LiveServer, name: str) -> None:
    ada = await Someone.signs_in(patient_server, "ada")
    room = AsyncRoom(name, patient_server.url, "worker")
    await room.open()
    await room.register_extension(Stubborn)
    try:
        job_id = (await ada.submits(name, "Stubborn"))["jobId"]
        assert await asyncio.to_thread(begun.wait, 10)
        await room.close()
        job = await ada.job(job_id)
        assert (job["status"], job["error"]["reason"]) == ("failed", "worker_lost")
    finally:
        go_on.set()
        await ada.close()


async def test_an_assignment_that_got_lost_with_a_socket_is_sent_again(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    first = await worker.gets()
    await worker.leaves()
    await worker.is_seen("offline")
    back = PlainWorker(ada)
    back.id, back.token = worker.id, worker.token
    workers.append(await back.attaches())
    again = await back.gets()
    assert {key: again[key] for key in ("jobId", "attempt", "data")} == {
        key: first[key] for key in ("jobId", "attempt", "data")
    }
    await back.runs(again)
    assert (await ada.sees(job_id, "completed"))["attempt"] == 1
    late = await back.says(first, "running")
    assert (late["ok"], late["code"]) == (False, "job_final"), "what has ended cannot start"


async def test_a_lost_acknowledgement_holds_up_no_report_and_no_job(
    patient_server: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer to a report is dropped on its way. The starts behind it must be confirmed in time."""
    connection: Any = SocketIOConnection
    receive = connection._receive
    dropped: list[Any] = []

    def loses_the_first(client: Any, is_event: bool, number: int | None, content: list[Any]) -> None:
        if not dropped and not is_event and content and isinstance(content[0], dict) and "answers" in content[0]:
            dropped.append(content)
        else:
            receive(client, is_event, number, content)

    monkeypatch.setattr(connection, "_receive", loses_the_first)
    ada = await Someone.signs_in(patient_server, "ada")
    async with AsyncRoom(name, patient_server.url, "worker") as room:
        await room.register_extension(Short, concurrency=4)
        ids = [(await ada.submits(name, "Short"))["jobId"] for _ in range(8)]
        jobs = [await ada.sees(job_id, "completed", "failed", within=9) for job_id in ids]
        assert len(dropped) == 1
        assert [(job["status"], job["attempt"]) for job in jobs] == [("completed", 1)] * 8
        ((offer,),) = [worker["extensions"] for worker in (await ada.get(f"/api/rooms/{name}/workers"))["items"]]
        assert (offer["failures"], offer["breaker"]) == (0, "closed")
    await ada.close()
