"""What lost workers leave behind."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.aftermath import settle
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import ExtensionsRemoved, WorkersChanged
from workroom.domain.loss import MAX_LOSSES
from workroom.store import extensions, jobs, workers
from workroom.store.extensions import Identity
from workroom.store.jobs import Moved


async def lose_workers(engine: Engine) -> list[UUID]:
    """Give up workers whose lease has ended, or that did not come back in time."""

    async def work(transaction: Transaction) -> list[UUID]:
        lost = await workers.lose(transaction.connection, grace_seconds=engine.timing.grace)
        if lost:
            transaction.note(WorkersChanged(tuple(lost)))
        return lost

    return await engine.atomically(work)


async def rescue(engine: Engine) -> list[Moved]:
    """Deal with the jobs of workers that are gone, as each job's policy says."""

    async def work(transaction: Transaction) -> list[Moved]:
        moved = await jobs.rescue(transaction.connection, max_losses=MAX_LOSSES)
        await settle(transaction, moved)
        return moved

    return await engine.atomically(work)


async def release_unconfirmed(engine: Engine) -> list[Moved]:
    """Take back jobs whose remote workers never confirmed them."""

    async def work(transaction: Transaction) -> list[Moved]:
        moved = await jobs.release_unconfirmed(transaction.connection, seconds=engine.timing.confirm)
        await settle(transaction, moved)
        return moved

    return await engine.atomically(work)


async def remove_idle_extensions(engine: Engine, ids: Sequence[int] | None = None) -> list[Identity]:
    """Remove extensions that have neither workers nor unfinished jobs; among these, or among all."""

    async def work(transaction: Transaction) -> list[Identity]:
        candidates = await extensions.lock_idle(transaction.connection, ids)
        removed = await extensions.remove_idle(transaction.connection, candidates) if candidates else []
        if removed:
            transaction.note(ExtensionsRemoved(tuple(removed)))
        return removed

    return await engine.atomically(work)
