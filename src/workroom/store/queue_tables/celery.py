"""Statements for Celery: which jobs get a message in the broker, for which workers, and the claim of one named job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Integers, Uuids
from workroom.store.queue_tables.job_rows import Claimed
from workroom.store.statement import Connection, Statement


class CeleryWorker(NamedTuple):
    """A live worker that takes the jobs that messages name."""

    node: str  # the Celery worker that it belongs to
    slots: int  # how many tasks the node runs at a time
    queues: list[str]  # of the broker, which the node reads
    held: int  # jobs
    extension_ids: list[int]


class WaitingJob(NamedTuple):
    """A job that needs a message."""

    id: UUID
    attempt: int  # the attempt that its worker will make
    is_function: bool  # a call of a posted function; otherwise a job of an extension
    category: str
    name: str


_claim_one = Statement("job/claim_one", Claimed._make, frequent=True)
_to_publish = Statement("job/to_publish", WaitingJob._make, frequent=True)
_still_waiting = Statement[tuple[UUID, int]]("job/still_waiting", lambda row: (row[0], row[1]), frequent=True)
_celery_fleet = Statement("worker/celery_fleet", CeleryWorker._make)


async def claim_one(connection: Connection, *, worker_id: UUID, id: UUID, attempt: int) -> Claimed | None:
    """Assign a Celery worker this job; none unless it waits for exactly this attempt."""
    return await _claim_one.one(connection, worker_id=worker_id, id=id, attempt=attempt)


async def to_publish(
    connection: Connection, *, extension_ids: Sequence[int], published: Sequence[UUID], limit: int
) -> list[WaitingJob]:
    """The next jobs without a message. `published` have one already."""
    return await _to_publish.all(
        connection, extension_ids=Integers(extension_ids), published=Uuids(published), limit=limit
    )


async def still_waiting(connection: Connection, ids: Sequence[UUID]) -> list[tuple[UUID, int]]:
    """Those of the jobs that wait, with the number of their next attempt."""
    return await _still_waiting.all(connection, ids=Uuids(ids))


async def fleet(connection: Connection) -> list[CeleryWorker]:
    return await _celery_fleet.all(connection)
