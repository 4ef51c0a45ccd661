"""End workers that lost their rights: by a change of their account or room, or because a room owner removes them.

A change of rights ends the workers in its own transaction. From its commit on they are assigned nothing, and the tokens
of their jobs are refused. Their jobs are then released or failed, as for a lost worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import WorkersChanged, WorkersEnded
from workroom.actions.jobs.rescue import remove_idle_extensions, rescue
from workroom.domain.rooms.rights import may_offer
from workroom.store.queue_tables import workers


async def end_workers_without_right(transaction: Transaction, room: str) -> list[UUID]:
    """End the workers of a room whose accounts may no longer offer extensions in it. The row of the room is locked."""
    serving = await workers.of_room_with_access(transaction.connection, room)
    return await end_at_once(
        transaction,
        [
            worker.id
            for worker in serving
            if not may_offer(
                role=worker.role,
                owned=bool(worker.owned),
                public=worker.public,
                member=worker.member_rights,
                extensions_from=worker.extensions_from,
            )
        ],
    )


async def end_workers_of(transaction: Transaction, account_id: UUID) -> list[UUID]:
    """End the remote workers of an account whose tokens were revoked. The row of the account is locked."""
    return await end_at_once(transaction, await workers.of_account(transaction.connection, account_id))


async def end_at_once(transaction: Transaction, worker_ids: Sequence[UUID], *, reason: str = "removed") -> list[UUID]:
    """End workers and close their sockets. The caller settles their jobs after the commit."""
    ended = await workers.end(transaction.connection, worker_ids, reason=reason) if worker_ids else []
    if ended:
        transaction.record(WorkersChanged(tuple(ended)))
        transaction.record(WorkersEnded(tuple(ended)))
    return ended


async def settle(engine: Engine, ended: Sequence[UUID]) -> None:
    """Release or fail the jobs of ended workers, and mark extensions that no other worker offers."""
    if ended:
        await rescue(engine)
        await remove_idle_extensions(engine)


async def evict(engine: Engine, worker_id: UUID) -> bool:
    """End a worker because an owner of its room removes it. It cannot register again under its id."""

    async def work(transaction: Transaction) -> list[UUID]:
        return await end_at_once(transaction, [worker_id], reason="evicted")

    ended = await engine.transaction(work)
    await settle(engine, ended)
    return bool(ended)
