"""Life cycle of workers: register, attach, heartbeat, drain, leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import CancelRequested, ExtensionsOffered, ExtensionsRemoved, WorkerFreed, WorkersChanged
from workroom.actions.extensions.register import ExtensionSpec, register_all, schema_fingerprint
from workroom.actions.jobs.assign import fill_slots
from workroom.actions.jobs.rescue import remove_idle_extensions, rescue
from workroom.actions.quotas.admission import admit_worker
from workroom.domain import limits
from workroom.domain.errors import BadInput, TooLarge, WorkerLost
from workroom.store.queue_tables import extensions, jobs, workers
from workroom.store.queue_tables.extensions import Registered


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """A worker as it registers."""

    kind: str  # remote, pool or celery
    extensions: Sequence[ExtensionSpec]
    account_id: UUID | None = None
    room: str | None = None
    capacity: int = 1
    info: dict[str, Any] = field(default_factory=dict[str, Any])
    worker_id: UUID | None = None  # set when the worker registers again
    ships: bool = False  # whether it offers all built-in extensions


@dataclass(frozen=True, slots=True)
class Registration:
    """The result of a registration."""

    worker_id: UUID
    incarnation: int
    extensions: tuple[Registered, ...]  # in the order they were offered


async def register_worker(engine: Engine, spec: WorkerSpec) -> Registration:
    """Register a worker with all its extensions, or nothing.

    A pool worker can claim jobs from now on; a remote worker is assigned jobs once its socket is attached.
    """
    if spec.capacity < 1:
        raise BadInput(f"capacity must be at least 1, not {spec.capacity}.")
    if len(spec.extensions) > limits.EXTENSIONS_PER_WORKER:
        raise TooLarge(f"A worker can offer at most {limits.EXTENSIONS_PER_WORKER} extensions.")
    hashes = [schema_fingerprint(extension) for extension in spec.extensions]

    async def work(transaction: Transaction) -> Registration:
        if spec.worker_id is None:
            await admit_worker(transaction, engine, spec.account_id)
        worker_id, incarnation = await _insert(engine, transaction, spec)
        registered = await register_all(transaction, spec.extensions, hashes, worker_id)
        offered = tuple(dict.fromkeys(extension.id for extension in registered))
        await workers.offer(transaction.connection, worker_id=worker_id, extension_ids=offered)
        if spec.ships and (removed := await extensions.remove_unshipped(transaction.connection, kept=offered)):
            transaction.record(ExtensionsRemoved(tuple(removed)))
        transaction.record(ExtensionsOffered(offered))
        transaction.record(WorkersChanged((worker_id,)))
        return Registration(worker_id, incarnation, tuple(registered))

    return await engine.transaction(work)


async def attach(engine: Engine, worker_id: UUID, incarnation: int) -> None:
    """A remote worker's socket is connected: assign it waiting jobs."""

    async def work(transaction: Transaction) -> None:
        found = await workers.attach(
            transaction.connection,
            id=worker_id,
            incarnation=incarnation,
            attached=True,
            lease_seconds=engine.timing.lease,
        )
        if not found:
            raise WorkerLost(workerId=str(worker_id))
        transaction.record(WorkersChanged((worker_id,)))
        for job in await jobs.cancel_requests(transaction.connection, worker_id):
            # Cancelled while the worker was disconnected.
            transaction.record(CancelRequested(worker_id, job.id, job.attempt, job.room))
        worker = await workers.lock(transaction.connection, worker_id)
        if worker.can_take_jobs:
            await fill_slots(transaction, worker_id, worker.part)
            transaction.record(WorkerFreed(worker_id))

    await engine.transaction(work)


async def detach(engine: Engine, worker_id: UUID, incarnation: int) -> None:
    """A remote worker's socket has closed: it keeps its jobs for the reconnect grace."""

    async def work(transaction: Transaction) -> None:
        found = await workers.attach(
            transaction.connection,
            id=worker_id,
            incarnation=incarnation,
            attached=False,
            lease_seconds=engine.timing.lease,
        )
        if found:
            transaction.record(WorkersChanged((worker_id,)))

    await engine.transaction(work)


async def heartbeat(engine: Engine, worker_id: UUID, incarnation: int) -> None:
    """Extend the lease of a worker; raises WorkerLost when it has ended or a newer incarnation exists."""
    async with engine.database.connection() as connection:
        extended = await workers.heartbeat(
            connection, id=worker_id, incarnation=incarnation, lease_seconds=engine.timing.lease
        )
    if not extended:
        raise WorkerLost(workerId=str(worker_id))


async def has_unseen_job(engine: Engine, worker_id: UUID, *, seconds: float) -> bool:
    """Whether a worker has held a job for longer than `seconds`: long enough to have received it."""
    async with engine.database.connection() as connection:
        return await workers.has_unseen_job(connection, worker_id, seconds=seconds)


async def drain(engine: Engine, worker_id: UUID) -> bool:
    """Assign no further jobs to a worker; it finishes those it has."""

    async def work(transaction: Transaction) -> bool:
        draining = await workers.drain(transaction.connection, worker_id)
        if draining:
            transaction.record(WorkersChanged((worker_id,)))
        return draining

    return await engine.transaction(work)


async def leave(engine: Engine, worker_id: UUID, *, reason: str = "shutdown") -> bool:
    """End a worker: release or fail its jobs at once, and remove extensions that no other worker offers."""

    async def work(transaction: Transaction) -> bool:
        ended = await workers.end(transaction.connection, worker_id, reason=reason)
        if ended:
            transaction.record(WorkersChanged((worker_id,)))
        return ended

    ended = await engine.transaction(work)
    if ended:
        await rescue(engine)
        await remove_idle_extensions(engine)
    return ended


async def _insert(engine: Engine, transaction: Transaction, spec: WorkerSpec) -> tuple[UUID, int]:
    values: dict[str, Any] = {
        "kind": spec.kind,
        "account_id": spec.account_id,
        "room": spec.room,
        "capacity": spec.capacity,
        "info": orjson.dumps(spec.info).decode(),
        "lease_seconds": engine.timing.lease,
        "attached": spec.kind != "remote",
    }
    if spec.worker_id is not None:
        incarnation = await workers.register_again(transaction.connection, id=spec.worker_id, **values)
        if incarnation is None:
            raise WorkerLost(
                "There is no such worker of yours: register without a workerId.", workerId=str(spec.worker_id)
            )
        return spec.worker_id, incarnation
    worker_id = new_id()
    return worker_id, await workers.register(transaction.connection, id=worker_id, **values)


async def renew_leases_after_restart(engine: Engine) -> None:
    """Extend every lease by a whole period: no worker could send heartbeats while the server was down.

    Remote workers count as disconnected until their sockets connect again.
    """
    async with engine.database.connection() as connection:
        await workers.renew_leases(connection, lease_seconds=engine.timing.lease, grace_seconds=engine.timing.grace)
