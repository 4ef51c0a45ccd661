"""One function for each statement of `sql/worker`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.domain.jobs.worker_throughput import SLICE_SECONDS, SLICES
from workroom.store.array_parameters import Integers, Uuids
from workroom.store.statement import Connection, Statement, first


class LockedWorker(NamedTuple):
    """A worker whose row is locked."""

    can_take_jobs: bool
    incarnation: int
    part: int  # how many of its slots each extension gets at a time


class WorkerRow(NamedTuple):
    id: UUID
    kind: str
    account_id: UUID | None
    account: str | None
    room: str | None
    incarnation: int
    capacity: int
    info: dict[str, Any]
    resources: dict[str, float] | None  # that it offers
    ends_at: datetime | None
    registered_at: datetime
    lease_until: datetime
    attached: bool
    draining: bool
    served_at: datetime | None
    ended_at: datetime | None
    end_reason: str | None
    active: int  # jobs it holds
    offers: list[dict[str, Any]]
    throughput: list[list[int]]  # per slice: slices ago, ended attempts, failed ones
    into_slice: float  # seconds since the current slice began
    age: float  # seconds since it registered


class ServingWorker(NamedTuple):
    """A worker that serves a room, with what decides whether it still may."""

    id: UUID
    role: str  # of its account
    owned: bool | None  # the room, by its account
    public: bool  # the room
    member_rights: str | None  # of its account in the room
    extensions_from: str  # of the room


_register = Statement[int]("worker/register", first)
_register_again = Statement[int]("worker/register_again", first)
_offer = Statement[None]("worker/offer", first)
_find_online = Statement[UUID]("worker/find_online", first)
_lock = Statement("worker/lock", LockedWorker._make, frequent=True)
_next_idle = Statement[UUID]("worker/next_idle", first, frequent=True)
_heartbeat = Statement[UUID]("worker/heartbeat", first, frequent=True)
_attach = Statement[UUID]("worker/attach", first)
_detach = Statement[UUID]("worker/detach", first)
_detached = Statement[UUID]("worker/detached", first)
_drain = Statement[UUID]("worker/drain", first)
_end = Statement[UUID]("worker/end", first)
_of_room_with_access = Statement("worker/of_room_with_access", ServingWorker._make)
_of_account = Statement[UUID]("worker/of_account", first)
_expire = Statement[UUID]("worker/expire", first)
_record_window = Statement[None]("worker/record_window", first)
_detach_orphans = Statement[UUID]("worker/detach_orphans", first)
_prune = Statement[None]("worker/prune", first)
_get = Statement("worker/get", WorkerRow._make)
_rooms_to_notify = Statement[str | None]("worker/rooms_to_notify", first)
_has_unseen_job = Statement[bool]("worker/has_unseen_job", first)
_has_waiting_job = Statement[bool]("worker/has_waiting_job", first, frequent=True)
_add_throughput = Statement[None]("worker/add_throughput", first, frequent=True)
_totals = Statement[tuple[str, int]]("worker/totals", lambda row: (row[0], row[1]))
_states = Statement[tuple[str, str, int]]("worker/states", lambda row: (row[0], row[1], row[2]))

_SLICES = {"slice_seconds": SLICE_SECONDS, "slices": SLICES}


async def register(
    connection: Connection,
    *,
    id: UUID,
    kind: str,
    account_id: UUID | None,
    room: str | None,
    capacity: int,
    info: str,
    resources: str | None,
    seconds_left: float | None,
    lease_seconds: float,
    attached: bool,
    api_token: UUID | None,
) -> int:
    """The worker's first incarnation."""
    incarnation = await _register.one(
        connection,
        id=id,
        kind=kind,
        account_id=account_id,
        room=room,
        capacity=capacity,
        info=info,
        resources=resources,
        seconds_left=seconds_left,
        lease_seconds=lease_seconds,
        attached=attached,
        api_token=api_token,
    )
    assert incarnation is not None
    return incarnation


async def register_again(
    connection: Connection,
    *,
    id: UUID,
    kind: str,
    account_id: UUID | None,
    room: str | None,
    capacity: int,
    info: str,
    resources: str | None,
    seconds_left: float | None,
    lease_seconds: float,
    attached: bool,
    api_token: UUID | None,
) -> int | None:
    """The worker's new incarnation; none when there is no such worker of this account."""
    return await _register_again.one(
        connection,
        id=id,
        kind=kind,
        account_id=account_id,
        room=room,
        capacity=capacity,
        info=info,
        resources=resources,
        seconds_left=seconds_left,
        lease_seconds=lease_seconds,
        attached=attached,
        api_token=api_token,
    )


async def offer(connection: Connection, *, worker_id: UUID, extension_ids: Sequence[int]) -> None:
    await _offer.run(connection, worker_id=worker_id, extension_ids=Integers(extension_ids))


