"""Delete a room and everything in it.

The action cancels the jobs of the room first, so that counters, postings and dependent jobs elsewhere stay correct.
It does not wait for the workers: each is asked to stop, and its later reports find the attempt lost. So nothing is left
that could act on a new room of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import cast
from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import CancelRequested, ExtensionsRemoved, RoomDeleted
from workroom.actions.jobs.propagate import propagate
from workroom.domain.jobs.states import State
from workroom.domain.rooms.rights import no_such_room
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.job_rows import CancelResult, Transition
from workroom.store.room_tables import frames, rooms


async def delete_room(engine: Engine, room: str, *, actor: UUID) -> None:
    async def work(transaction: Transaction) -> None:
        connection = transaction.connection
        # Lock first: the statements after it then see every job that was submitted before.
        if not await rooms.lock(connection, room):
            raise no_such_room()
        extensions = await rooms.lock_extensions(connection, room)
        ended = await _cancel_jobs(transaction, await rooms.unfinished_jobs(connection, room))
        postings = await rooms.open_postings(connection, room)
        await propagate(transaction, ended)
        # A posting whose jobs are still being inserted has no last job that ends it.
        await propagate(transaction, await jobs.fail_dependents(connection, jobs=[], postings=postings))
        await frames.orphan_room(connection, room)
        await rooms.delete(connection, room)
        await record_audit(transaction, actor, "room.delete", room, jobs=len(ended))
        if extensions:
            transaction.record(ExtensionsRemoved(tuple(extensions)))
        transaction.record(RoomDeleted(room))

    await engine.transaction(work)


async def _cancel_jobs(transaction: Transaction, job_ids: Sequence[UUID]) -> list[Transition]:
    """Cancel jobs without waiting for their workers to confirm."""
    if not job_ids:
        return []
    touched = await jobs.cancel(transaction.connection, ids=job_ids)
    moved = [job.moved() for job in touched if job.state == State.CANCELLED]
    active = sorted((job for job in touched if job.state != State.CANCELLED), key=_worker_id)
    for worker_id, held in groupby(active, key=_worker_id):
        of_worker = list(held)
        for job in of_worker:
            transaction.record(CancelRequested(worker_id, job.id, job.attempt, job.room))
        moved += await jobs.confirm_cancel(
            transaction.connection,
            worker_id=worker_id,
            ids=[job.id for job in of_worker],
            attempts=[job.attempt for job in of_worker],
        )
    return moved


def _worker_id(job: CancelResult) -> UUID:
    return cast(UUID, job.worker_id)  # never none: the job is assigned or running
