"""Life cycle of workers: register, attach, heartbeat, drain, leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import (
    AssignmentsRepeated,
    CancelRequested,
    ExtensionsOffered,
    ExtensionsRemoved,
    WorkerFreed,
    WorkersChanged,
)
from workroom.actions.extensions.register import (
    ExtensionSpec,
    Registrant,
    encoded_resources,
    register_all,
    schema_fingerprint,
)
from workroom.actions.jobs.assign import fill_slots
from workroom.actions.jobs.rescue import release_claimed
from workroom.actions.quotas.admission import admit_worker
from workroom.actions.workers.revoke import settle
from workroom.domain import limits
from workroom.domain.errors import BadInput, Forbidden, NotSignedIn, TooLarge, WorkerLost
from workroom.domain.jobs.resources import Resources
from workroom.domain.rooms.rights import ExtensionsFrom, Rights, may_offer, no_such_room
from workroom.store import accounts
from workroom.store.queue_tables import extensions, jobs, workers
from workroom.store.queue_tables.extensions import Registered
from workroom.store.room_tables import rooms


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """A worker as it registers."""

    kind: str  # remote, pool or celery
    extensions: Sequence[ExtensionSpec]
    account_id: UUID | None = None
    room: str | None = None
    capacity: int = 1
    info: dict[str, Any] = field(default_factory=dict[str, Any])
    resources: Resources = field(default_factory=dict[str, float])  # that it offers to its jobs together
    seconds_left: float | None = None  # until it ends; none: not known
    worker_id: UUID | None = None  # set when the worker registers again
    has_socket: bool = False  # a Celery worker that runs jobs of extensions; a remote worker always has one
    offers_all_builtins: bool = False  # so that built-in extensions it does not offer are obsolete
    epoch: int | None = None  # of the token that registers it: the transaction checks that it is still valid
    api_token: UUID | None = None  # that registers it: the same, and the worker ends with it
    as_admin: bool = True  # whether the account, if it is an admin, registers the worker as one
    reserved: frozenset[tuple[str, str]] = frozenset()  # category and name of built-in extensions


@dataclass(frozen=True, slots=True)
class Registration:
    """The result of a registration."""

    worker_id: UUID
    incarnation: int
    extensions: tuple[Registered, ...]  # in the order they were offered


async def register_worker(engine: Engine, spec: WorkerSpec) -> Registration:
    """Register a worker with all its extensions, or nothing.

    A pool worker can claim jobs from now on; a worker with a socket gets jobs once the socket is attached.
    """
    if spec.capacity < 1:
        raise BadInput(f"capacity must be at least 1, not {spec.capacity}.")
    if len(spec.extensions) > limits.EXTENSIONS_PER_WORKER:
        raise TooLarge(f"A worker can offer at most {limits.EXTENSIONS_PER_WORKER} extensions.")
    hashes = [schema_fingerprint(extension) for extension in spec.extensions]

    async def work(transaction: Transaction) -> Registration:
        manages = await _check_rights(transaction, spec)
        if spec.worker_id is None:
            await admit_worker(transaction, engine, spec.account_id, spec.room)
        worker_id, incarnation = await _insert(engine, transaction, spec)
        registrant = Registrant(worker_id, spec.account_id, manages, spec.reserved)
        registered = await register_all(transaction, spec.extensions, hashes, registrant)
        offered = tuple(dict.fromkeys(extension.id for extension in registered))
        await workers.offer(transaction.connection, worker_id=worker_id, extension_ids=offered)
        if spec.offers_all_builtins:
            removed = await extensions.remove_obsolete_builtins(transaction.connection, kept=offered)
            if removed:
                transaction.record(ExtensionsRemoved(tuple(removed)))
        transaction.record(ExtensionsOffered(offered))
        transaction.record(WorkersChanged((worker_id,)))
        return Registration(worker_id, incarnation, tuple(registered))

    return await engine.transaction(work)


async def attach(engine: Engine, worker_id: UUID, incarnation: int, socket: str) -> None:
    """A remote worker's socket is connected: send its unconfirmed jobs again, and assign it waiting ones.

    The message of an assignment may have been lost with the former socket. A worker that has received it ignores the
    second one, and the start of a job is refused unless the job is still assigned.
    """

    async def work(transaction: Transaction) -> None:
        found = await workers.attach(
            transaction.connection,
            id=worker_id,
            incarnation=incarnation,
            socket=socket,
            server=engine.server,
            lease_seconds=engine.timing.lease,
        )
        if not found:
            raise WorkerLost(workerId=str(worker_id))
        transaction.record(WorkersChanged((worker_id,)))
        worker = await workers.lock(transaction.connection, worker_id)
        await _repeat(transaction, worker_id)
        if worker.can_take_jobs:
            await fill_slots(transaction, worker_id, worker.part)
            transaction.record(WorkerFreed(worker_id))

    await engine.transaction(work)


async def repeat(engine: Engine, worker_ids: Sequence[UUID]) -> None:
    """Send the unconfirmed jobs and the cancel requests of these workers again: a message may have been lost."""

    async def work(transaction: Transaction) -> None:
        for worker_id in worker_ids:
            await _repeat(transaction, worker_id)

    await engine.transaction(work)


async def _repeat(transaction: Transaction, worker_id: UUID) -> None:
    for job in await jobs.cancel_requests(transaction.connection, worker_id):
        transaction.record(CancelRequested(worker_id, job.id, job.attempt, job.room))
    if unconfirmed := await jobs.unconfirmed(transaction.connection, worker_id):
        transaction.record(AssignmentsRepeated(worker_id, tuple(unconfirmed)))


async def detach(engine: Engine, worker_id: UUID, incarnation: int, socket: str) -> None:
    """A remote worker's socket has closed: it keeps its jobs for the reconnect grace.

    Nothing changes for a worker that is attached with another socket, at this server or at another.
    """

    async def work(transaction: Transaction) -> None:
        if await workers.detach(transaction.connection, id=worker_id, incarnation=incarnation, socket=socket):
            transaction.record(WorkersChanged((worker_id,)))

    await engine.transaction(work)


async def detach_orphans(engine: Engine) -> list[UUID]:
    """Detach the remote workers whose server has ended. They keep their jobs for the reconnect grace."""

    async def work(transaction: Transaction) -> list[UUID]:
        detached = await workers.detach_orphans(transaction.connection, without_server=False)
        if detached:
            transaction.record(WorkersChanged(tuple(detached)))
        return detached

    return await engine.transaction(work)


async def detached(engine: Engine, worker_ids: Sequence[UUID]) -> list[UUID]:
    """Those of these workers that count as detached."""
    async with engine.database.connection() as connection:
        return await workers.detached(connection, worker_ids)


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
    """Assign no further jobs to a worker: it finishes those it has started, and the others wait again at their turn."""

    async def work(transaction: Transaction) -> bool:
        draining = await workers.drain(transaction.connection, worker_id)
        if draining:
            transaction.record(WorkersChanged((worker_id,)))
        return draining

    draining = await engine.transaction(work)
    if draining:
        async with engine.database.connection() as connection:
            unstarted = await jobs.unconfirmed(connection, worker_id)
        # The start of a job that was released is refused, so a worker that was about to start it does not run it.
        await release_claimed(engine, worker_id, [(job.id, job.attempt) for job in unstarted])
    return draining


async def leave(engine: Engine, worker_id: UUID, *, reason: str = "shutdown") -> bool:
    """End a worker that shuts down or is removed by its owner. Its jobs are released or failed at once."""

    async def work(transaction: Transaction) -> list[UUID]:
        ended = await workers.end(transaction.connection, [worker_id], reason=reason)
        if ended:
            transaction.record(WorkersChanged(tuple(ended)))
        return ended

    ended = await engine.transaction(work)
    await settle(engine, ended)
    return bool(ended)


async def _check_rights(transaction: Transaction, spec: WorkerSpec) -> bool:
    """Check that the account may register the worker. Returns whether it manages the extensions of other accounts.

    The rows of the account and the room stay locked. So a change of rights either is seen here, or sees the worker and
    ends it.
    """
    if spec.account_id is None or (spec.epoch is None and spec.api_token is None):
        return True
    connection = transaction.connection
    await accounts.lock(connection, spec.account_id)
    if spec.room is None:
        account = await accounts.authenticate(
            connection, id=spec.account_id, epoch=spec.epoch, api_token=spec.api_token
        )
        if account is None:
            raise NotSignedIn
        return spec.as_admin and account.role == "admin"
    await rooms.lock_shared(connection, spec.room)
    access = await rooms.load_access(
        connection, room=spec.room, account_id=spec.account_id, epoch=spec.epoch, api_token=spec.api_token
    )
    if access is None:
        raise NotSignedIn
    if access.visibility is None or access.extensions_from is None:
        raise no_such_room()
    role = access.role if spec.as_admin or access.role != "admin" else "user"
    if not may_offer(
        role=role,
        owned=bool(access.owned),
        public=access.visibility == "public",
        member=access.member_rights,
        extensions_from=access.extensions_from,
    ):
        raise _may_not_offer(access.visibility, access.extensions_from)
    return role == "admin" or bool(access.owned) or access.member_rights == Rights.OWN


def _may_not_offer(visibility: str, extensions_from: str) -> Forbidden:
    users = visibility == "public" and extensions_from == ExtensionsFrom.USERS
    who = "members and users with a password" if users else "members who may write"
    return Forbidden(
        f"Only {who} may offer extensions in this room. Ask one of its owners to make you a member or, if the room is "
        "public, to change `extensionsFrom`; or use a room of your own.",
        extensionsFrom=extensions_from,
    )


async def _insert(engine: Engine, transaction: Transaction, spec: WorkerSpec) -> tuple[UUID, int]:
    values: dict[str, Any] = {
        "kind": spec.kind,
        "account_id": spec.account_id,
        "room": spec.room,
        "capacity": spec.capacity,
        "info": orjson.dumps(spec.info).decode(),
        "resources": encoded_resources(spec.resources),
        "seconds_left": spec.seconds_left,
        "lease_seconds": engine.timing.lease,
        "attached": spec.kind != "remote" and not spec.has_socket,
        "api_token": spec.api_token,
    }
    if spec.worker_id is not None:
        incarnation = await workers.register_again(transaction.connection, id=spec.worker_id, **values)
        if incarnation is None:
            await _refuse_evicted(transaction, spec.worker_id)
            raise WorkerLost(
                "There is no such worker of yours: register without a workerId.", workerId=str(spec.worker_id)
            )
        return spec.worker_id, incarnation
    worker_id = new_id()
    return worker_id, await workers.register(transaction.connection, id=worker_id, **values)


async def _refuse_evicted(transaction: Transaction, worker_id: UUID) -> None:
    row = await workers.get(transaction.connection, worker_id)
    if row is not None and row.end_reason == "evicted":
        raise Forbidden("An owner of the room has removed this worker. Ask them before you start another one.")
