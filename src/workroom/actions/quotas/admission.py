"""Checks of quotas before something is stored or queued.

Jobs, calls and bytes are checked against a copy of the usage that the engine keeps for each account and room: a query
for each job would cost too much. The engine adds to the copy what it admits, and loads it anew every ten seconds, and
earlier once half of what was left is used. So several processes together exceed a quota by at most what they admit in
that time. Rooms and workers, which are rarely created, are counted in the transaction that creates them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.quotas.limits import load_account_usage, load_room_usage
from workroom.actions.quotas.usage_cache import CachedUsage
from workroom.domain.quotas import Usage
from workroom.store import accounts
from workroom.store.statement import Connection


async def admit_jobs(engine: Engine, account_id: UUID, room: str | None, count: int = 1) -> None:
    """Admit jobs of an account in a room, or raise QuotaExceeded."""
    await _admit(engine, account_id, room, "jobs", count)


async def admit_calls(engine: Engine, account_id: UUID, room: str | None, count: int) -> None:
    """Admit calls of a posting, or raise QuotaExceeded."""
    await _admit(engine, account_id, room, "calls", count)


async def admit_room(transaction: Transaction, engine: Engine, owner: UUID, *, copy_of: str | None = None) -> None:
    """Check, in the transaction that creates a room, that its owner may have one more. A copy takes as many bytes."""
    if engine.quotas is None:
        return
    # Locked, so that two requests cannot both create the last room.
    await accounts.lock(transaction.connection, owner)
    usage = await load_account_usage(transaction.connection, engine.quotas, owner)
    usage.check("rooms", 1)
    if copy_of is not None:
        source, _ = await load_room_usage(transaction.connection, engine.quotas, copy_of)
        usage.check("bytes", source.used["bytes"])


async def admit_worker(transaction: Transaction, engine: Engine, account_id: UUID | None, room: str | None) -> None:
    """Check, in the transaction that registers a new worker, that its account and its room may have one more.

    The row of the account is locked, so that two requests cannot both register the last worker.
    """
    if engine.quotas is None or account_id is None:
        return
    usage = await load_account_usage(transaction.connection, engine.quotas, account_id)
    usage.check("workers", 1)
    if room is not None:
        usage, _ = await load_room_usage(transaction.connection, engine.quotas, room)
        usage.check("workers", 1)


@dataclass(slots=True)
class StorageClaim:
    """Bytes and frames that a write has been admitted so far."""

    engine: Engine
    room: str
    bytes: int = 0
    frames: int = 0

    async def add(self, connection: Connection, *, bytes: int, frames: int = 0) -> None:
        """Admit more, or raise StorageQuotaExceeded. The connection is the write's own: a second might not be free."""
        if self.engine.quotas is None:
            self.bytes += bytes
            return
        await self._admit(connection, "bytes", bytes)
        self.bytes += bytes
        if frames:
            await self._admit(connection, "frames", frames)
            self.frames += frames

    def release(self) -> None:
        """The write failed, and nothing of it is stored: the next write loads the usage anew."""
        if not self.bytes and not self.frames:
            return
        room = self.engine.usage_cache.pop(self.room)
        if room is not None and room.owner is not None:
            self.engine.usage_cache.pop(room.owner)
        self.bytes = self.frames = 0

    async def confirm(self, connection: Connection) -> None:
        """Check a long upload again when the room is locked: others may have been admitted at the same time."""
        if self.engine.quotas is None:
            return
        usage, owner_id = await load_room_usage(connection, self.engine.quotas, self.room)
        usage.check("bytes", self.bytes)
        usage.check("frames", self.frames)
        if owner_id is not None:
            (await load_account_usage(connection, self.engine.quotas, owner_id)).check("bytes", self.bytes)

    async def _admit(self, connection: Connection, quota: str, added: int) -> None:
        engine = self.engine
        room = engine.usage_cache.get(self.room)
        if room is None or not room.serves(quota, added):
            usage, owner_id = await load_room_usage(connection, engine.quotas, self.room)
            # This write is not committed yet, so the usage does not contain it.
            usage.used["bytes"] += self.bytes
            usage.used["frames"] += self.frames
            room = _store(engine, self.room, usage, owner_id)
        room.usage.check(quota, added)
        if quota == "bytes" and room.owner is not None:
            owner = engine.usage_cache.get(room.owner)
            if owner is None or not owner.serves(quota, added):
                usage = await load_account_usage(connection, engine.quotas, room.owner)
                usage.used["bytes"] += self.bytes
                owner = _store(engine, room.owner, usage, None)
            owner.usage.check(quota, added)
            owner.usage.used[quota] += added
        room.usage.used[quota] += added


async def _admit(engine: Engine, account_id: UUID, room: str | None, quota: str, added: int) -> None:
    if engine.quotas is None:
        return
    usages = [await _recent_usage(engine, account_id, quota, added)]
    if room is not None:
        usages.append(await _recent_usage(engine, room, quota, added))
    for usage in usages:
        usage.check(quota, added)
    for usage in usages:
        usage.used[quota] += added


async def _recent_usage(engine: Engine, key: UUID | str, quota: str, added: int) -> Usage:
    """The usage of an account or a room, from the cache if that is recent enough."""
    cached = engine.usage_cache.get(key)
    if cached is None or not cached.serves(quota, added):
        async with engine.database.connection() as connection:
            if isinstance(key, UUID):
                usage, owner = await load_account_usage(connection, engine.quotas, key), None
            else:
                usage, owner = await load_room_usage(connection, engine.quotas, key)
        cached = _store(engine, key, usage, owner)
    return cached.usage


def _store(engine: Engine, key: UUID | str, usage: Usage, owner: UUID | None) -> CachedUsage:
    cached = CachedUsage(usage, owner, time.monotonic(), {quota: usage.left(quota) for quota in usage.used})
    engine.usage_cache.put(key, cached)
    return cached
