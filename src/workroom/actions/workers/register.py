"""Workers come and go, and bring their extensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import CancelRequested, ExtensionsOffered, ExtensionsRemoved, WorkerFreed, WorkersChanged
from workroom.actions.jobs.assign import fill_slots
from workroom.actions.jobs.rescue import remove_idle_extensions, rescue
from workroom.domain import limits
from workroom.domain.errors import BadInput, NameReserved, SchemaConflict, TooLarge, WorkerLost
from workroom.domain.jobs import backoff, breaker
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.domain.names import category_name, extension_name
from workroom.domain.schema_hash import schema_hash
from workroom.store.queue_tables import extensions, jobs, workers
from workroom.store.queue_tables.extensions import Registered

FUNCTIONS = "functions"  # the category of functions that postings call


@dataclass(frozen=True, slots=True)
class ExtensionSpec:
    """An extension as a worker offers it."""

    category: str
    name: str
    schema: dict[str, Any]
    scope: str = "room"
    room: str | None = None
    concurrency: int | None = None
    timeout_seconds: float | None = None
    tries: int = 1
    backoff_base: float = backoff.DEFAULT_BASE_SECONDS
    backoff_cap: float = backoff.DEFAULT_CAP_SECONDS
    on_worker_lost: str = OnWorkerLost.FAIL
    priority: int = DEFAULT_PRIORITY
    breaker_failures: int = breaker.DEFAULT_FAILURES
    breaker_seconds: float = breaker.DEFAULT_SECONDS
    modest: bool = False  # joins what is there as it is: how a known function is run, others have said

    @property
    def identity(self) -> tuple[str, str, str, str]:
        return (self.scope, self.room or "", self.category, self.name)


def function(name: str, **settings: Any) -> ExtensionSpec:
    """A function that postings call: tried three times, and requeued when its worker is lost."""
    defaults: dict[str, Any] = {"tries": 3, "on_worker_lost": OnWorkerLost.REQUEUE, "breaker_failures": 0}
    return ExtensionSpec(FUNCTIONS, name, {}, scope="function", **(defaults | settings))


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """A worker that wants to register."""

    kind: str  # remote, pool or celery
    extensions: Sequence[ExtensionSpec]
    account_id: UUID | None = None
    room: str | None = None
    capacity: int = 1
    info: dict[str, Any] = field(default_factory=dict[str, Any])
    worker_id: UUID | None = None  # given when it comes back
    ships: bool = False  # whether it brings the built-in extensions, all of them


@dataclass(frozen=True, slots=True)
class Registration:
    """What a registered worker is told."""

    worker_id: UUID
    incarnation: int
    extensions: tuple[Registered, ...]  # in the order they were offered


async def register_worker(engine: Engine, spec: WorkerSpec) -> Registration:
    """Register a worker with all its extensions, or none of it.

    A pool worker may fetch jobs from now on; a remote one is handed jobs once its socket is attached.
    """
    if spec.capacity < 1:
        raise BadInput(f"capacity must be at least 1, not {spec.capacity}.")
    if len(spec.extensions) > limits.EXTENSIONS_PER_WORKER:
        raise TooLarge(f"A worker can offer at most {limits.EXTENSIONS_PER_WORKER} extensions.")
    hashes = [_checked_hash(extension) for extension in spec.extensions]

    async def work(transaction: Transaction) -> Registration:
        worker_id, incarnation = await _enter(engine, transaction, spec)
        registered = await _register_all(transaction, spec.extensions, hashes, worker_id)
        offered = tuple(dict.fromkeys(extension.id for extension in registered))
        await workers.offer(transaction.connection, worker_id=worker_id, extension_ids=offered)
        if spec.ships and (retired := await extensions.remove_unshipped(transaction.connection, kept=offered)):
            transaction.record(ExtensionsRemoved(tuple(retired)))
        transaction.record(ExtensionsOffered(offered))
        transaction.record(WorkersChanged((worker_id,)))
        return Registration(worker_id, incarnation, tuple(registered))

    return await engine.transaction(work)


async def register_extensions(engine: Engine, specs: Sequence[ExtensionSpec]) -> list[Registered]:
    """Make extensions known that no worker has brought: the built-in ones, and functions about to be posted."""
    hashes = [_checked_hash(spec) for spec in specs]

    async def work(transaction: Transaction) -> list[Registered]:
        return await _register_all(transaction, specs, hashes, None)

    return await engine.transaction(work)


async def attach(engine: Engine, worker_id: UUID, incarnation: int) -> None:
    """A remote worker's socket is connected: it is handed what waits for it."""

    async def work(transaction: Transaction) -> None:
        here = await workers.attach(
            transaction.connection,
            id=worker_id,
            incarnation=incarnation,
            attached=True,
            lease_seconds=engine.timing.lease,
        )
        if not here:
            raise WorkerLost(workerId=str(worker_id))
        transaction.record(WorkersChanged((worker_id,)))
        for job in await jobs.cancel_requests(transaction.connection, worker_id):
            # Called off while it was away, and told nobody.
            transaction.record(CancelRequested(worker_id, job.id, job.attempt, job.room))
        held = await workers.lock(transaction.connection, worker_id)
        if held.can_take_jobs:
            await fill_slots(transaction, worker_id, held.part)
            transaction.record(WorkerFreed(worker_id))

    await engine.transaction(work)


async def detach(engine: Engine, worker_id: UUID, incarnation: int) -> None:
    """A remote worker's socket has closed: it has the grace to come back, and keeps its jobs meanwhile."""

    async def work(transaction: Transaction) -> None:
        here = await workers.attach(
            transaction.connection,
            id=worker_id,
            incarnation=incarnation,
            attached=False,
            lease_seconds=engine.timing.lease,
        )
        if here:
            transaction.record(WorkersChanged((worker_id,)))

    await engine.transaction(work)


