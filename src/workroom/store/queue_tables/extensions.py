"""One function for each statement of `sql/extension`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Integers
from workroom.store.statement import Connection, Statement, first


class ExtensionRow(NamedTuple):
    id: int
    scope: str
    room: str | None
    category: str
    name: str
    schema: dict[str, Any]
    schema_hash: str
    concurrency: int | None
    timeout_seconds: float | None
    tries: int
    backoff_base: float
    backoff_cap: float
    on_worker_lost: str
    priority: int
    breaker_failures: int
    breaker_seconds: float
    paused: bool
    resources: dict[str, float] | None = None  # that a job needs of its worker
    owner_id: UUID | None = None


class Registered(NamedTuple):
    id: int
    schema_hash: str
    created: bool  # false: it was there before


class Identity(NamedTuple):
    """What names an extension."""

    id: int
    scope: str
    room: str | None
    category: str
    name: str


class PausedQueue(NamedTuple):
    """The queue of an extension that was paused or resumed."""

    id: int
    scope: str
    room: str | None
    category: str
    name: str
    changed: bool  # false: it was so before


class Locked(NamedTuple):
    """An extension whose row is locked, compared with the settings of a registration."""

    id: int
    schema_hash: str
    removed: bool
    owner_id: UUID | None
    owner: str | None  # the name of the owner
    changed: list[str]  # the settings that differ, as they are named on the wire


class StatsRow(NamedTuple):
    idle_workers: int
    busy_workers: int
    blocked: int
    pending: int
    active: int
    completed: int
    failed: int
    cancelled: int
    run_ms: float | None


class ExtensionListing(NamedTuple):
    """An extension with its workers and its queue."""

    id: int
    scope: str
    room: str | None
    category: str
    name: str
    schema: dict[str, Any]
    schema_hash: str
    timeout_seconds: float | None
    tries: int
    on_worker_lost: str
    priority: int
    concurrency: int | None
    resources: dict[str, float] | None
    paused: bool
    owner_id: UUID | None
    offline_since: datetime | None
    offered_by: str | None  # the account of its last worker, while it is offline
    idle_workers: int
    busy_workers: int
    closed_workers: int  # of these, with an open breaker
    pending: int
    active: int


class AdjustedQueue(NamedTuple):
    """The queue of an extension after an admin has changed it."""

    id: int
    scope: str
    room: str | None
    category: str
    name: str
    concurrency: int | None
    priority: int
    adjusted: bool


class QueueRow(NamedTuple):
    """A queue for the admin page: an extension with its workers and its jobs by state."""

    scope: str
    room: str | None
    category: str
    name: str
    paused: bool
    concurrency: int | None
    priority: int
    adjusted: bool  # an admin has changed concurrency or priority
    breakers_open: int  # workers that get at most a probe
    idle_workers: int
    busy_workers: int
    blocked_jobs: int
    pending_jobs: int
    active_jobs: int
    completed_jobs: int
    failed_jobs: int
    cancelled_jobs: int
    mean_run_ms: float | None


class WaitingQueue(NamedTuple):
    """A queue with waiting or running jobs."""

    scope: str
    room: str | None
    category: str
    name: str
    pending: int
    active: int
    oldest: UUID | None  # the job that waits longest; none when no job waits


class DemandRow(NamedTuple):
    """An extension of which jobs wait."""

    scope: str
    category: str
    name: str
    resources: dict[str, float] | None
    timeout_seconds: float | None
    waiting: int


_register = Statement("extension/register", Registered._make)
_lock_identity = Statement[None]("extension/lock_identity", first)
_lock = Statement("extension/lock", Locked._make, frequent=True)
_find = Statement("extension/find", ExtensionRow._make, frequent=True)
_get = Statement("extension/get", ExtensionRow._make)
_lock_idle = Statement[int]("extension/lock_idle", first)
_mark_offline = Statement[int]("extension/mark_offline", first)
_remove_idle = Statement("extension/remove_idle", Identity._make)
_remove_offline = Statement("extension/remove_offline", Identity._make)
_delete_removed = Statement[None]("extension/delete_removed", first)
_remove_obsolete_builtins = Statement("extension/remove_obsolete_builtins", Identity._make)
_stats = Statement("extension/stats", StatsRow._make)
_fold_job_counts = Statement[None]("extension/fold_job_counts", first)
_list = Statement("extension/list", ExtensionListing._make)
_rooms_to_notify = Statement[str | None]("extension/rooms_to_notify", first)
_stalled = Statement[int]("extension/stalled", first)
_queues = Statement("extension/queues", QueueRow._make)
_set_paused = Statement("extension/set_paused", PausedQueue._make)
_adjust = Statement("extension/adjust", AdjustedQueue._make)
_close_breakers = Statement[UUID]("extension/close_breakers", first)
_demand = Statement("extension/demand", DemandRow._make)
_totals = Statement[tuple[int, ...]]("extension/totals", tuple)
_waiting = Statement("extension/waiting", WaitingQueue._make)


async def register(connection: Connection, **values: Any) -> Registered | None:
    """The registered extension; none when other workers offer a different schema. Takes all columns but the times."""
    return await _register.one(connection, **values)


async def lock_identity(connection: Connection, identity: str) -> None:
    await _lock_identity.run(connection, identity=identity)


async def lock(connection: Connection, **values: Any) -> Locked | None:
    """Takes the identity of the extension, and the settings to compare."""
    return await _lock.one(connection, **values)


async def find(
    connection: Connection, *, room: str | None, category: str, name: str, scope: str | None = None
) -> ExtensionRow | None:
    return await _find.one(connection, room=room, category=category, name=name, scope=scope)


async def get(connection: Connection, id: int) -> ExtensionRow | None:
    return await _get.one(connection, id=id)


async def lock_idle(connection: Connection, ids: Sequence[int] | None, *, offline_seconds: float) -> list[int]:
    """Extensions to mark as offline or to remove, locked; among all extensions when `ids` is none."""
    return await _lock_idle.all(connection, ids=None if ids is None else Integers(ids), offline_seconds=offline_seconds)


async def mark_offline(connection: Connection, ids: Sequence[int], *, offline_seconds: float) -> list[int]:
    """Those of these extensions that were not offline before."""
    return await _mark_offline.all(connection, ids=Integers(ids), offline_seconds=offline_seconds)


async def remove_idle(connection: Connection, ids: Sequence[int], *, offline_seconds: float) -> list[Identity]:
    return await _remove_idle.all(connection, ids=Integers(ids), offline_seconds=offline_seconds)


async def remove_offline(connection: Connection, id: int) -> Identity | None:
    """None when a live worker offers it, or when it was removed before."""
    return await _remove_offline.one(connection, id=id)


async def remove_obsolete_builtins(connection: Connection, kept: Sequence[int]) -> list[Identity]:
    """Remove built-in extensions other than these."""
    return await _remove_obsolete_builtins.all(connection, kept=Integers(kept))


async def stats(connection: Connection, extension_id: int) -> StatsRow:
    row = await _stats.one(connection, extension_id=extension_id)
    assert row is not None
    return row


async def fold_job_counts(connection: Connection) -> int:
    return await _fold_job_counts.run(connection)


async def stalled(connection: Connection) -> list[int]:
    return await _stalled.all(connection)


async def of_room(connection: Connection, room: str, *, category: str | None) -> list[ExtensionListing]:
    return await _list.all(connection, room=room, category=category)


async def rooms_to_notify(connection: Connection, ids: Sequence[int]) -> list[str | None]:
    return await _rooms_to_notify.all(connection, ids=Integers(ids))


async def queues(connection: Connection, *, limit: int) -> list[QueueRow]:
    return await _queues.all(connection, limit=limit)


async def set_paused(connection: Connection, id: int, *, paused: bool) -> PausedQueue | None:
    """None when the extension was removed."""
    return await _set_paused.one(connection, id=id, paused=paused)


async def adjust(
    connection: Connection, id: int, *, concurrency: int | None, priority: int | None, as_registered: bool
) -> AdjustedQueue | None:
    """None when the extension was removed."""
    return await _adjust.one(connection, id=id, concurrency=concurrency, priority=priority, as_registered=as_registered)


async def close_breakers(connection: Connection, id: int) -> list[UUID]:
    """The workers that had failures in a row."""
    return await _close_breakers.all(connection, id=id)


async def waiting(connection: Connection) -> list[WaitingQueue]:
    """Every queue with waiting or running jobs, the fullest first."""
    return await _waiting.all(connection)


async def demand(connection: Connection, *, room: str, account_id: UUID, is_admin: bool, bound: int) -> list[DemandRow]:
    """What waits for workers of this account in a room; the jobs of each extension are counted up to `bound`."""
    return await _demand.all(connection, room=room, account_id=account_id, is_admin=is_admin, bound=bound)


async def totals(connection: Connection) -> dict[str, int]:
    """Jobs by state over all extensions."""
    row = await _totals.one(connection)
    assert row is not None
    return dict(zip(("blocked", "pending", "active", "completed", "failed", "cancelled"), row, strict=True))


async def delete_removed(connection: Connection, *, before: datetime, limit: int) -> int:
    return await _delete_removed.run(connection, before=before, limit=limit)
