"""P6: what a claim, the stats and a queue position cost when the table is full."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from uuid import UUID

import psycopg

from bench.place import Place
from bench.row import Group, Row
from bench.shop import Shop, open_shop, payloads
from workroom.actions.engine import new_id
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.report import report
from workroom.actions.queries.extensions import stats
from workroom.actions.queries.jobs import queue_outlook
from workroom.domain import ids
from workroom.domain.jobs.outcomes import Report, Succeeded
from workroom.store.room_tables import rooms

FINISHED, PENDING, FEW = 1_000_000, 100_000, 100
CLAIMS_OF_ONE, CLAIMS_OF_MANY, MANY = 500, 100, 100
LOOKS = 200
TIMES_EMPTY, LOOK_MILLISECONDS = 1.5, 5.0
FINISHED_SQL = (Path(__file__).parent.parent / "finished.sql").read_bytes()


def measure(place: Place) -> Iterator[Row]:
    """A pool worker's claim with 1,000,000 finished and 100,000 pending jobs in the table; also `stats` and `prospect`.

    The floor is the same claim in a database of the same schema on the same server with 100 pending jobs and nothing
    else. The two take turns, claim by claim; what was claimed is completed and as much posted anew, untimed, so both
    stay as full as they are. P6 is a claim of one job, P6-100 a claim of 100; medians, from Python's call to
    its answer. P6-position is the slowest of three medians: for a job at the front, in the middle and at the end.
    """
    yield from asyncio.run(_measure(place))


async def _measure(place: Place) -> list[Row]:
    with ExitStack() as stack:
        full_url, empty_url = (stack.enter_context(place.database()) for _ in range(2))
        async with open_shop(full_url) as full_shop, open_shop(empty_url) as empty_shop:
            await _fill_with_finished(full_url, full_shop, place.size(FINISHED))
            full = await Stall.open(full_shop, place.size(PENDING))
            empty = await Stall.open(empty_shop, FEW)
            for url in (full_url, empty_url):
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute("VACUUM ANALYZE")
            beside = f"{place.size(FINISHED):,} finished + {place.size(PENDING):,} pending beside it"
            return [
                await _claims("P6", full, empty, 1, place.size(CLAIMS_OF_ONE), beside),
                await _claims("P6-100", full, empty, MANY, place.size(CLAIMS_OF_MANY), beside),
                await _stats(full, place.size(LOOKS)),
                await _position(full, place.size(LOOKS)),
            ]


@dataclass(slots=True)
class Stall:
    """A shop with one worker and so many pending jobs."""

    shop: Shop
    worker_id: UUID
    posting: UUID
    pending: int

    @classmethod
    async def open(cls, shop: Shop, pending: int) -> Stall:
        return cls(shop, await shop.worker(MANY), await shop.post(payloads(pending)), pending)

    async def claim(self, jobs: int) -> float:
        """How long the claim took; what it took is completed and replaced."""
        engine = self.shop.engine
        started = time.perf_counter()
        claimed = await claim(engine, self.worker_id, jobs)
        seconds = time.perf_counter() - started
        assert len(claimed) == jobs
        done = [Report(job.id, job.attempt, Succeeded(job.arguments), 0.1, 0.01) for job in claimed]
        assert not await report(engine, self.worker_id, done)
        await self.shop.post(payloads(jobs))
        return seconds * 1000


async def _claims(name: str, full: Stall, empty: Stall, jobs: int, times: int, beside: str) -> Row:
    in_full: list[float] = []
    in_empty: list[float] = []
    for _ in range(max(10, times)):
        in_full.append(await full.claim(jobs))
        in_empty.append(await empty.claim(jobs))
    value, floor = median(in_full), median(in_empty)
    what = f"a claim of {jobs}, {beside}; floor: {empty.pending} pending alone"
    return Row(name, what, value, "ms", floor, f"≤ {TIMES_EMPTY} x floor", value <= TIMES_EMPTY * floor)


async def _stats(full: Stall, times: int) -> Row:
    engine, extension_id = full.shop.engine, full.shop.noop.id
    assert (await stats(engine, extension_id)).pending == full.pending
    value = await _typical(lambda: stats(engine, extension_id), times)
    return Row(
        "P6-stats", "stats of that queue", value, "ms", None, f"≤ {LOOK_MILLISECONDS}", value <= LOOK_MILLISECONDS
    )


async def _position(full: Stall, times: int) -> Row:
    engine = full.shop.engine
    front, middle, end = await _waiting(full)
    typical: list[float] = []
    for job_id in (front, middle, end):
        looked = await queue_outlook(engine, job_id)
        assert looked.queue_position is not None
        typical.append(await _typical(lambda job_id=job_id: queue_outlook(engine, job_id), times))
    value = max(typical)
    at = " / ".join(f"{one:.1f}" for one in typical)
    what = f"queue position of a pending job, at the front / in the middle / at the end: {at}"
    return Row("P6-position", what, value, "ms", None, f"≤ {LOOK_MILLISECONDS}", value <= LOOK_MILLISECONDS)


async def _waiting(full: Stall) -> tuple[UUID, UUID, UUID]:
    """Jobs of the large posting at the front of the line, in its middle and at its end."""
    with psycopg.connect(full.shop.engine.database.url) as connection:
        rows = connection.execute(
            "SELECT id FROM job WHERE posting_id = %s AND state = 'pending' ORDER BY turn, id", [full.posting]
        ).fetchall()
    assert rows
    return rows[min(10, len(rows) - 1)][0], rows[len(rows) // 2][0], rows[-1][0]


async def _typical(look: Callable[[], Awaitable[object]], times: int) -> float:
    taken: list[float] = []
    for _ in range(max(20, times)):
        started = time.perf_counter()
        await look()
        taken.append((time.perf_counter() - started) * 1000)
    return median(taken)


async def _fill_with_finished(url: str, shop: Shop, jobs: int) -> None:
    async with shop.engine.database.connection() as connection:
        await rooms.create(connection, name="bench", owner_id=None, description="", visibility="public")
    values = {
        "prefix": _long_ago().bytes[:12],
        "jobs": jobs,
        "extension_id": shop.noop.id,
        "submitter": shop.person,
        "worker_id": await shop.worker(MANY),
    }
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(FINISHED_SQL, values)


def _long_ago() -> UUID:
    """The id of a posting made twenty days ago."""
    fresh = new_id()
    milliseconds = int.from_bytes(fresh.bytes[:6], "big") - int(timedelta(days=20).total_seconds() * 1000)
    return ids.posting_id(UUID(bytes=milliseconds.to_bytes(6, "big") + fresh.bytes[6:]))


GROUP = Group(("P6", "P6-100", "P6-stats", "P6-position"), measure)
