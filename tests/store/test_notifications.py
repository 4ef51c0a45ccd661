"""Hints are heard the moment they come, and a session that is lost says so."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import psycopg
import pytest
from tests.workshop import Workshop

from workroom.store import notifications as module
from workroom.store.notifications import WORK, WorkNotification, listening


@asynccontextmanager
async def _heard(url: str) -> AsyncGenerator[tuple[asyncio.Queue[str], asyncio.Task[None]]]:
    queue: asyncio.Queue[str] = asyncio.Queue()
    async with listening(url, {WORK: queue.put_nowait}) as hints:
        task: asyncio.Task[None] = asyncio.create_task(hints.run())
        try:
            yield queue, task
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, psycopg.OperationalError):
                await task


async def _next(queue: asyncio.Queue[str]) -> str:
    return await asyncio.wait_for(queue.get(), 5)


async def test_every_hint_is_heard_in_order(workshop: Workshop, database_url: str) -> None:
    async with _heard(database_url) as (queue, _):
        for number in range(200):
            await workshop.sql(f"SELECT pg_notify('{WORK}', '{number}')")
        assert [await _next(queue) for _ in range(200)] == [str(number) for number in range(200)]


async def test_what_came_before_anybody_read_is_heard(workshop: Workshop, database_url: str) -> None:
    queue: asyncio.Queue[str] = asyncio.Queue()
    async with listening(database_url, {WORK: queue.put_nowait}) as hints:
        await workshop.sql(f"SELECT pg_notify('{WORK}', 'early')")
        await asyncio.sleep(0.1)
        task = asyncio.create_task(hints.run())
        assert await _next(queue) == "early"
        task.cancel()


async def test_a_quiet_session_is_asked_for_a_sign_and_misses_nothing_meanwhile(
    workshop: Workshop, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_QUIET", 0.001)
    async with _heard(database_url) as (queue, task):
        for number in range(300):
            await workshop.sql(f"SELECT pg_notify('{WORK}', '{number}')")
            await asyncio.sleep(0.0005)
        assert [await _next(queue) for _ in range(300)] == [str(number) for number in range(300)]
        assert not task.done()


async def test_a_lost_session_says_so_at_once(workshop: Workshop, database_url: str) -> None:
    async with _heard(database_url) as (_, task):
        await asyncio.sleep(0.05)
        await workshop.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND application_name = 'workroom listener'"
        )
        with pytest.raises(psycopg.OperationalError):
            await asyncio.wait_for(asyncio.shield(task), 5)


async def test_a_session_that_gives_no_sign_is_lost(
    workshop: Workshop, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_QUIET", 0.05)
    monkeypatch.setattr(module, "_ANSWER", 0.2)
    async with _heard(database_url) as (_, task):
        (pid,) = (
            await workshop.sql(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                "AND application_name = 'workroom listener'"
            )
        )[0]
        with _frozen(pid), pytest.raises(psycopg.OperationalError, match="does not answer"):
            await asyncio.wait_for(asyncio.shield(task), 10)


@contextlib.contextmanager
def _frozen(pid: int) -> Generator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_what_is_not_understood_harms_no_other(workshop: Workshop, database_url: str) -> None:
    heard: list[WorkNotification] = []
    async with listening(database_url, {WORK: lambda payload: heard.append(WorkNotification.read(payload))}) as hints:
        task = asyncio.create_task(hints.run())
        for payload in ("", "what", "3 {", "3 [1, 2]", "7"):
            await workshop.sql(f"SELECT pg_notify('{WORK}', '{payload}')")
        async with asyncio.timeout(5):
            while not heard:  # noqa: ASYNC110 - it comes from a callback
                await asyncio.sleep(0.01)
        task.cancel()
    assert heard == [WorkNotification(7)]