async def lock(connection: Connection, id: UUID) -> LockedWorker:
    """The worker, its row locked until the transaction ends."""
    return await _lock.one(connection, id=id) or LockedWorker(False, 0, 0)


async def has_waiting_job(connection: Connection, id: UUID) -> bool:
    """Whether any job waits that this worker could take."""
    return bool(await _has_waiting_job.one(connection, id=id))


async def next_idle(connection: Connection, *, extension_id: int, tried: Sequence[UUID] = ()) -> UUID | None:
    return await _next_idle.one(connection, extension_id=extension_id, tried=Uuids(tried))


async def heartbeat(connection: Connection, *, id: UUID, incarnation: int, lease_seconds: float) -> bool:
    return await _heartbeat.one(connection, id=id, incarnation=incarnation, lease_seconds=lease_seconds) is not None


async def has_unseen_job(connection: Connection, id: UUID, *, seconds: float) -> bool:
    """Whether it has held a job for longer than `seconds`."""
    return bool(await _has_unseen_job.one(connection, id=id, seconds=seconds))


async def attach(
    connection: Connection,
    *,
    id: UUID,
    incarnation: int,
    socket: str,
    server: int | None,
    lease_seconds: float,
) -> bool:
    row = await _attach.one(
        connection, id=id, incarnation=incarnation, socket=socket, server=server, lease_seconds=lease_seconds
    )
    return row is not None


async def detach(connection: Connection, *, id: UUID, incarnation: int, socket: str) -> bool:
    """Whether the worker was attached with this socket."""
    return await _detach.one(connection, id=id, incarnation=incarnation, socket=socket) is not None


async def detached(connection: Connection, ids: Sequence[UUID]) -> list[UUID]:
    """Those of these workers that count as detached."""
    return await _detached.all(connection, ids=Uuids(ids))


async def drain(connection: Connection, id: UUID) -> bool:
    return await _drain.one(connection, id=id) is not None


async def end(connection: Connection, ids: Sequence[UUID], *, reason: str) -> list[UUID]:
    """Those of these workers that had not ended before."""
    return await _end.all(connection, ids=Uuids(ids), reason=reason)


async def of_room_with_access(connection: Connection, room: str) -> list[ServingWorker]:
    return await _of_room_with_access.all(connection, room=room)


async def of_account(connection: Connection, account_id: UUID) -> list[UUID]:
    return await _of_account.all(connection, account_id=account_id)


async def expire(
    connection: Connection, kinds: Sequence[str], *, grace_seconds: float, lease_seconds: float, gap_seconds: float
) -> list[UUID]:
    return await _expire.all(
        connection,
        kinds=list(kinds),
        grace_seconds=grace_seconds,
        lease_seconds=lease_seconds,
        gap_seconds=gap_seconds,
    )


async def record_window(connection: Connection, kinds: Sequence[str], *, gap_seconds: float, anew: bool) -> None:
    """Heartbeats of these kinds can arrive now; with `anew` the window starts now."""
    await _record_window.run(connection, kinds=list(kinds), gap_seconds=gap_seconds, anew=anew)


async def detach_orphans(connection: Connection, *, without_server: bool) -> list[UUID]:
    """Detach the remote workers whose server no longer runs; with `without_server` also those that never had one."""
    return await _detach_orphans.all(connection, without_server=without_server)


async def prune(connection: Connection, *, seconds: float, limit: int) -> int:
    return await _prune.run(connection, seconds=seconds, limit=limit)


async def get(connection: Connection, id: UUID) -> WorkerRow | None:
    return await _get.one(connection, id=id, room=None, **_SLICES)


async def of_room(connection: Connection, room: str | None) -> list[WorkerRow]:
    """The workers a room sees; all of them when none is named."""
    return await _get.all(connection, id=None, room=room, **_SLICES)


async def add_throughput(
    connection: Connection, ids: Sequence[UUID], *, ended: Sequence[int], failed: Sequence[int]
) -> None:
    """Add ended and failed attempts to the throughput of these workers."""
    await _add_throughput.run(connection, ids=Uuids(ids), ended=Integers(ended), failed=Integers(failed), **_SLICES)


async def rooms_to_notify(connection: Connection, ids: Sequence[UUID]) -> list[str | None]:
    return await _rooms_to_notify.all(connection, ids=Uuids(ids))


async def totals(connection: Connection) -> dict[str, int]:
    """Workers online, by kind."""
    return dict(await _totals.all(connection))


async def states(connection: Connection) -> list[tuple[str, str, int]]:
    """How many workers have not ended, by kind and state (idle, busy, draining, away)."""
    return await _states.all(connection)


async def find_online(connection: Connection, extension_id: int) -> UUID | None:
    return await _find_online.one(connection, extension_id=extension_id)
