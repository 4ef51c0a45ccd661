"""A single call that is posted while a process of a pool has nothing to do is sent to it, with the hint."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.workshop import Worker, Workshop, failure

from workroom.actions.events import WorkAppeared
from workroom.actions.extensions.register import function, register_extensions
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.report import report
from workroom.actions.workers.lifecycle import leave
from workroom.domain.jobs.outcomes import Report, Succeeded
from workroom.domain.jobs.states import State
from workroom.store.notifications import WORK, WorkNotification, listening
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow


async def _function(workshop: Workshop, name: str = "square", **settings: Any) -> ExtensionRow:
    registered = (await register_extensions(workshop.engine, [function(name, **settings)]))[0]
    async with workshop.engine.database.connection() as connection:
        row = await extensions.get(connection, registered.id)
    assert row is not None
    return row


@asynccontextmanager
async def _hints(url: str) -> AsyncGenerator[asyncio.Queue[WorkNotification]]:
    heard: asyncio.Queue[WorkNotification] = asyncio.Queue()
    async with listening(url, {WORK: lambda payload: heard.put_nowait(WorkNotification.read(payload))}) as session:
        task = asyncio.create_task(session.run())
        try:
            yield heard
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, psycopg.OperationalError):
                await task


async def _posted(workshop: Workshop, line: ExtensionRow, *calls: Any, **options: Any) -> UUID:
    return await post(workshop.engine, line, list(calls), JobOptions(workshop.person, **options))


async def _sent(heard: asyncio.Queue[WorkNotification]) -> WorkNotification:
    return await asyncio.wait_for(heard.get(), 5)


async def test_it_comes_with_the_hint_as_a_claim_would_give_it(workshop: Workshop, database_url: str) -> None:
    line = await _function(workshop, tries=7)
    worker = await workshop.worker(line, capacity=10)
    call = {"a": [1.5, -0.0, 1e300, 'ü\u2028 "quoted" \' \\ %s'], "k": {"n": None, "t": True}}
    async with _hints(database_url) as heard:
        first = await _posted(workshop, line, call, room=workshop.room)
        hint = await _sent(heard)
        assert (hint.extension_id, hint.worker_id) == (line.id, worker.id)
        sent = hint.job
        assert sent is not None
        assert (sent.id, sent.attempt, sent.posting_id, sent.once) == (first, 1, first, False)
        second = await _posted(workshop, line, call, room=workshop.room)  # it is busy now
        assert await _sent(heard) == WorkNotification(line.id)
    (claimed,) = await worker.claim()
    assert claimed.id == second
    # The notification does not carry the time of the assignment.
    assert sent._replace(id=claimed.id, assigned_at=claimed.assigned_at) == claimed
    job = await workshop.job(first)
    assert (job.state, job.worker_id, job.attempt) == (State.ASSIGNED, worker.id, 1)
    assert job.assigned_at is not None
    await worker.finish(sent, claimed, result=3)
    assert [(await workshop.state(one)) for one in (first, second)] == [State.COMPLETED, State.COMPLETED]
    assert await workshop.miscounted() == []


async def test_nobody_else_looks_for_what_was_sent(workshop: Workshop) -> None:
    line = await _function(workshop)
    await workshop.worker(line)
    workshop.events.clear()
    await _posted(workshop, line, {})
    assert not [event for event in workshop.events if isinstance(event, WorkAppeared)]
    await _posted(workshop, line, {})
    assert [event for event in workshop.events if isinstance(event, WorkAppeared)]


async def test_what_may_begin_only_once_is_marked(workshop: Workshop, database_url: str) -> None:
    line = await _function(workshop, on_worker_lost="requeue_unstarted")
    await workshop.worker(line)
    async with _hints(database_url) as heard:
        await _posted(workshop, line, {})
        job = (await _sent(heard)).job
        assert job is not None and job.once


_AWAY = {
    "draining": "UPDATE worker SET draining = true",
    "not connected": "UPDATE worker SET attached = false",
    "not heard of": "UPDATE worker SET lease_until = now() - interval '1 second'",
    "failing": "UPDATE offer SET opened_at = now()",
    "of a paused function": "UPDATE extension SET paused = true",
    "remote": "UPDATE worker SET kind = 'remote'",
}


@pytest.mark.parametrize("change", _AWAY.values(), ids=_AWAY.keys())
async def test_nothing_is_sent_to_a_worker_that_is(workshop: Workshop, database_url: str, change: str) -> None:
    line = await _function(workshop)
    await workshop.worker(line)
    await workshop.sql(change)
    workshop.engine.can_push = False
    async with _hints(database_url) as heard:
        job = await _posted(workshop, line, {})
        assert await _sent(heard) == WorkNotification(line.id)
    assert await workshop.state(job) is State.PENDING


async def test_several_calls_wait_to_be_claimed_together(workshop: Workshop, database_url: str) -> None:
    line = await _function(workshop)
    worker = await workshop.worker(line, capacity=10)
    async with _hints(database_url) as heard:
        await _posted(workshop, line, {}, {})
        assert await _sent(heard) == WorkNotification(line.id)
    assert len(await worker.claim(10)) == 2


async def test_so_does_what_is_not_due(workshop: Workshop) -> None:
    line = await _function(workshop)
    await workshop.worker(line)
    later = await _posted(workshop, line, {}, run_at=datetime.now(UTC) + timedelta(hours=1))
    assert await workshop.state(later) is State.PENDING


async def test_so_does_what_would_fail_if_the_process_left(workshop: Workshop) -> None:
    line = await _function(workshop, on_worker_lost="fail")
    await workshop.worker(line)
    assert await workshop.state(await _posted(workshop, line, {})) is State.PENDING


@pytest.mark.parametrize("call", ["x" * 8_000, [1e300] * 30, "ü" * 4_000], ids=["long", "long in full", "wide"])
async def test_so_does_what_is_too_long_for_a_hint(workshop: Workshop, database_url: str, call: Any) -> None:
    line = await _function(workshop)
    worker = await workshop.worker(line)
    async with _hints(database_url) as heard:
        job = await _posted(workshop, line, call, room=workshop.room)
        assert await _sent(heard) == WorkNotification(line.id)
    assert await workshop.state(job) is State.PENDING
    assert (await worker.claim())[0].arguments == call


async def test_nobody_is_overtaken(workshop: Workshop) -> None:
    """A process that has just become free finds others waiting, and so does the call that is posted at that moment."""
    line = await _function(workshop)
    waiting = await _posted(workshop, line, {})
    worker = await workshop.worker(line, capacity=10)
    late = await _posted(workshop, line, {})
    assert await workshop.state(late) is State.PENDING
    assert [job.id for job in await worker.claim(10)] == [waiting, late]


async def test_of_two_processes_each_gets_one(workshop: Workshop) -> None:
    line = await _function(workshop)
    workers = {(await workshop.worker(line)).id for _ in range(2)}
    jobs = [await _posted(workshop, line, {}) for _ in range(3)]
    rows = [await workshop.job(job) for job in jobs]
    assert [row.state for row in rows] == [State.ASSIGNED, State.ASSIGNED, State.PENDING]
    assert {row.worker_id for row in rows[:2]} == workers


async def test_it_goes_back_when_the_process_leaves(workshop: Workshop) -> None:
    line = await _function(workshop)
    worker = await workshop.worker(line)
    job = await _posted(workshop, line, {})
    await leave(workshop.engine, worker.id)
    assert await workshop.state(job) is State.PENDING
    (again,) = await (await workshop.worker(line)).claim()
    assert (again.id, again.attempt) == (job, 2)
    assert await workshop.miscounted() == []


async def test_it_can_be_called_off_and_fail(workshop: Workshop, database_url: str) -> None:
    line = await _function(workshop, tries=1)
    worker = await workshop.worker(line)
    async with _hints(database_url) as heard:
        posting = await _posted(workshop, line, {})
        sent = (await _sent(heard)).job
        assert sent is not None
        assert await worker.say(sent, failure(), short=True) is None
        assert await workshop.state(posting) is State.FAILED
        another = await _posted(workshop, line, {})
        await cancel(workshop.engine, another)
        assert (await workshop.job(another)).cancel_requested_at is not None
    assert await workshop.miscounted() == []


class _Process:
    """What a process of a pool does, as far as the database sees it: takes what it is sent, claims when hinted."""

    def __init__(self, workshop: Workshop, worker: Worker, chance: random.Random) -> None:
        self.workshop, self.worker, self.chance = workshop, worker, chance
        self.ran: list[tuple[UUID, int]] = []
        self.sent = 0
        self.listens = asyncio.Event()
        self._inbox: asyncio.Queue[WorkNotification] = asyncio.Queue()

    async def serve(self, url: str) -> None:
        engine = self.workshop.engine
        async with listening(
            url, {WORK: lambda payload: self._inbox.put_nowait(WorkNotification.read(payload))}
        ) as hints:
            listener = asyncio.create_task(hints.run())
            self.listens.set()
            try:
                while True:
                    hint = await self._next_hint()
                    if hint is not None and hint.job is not None and hint.worker_id == self.worker.id:
                        self.sent += 1
                        await self._run([(hint.job.id, hint.job.attempt)])
                    claimed = await claim(engine, self.worker.id, 3)
                    await self._run([(job.id, job.attempt) for job in claimed])
            finally:
                listener.cancel()

    async def _next_hint(self) -> WorkNotification | None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.05):  # `wait_for` may lose a cancellation that comes together with a hint
                return await self._inbox.get()
        return None

    async def _run(self, jobs: list[tuple[UUID, int]]) -> None:
        for job in jobs:
            self.ran.append(job)
            await asyncio.sleep(self.chance.random() * 0.004)
        if jobs:
            reports = [Report(job, attempt, Succeeded(1), 1.0, 1.0) for job, attempt in jobs]
            assert await report(self.workshop.engine, self.worker.id, reports) == {}


async def test_under_a_rush_each_call_runs_once(workshop: Workshop, database_url: str) -> None:
    """Several people post single calls at once while several processes take, claim and report."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    line = await _function(workshop)
    processes = [_Process(workshop, await workshop.worker(line, capacity=20), chance) for _ in range(3)]
    serving = [asyncio.create_task(process.serve(database_url)) for process in processes]
    async with asyncio.timeout(10):
        await asyncio.gather(*(process.listens.wait() for process in processes))

    async def poster(who: UUID) -> list[UUID]:
        made: list[UUID] = []
        for _ in range(60):
            made.append(await post(workshop.engine, line, [{"n": 1}], JobOptions(who)))
            await asyncio.sleep(chance.choice((0, 0.01, 0.03, 0.06)))
        return made

    people = [await workshop.another_person(f"person {number}") for number in range(4)]
    posted = {job for made in await asyncio.gather(*(poster(one) for one in people)) for job in made}
    async with asyncio.timeout(30):
        while await workshop.sql("SELECT 1 FROM job WHERE finished_at IS NULL LIMIT 1"):  # noqa: ASYNC110 - it asks
            await asyncio.sleep(0.02)
    for task in serving:
        assert not task.done(), task
        task.cancel()
    await asyncio.gather(*serving, return_exceptions=True)
    ran = Counter(job for process in processes for job, _ in process.ran)
    assert ran == Counter(posted)
    sent = sum(process.sent for process in processes)
    print(f"{len(posted)} calls, {sent} of them sent, each run once")
    assert 0 < sent < len(posted)
    assert await workshop.miscounted() == []
