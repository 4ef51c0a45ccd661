"""How a job or a queue stands. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.errors import NotFound
from workroom.domain.states import State
from workroom.domain.waiting import Outlook, WaitingFor, eta_seconds, waiting_for
from workroom.store import extensions, jobs
from workroom.store.extensions import StatsRow
from workroom.store.jobs import FailedAttempt, JobRow

# Jobs before a job are counted one by one up to here, and estimated from the turns beyond.
_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a waiting person wants to know."""

    waiting_for: WaitingFor
    queue_position: int | None  # how many jobs come before it; none when it does not wait
    eta_seconds: float | None  # when it may start; none when nothing is known to go by


async def job(engine: Engine, job_id: UUID) -> JobRow:
    """Everything recorded about a job."""
    async with engine.database.connection() as connection:
        row = await jobs.get(connection, job_id)
    if row is None:
        raise NotFound(f"There is no job {job_id}.")
    return row


async def attempts(engine: Engine, job_id: UUID) -> list[FailedAttempt]:
    """The attempts at a job that were followed by another."""
    async with engine.database.connection() as connection:
        return await jobs.attempts(connection, job_id)


async def prospect(engine: Engine, job_id: UUID) -> Prospect:
    """Where a job stands in its queue, when it may start, and what it waits for."""
    async with engine.database.connection() as connection:
        place = await jobs.place(connection, job_id, bound=_COUNTED)
    if place is None:
        raise NotFound(f"There is no job {job_id}.")
    reason = waiting_for(
        Outlook(State(place.state), place.paused, place.start_is_later, place.workers, place.workers_closed)
    )
    if place.state != State.PENDING:
        return Prospect(reason, None, None)
    mean = None if place.run_ms is None else place.run_ms / 1000
    known = reason is WaitingFor.ALL_BUSY
    return Prospect(reason, place.ahead, eta_seconds(place.ahead, place.slots, mean) if known else None)


async def stats(engine: Engine, extension_id: int) -> StatsRow:
    """How many workers and jobs an extension has."""
    async with engine.database.connection() as connection:
        return await extensions.stats(connection, extension_id)
