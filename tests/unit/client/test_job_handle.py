"""What a handle knows of its job: a response that is older than an event does not replace what the event said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID

import pytest

from workroom.client.async_room import AsyncRoom
from workroom.client.jobs import AsyncJobHandle
from workroom.domain.jobs.states import State
from workroom.wire.jobs import Accepted, JobBrief

JOB = UUID("01890000-0000-7000-8000-000000000001")


def _brief(status: str) -> dict[str, Any]:
    nothing = ("workerId", "postingId", "retryOf", "runAt", "assignedAt", "startedAt", "finishedAt", "waitTimeMs")
    return dict.fromkeys((*nothing, "executionTimeMs", "progress", "user")) | {
        "jobId": str(JOB),
        "room": "lab",
        "scope": "room",
        "category": "modifiers",
        "name": "Relax",
        "status": status,
        "cancelling": False,
        "priority": 5,
        "attempt": 1,
        "triesLeft": 1,
        "userId": str(JOB),
        "createdAt": "2026-01-01T00:00:00Z",
    }


def _detail(status: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("data", "result", "error", "queuePosition", "etaSeconds", "timeoutSeconds"))
    return _brief(status) | nothing | {"attempts": [], "waitingFor": "nothing"}


class Room:
    """Answers requests when the test says so, and has events."""

    def __init__(self) -> None:
        self.name = "lab"
        self.access = self.live = self
        self.listeners: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.seen: asyncio.Queue[JobBrief] = asyncio.Queue()  # that `wait` told
        self.asked: asyncio.Queue[asyncio.Future[Any]] = asyncio.Queue()

    async def get(self, path: str, **params: Any) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait(answer)
        return await answer

    delete = get

    async def join(self, room: str) -> None:
        assert room == self.name

    @contextmanager
    def subscribed(self, name: str, listener: Callable[[dict[str, Any]], None]) -> Any:
        self.listeners[name] = listener
        yield


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def handle(room: Room) -> AsyncJobHandle:
    return AsyncJobHandle(cast(AsyncRoom, room), Accepted(job_id=JOB, status=State.PENDING))


async def _follows(room: Room, handle: AsyncJobHandle, status: str) -> asyncio.Task[AsyncJobHandle]:
    """A task that waits for the end of the job, which now has this status."""
    waiting = asyncio.create_task(handle.wait(5, on_change=room.seen.put_nowait))
    (await room.asked.get()).set_result(_detail(status))
    assert (await room.seen.get()).status == status
    return waiting


async def test_an_answer_to_cancel_does_not_replace_the_end_that_an_event_told(
    room: Room, handle: AsyncJobHandle
) -> None:
    waiting = await _follows(room, handle, "running")
    cancelling = asyncio.create_task(handle.cancel())
    answer = await room.asked.get()
    room.listeners["job:state_changed"](_brief("cancelled"))
    await waiting
    answer.set_result({"status": "running"})
    assert await cancelling == "cancelled"
    assert handle.is_done and handle.last_status == "cancelled"


async def test_an_answer_does_not_replace_what_an_event_told_meanwhile(room: Room, handle: AsyncJobHandle) -> None:
    waiting = await _follows(room, handle, "assigned")
    asking = asyncio.create_task(handle.refresh())
    answer = await room.asked.get()
    room.listeners["job:state_changed"](_brief("running"))
    assert (await room.seen.get()).status == "running"
    answer.set_result(_detail("assigned"))
    assert (await asking).status == "assigned", "what the server answered"
    assert handle.last_status == "running"
    room.listeners["job:state_changed"](_brief("completed"))
    assert (await waiting).last_status == "completed"


async def test_the_end_in_an_answer_counts_whatever_events_say(room: Room, handle: AsyncJobHandle) -> None:
    waiting = await _follows(room, handle, "assigned")
    cancelling = asyncio.create_task(handle.cancel())
    answer = await room.asked.get()
    room.listeners["job:state_changed"](_brief("running"))
    assert (await room.seen.get()).status == "running"
    answer.set_result({"status": "cancelled"})
    assert await cancelling == "cancelled"
    room.listeners["job:state_changed"](_brief("running"))  # sent before
    await waiting
    assert handle.last_status == "cancelled"


async def test_an_answer_is_kept_when_nothing_else_was_told(room: Room, handle: AsyncJobHandle) -> None:
    cancelling = asyncio.create_task(handle.cancel())
    (await room.asked.get()).set_result({"status": "running"})
    assert await cancelling == handle.last_status == "running"