async def heartbeat(engine: Engine, worker_id: UUID, incarnation: int) -> None:
    """A worker says it is alive."""
    async with engine.database.connection() as connection:
        believed = await workers.heartbeat(
            connection, id=worker_id, incarnation=incarnation, lease_seconds=engine.timing.lease
        )
    if not believed:
        raise WorkerLost(workerId=str(worker_id))


async def has_unseen_job(engine: Engine, worker_id: UUID, *, seconds: float) -> bool:
    """Whether a worker has held a job for so long that it must know of it."""
    async with engine.database.connection() as connection:
        return await workers.has_unseen_job(connection, worker_id, seconds=seconds)


async def drain(engine: Engine, worker_id: UUID) -> bool:
    """A worker finishes what it has and gets nothing more."""

    async def work(transaction: Transaction) -> bool:
        draining = await workers.drain(transaction.connection, worker_id)
        if draining:
            transaction.record(WorkersChanged((worker_id,)))
        return draining

    return await engine.transaction(work)


async def leave(engine: Engine, worker_id: UUID, *, reason: str = "shutdown") -> bool:
    """A worker is gone for good: its jobs are dealt with at once, and extensions nobody else offers are removed."""

    async def work(transaction: Transaction) -> bool:
        left = await workers.end(transaction.connection, worker_id, reason=reason)
        if left:
            transaction.record(WorkersChanged((worker_id,)))
        return left

    left = await engine.transaction(work)
    if left:
        await rescue(engine)
        await remove_idle_extensions(engine)
    return left


async def _enter(engine: Engine, transaction: Transaction, spec: WorkerSpec) -> tuple[UUID, int]:
    facts: dict[str, Any] = {
        "kind": spec.kind,
        "account_id": spec.account_id,
        "room": spec.room,
        "capacity": spec.capacity,
        "info": orjson.dumps(spec.info).decode(),
        "lease_seconds": engine.timing.lease,
        "attached": spec.kind != "remote",
    }
    if spec.worker_id is not None:
        incarnation = await workers.register_again(transaction.connection, id=spec.worker_id, **facts)
        if incarnation is None:
            raise WorkerLost(
                "There is no such worker of yours: register without a workerId.", workerId=str(spec.worker_id)
            )
        return spec.worker_id, incarnation
    worker_id = new_id()
    return worker_id, await workers.register(transaction.connection, id=worker_id, **facts)


async def _register_all(
    transaction: Transaction, specs: Sequence[ExtensionSpec], hashes: Sequence[str], worker_id: UUID | None
) -> list[Registered]:
    """Register extensions in one order for everybody, so that two registrations never wait for each other crosswise."""
    registered: dict[int, Registered] = {}
    for index in sorted(range(len(specs)), key=lambda i: specs[i].identity):
        registered[index] = await _register(transaction, specs[index], hashes[index], worker_id)
    return [registered[index] for index in range(len(specs))]


async def _register(
    transaction: Transaction, spec: ExtensionSpec, fingerprint: str, worker_id: UUID | None
) -> Registered:
    connection = transaction.connection
    await extensions.lock_identity(connection, "/".join(spec.identity))
    if spec.scope in ("room", "global"):
        builtin = await extensions.find(connection, room=None, category=spec.category, name=spec.name, scope="builtin")
        if builtin is not None:
            raise NameReserved(
                f"{spec.category}/{spec.name} is a built-in extension. Give yours another name.", name=spec.name
            )
    before = await extensions.lock(connection, scope=spec.scope, room=spec.room, category=spec.category, name=spec.name)
    if before is not None and spec.modest and before.schema_hash == fingerprint:
        return Registered(before.id, before.schema_hash, False)
    registered = await extensions.register(
        connection,
        scope=spec.scope,
        room=spec.room,
        category=spec.category,
        name=spec.name,
        schema=orjson.dumps(spec.schema).decode(),
        schema_hash=fingerprint,
        concurrency=spec.concurrency,
        timeout_seconds=spec.timeout_seconds,
        tries=spec.tries,
        backoff_base=spec.backoff_base,
        backoff_cap=spec.backoff_cap,
        on_worker_lost=spec.on_worker_lost,
        priority=spec.priority,
        breaker_failures=spec.breaker_failures,
        breaker_seconds=spec.breaker_seconds,
        worker_id=worker_id,
    )
    if registered is None:
        current = before.schema_hash if before else ""
        raise SchemaConflict(
            f"{spec.category}/{spec.name} is offered with another schema. Stop its workers first, or rename yours.",
            name=spec.name,
            category=spec.category,
            currentHash=current,
            offeredHash=fingerprint,
        )
    return registered


def _checked_hash(spec: ExtensionSpec) -> str:
    category_name(spec.category)
    extension_name(spec.name)
    what = f"The schema of {spec.name}"
    check_size(encode(spec.schema, what), what, limits.SCHEMA_BYTES)
    try:
        fingerprint = schema_hash(spec.schema)
    except ValueError as error:
        raise BadInput(f"{what} cannot be written as JSON: {error}.") from None
    return fingerprint


async def renew_leases_after_restart(engine: Engine) -> None:
    """A server has started: nobody could renew a lease while it was down, so every worker gets a whole one.

    Remote workers count as disconnected until their sockets are back.
    """
    async with engine.database.connection() as connection:
        await workers.renew_leases(connection, lease_seconds=engine.timing.lease, grace_seconds=engine.timing.grace)
