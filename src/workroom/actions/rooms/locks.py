"""Locks on parts of a room: acquire, refresh, release, and delete those that expired.

Each of these locks the `room_data` row of the room, as every write does. So a grant happens before or after a write,
never during one. A write checks the locks of others in `write_transaction.begin_write`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import LockFreed, LockHeld
from workroom.actions.rooms.write_transaction import WriteContext, lock_room, locked_error, require_attempt, token_hash
from workroom.domain.errors import LockLost
from workroom.domain.rooms.locks import TTL_SECONDS, lock_target
from workroom.domain.rooms.rights import Rights, rights_in_room
from workroom.store.room_tables import changes, locks
from workroom.store.room_tables.locks import LockRow

# Derives the token of a grant from its id and the server's secret. Only the hash of the token is stored.
TokenOf = Callable[[UUID], str]


@dataclass(frozen=True, slots=True)
class LockRequest:
    """A request for a lock."""

    target: str
    client: str
    message: str = ""
    ttl_seconds: float | None = None  # none: as before, or the default for a new lock


@dataclass(frozen=True, slots=True)
class Grant:
    """A lock and its token, which only the holder gets."""

    lock: LockRow
    token: str


async def acquire(engine: Engine, room: str, writer: WriteContext, options: LockRequest, token_of: TokenOf) -> Grant:
    """Acquire a lock. A client that already holds it gets the same grant with a later expiry."""
    target = lock_target(options.target)

    async def work(transaction: Transaction) -> Grant:
        await lock_room(transaction, room)
        await require_attempt(transaction, writer)
        lock = await _acquire(transaction, room, target, writer, options, token_of)
        transaction.record(LockHeld(lock))
        return Grant(lock, token_of(lock.grant_id))

    return await engine.transaction(work)


async def refresh(
    engine: Engine, room: str, target: str, token: str, *, message: str | None = None, ttl_seconds: float | None = None
) -> LockRow:
    """Extend a lock, and set its message if one is given. LockLost if the caller no longer holds it."""
    target = lock_target(target)

    async def work(transaction: Transaction) -> LockRow:
        await lock_room(transaction, room)
        lock = await locks.refresh(
            transaction.connection,
            room=room,
            target=target,
            token_hash=token_hash(token),
            message=message,
            ttl_seconds=ttl_seconds,
        )
        if lock is None:
            raise LockLost(target=target)
        transaction.record(LockHeld(lock))
        return lock

    return await engine.transaction(work)


async def release(engine: Engine, room: str, target: str, token: str) -> None:
    """Release a lock. LockLost if the caller no longer holds it."""
    target = lock_target(target)

    async def work(transaction: Transaction) -> None:
        await lock_room(transaction, room)
        if not await locks.release(transaction.connection, room=room, target=target, token_hash=token_hash(token)):
            raise LockLost(target=target)
        transaction.record(LockFreed(room, target))

    await engine.transaction(work)


async def list_locks(engine: Engine, room: str) -> list[LockRow]:
    """The locks of a room."""
    async with engine.database.connection() as connection:
        return await locks.of_room(connection, room)


async def client_disconnected(engine: Engine, holder: UUID, client: str) -> None:
    """The last socket of a client closed: its locks are deleted unless it reconnects within the grace period."""
    async with engine.database.connection() as connection:
        await locks.mark_disconnected(connection, holder=holder, client=client)


async def client_reconnected(engine: Engine, holder: UUID, client: str) -> None:
    """A client connected again: its locks stay."""
    async with engine.database.connection() as connection:
        await locks.mark_reconnected(connection, holder=holder, client=client)


async def delete_expired_locks(engine: Engine) -> int:
    """Delete locks that expired, whose job ended, or whose client did not reconnect. Returns how many."""
    async with engine.database.connection() as connection:
        rooms = await locks.rooms_with_expired(connection, grace_seconds=engine.timing.grace)
    return sum([await _delete_expired_in_room(engine, room) for room in rooms])


async def _delete_expired_in_room(engine: Engine, room: str) -> int:
    async def work(transaction: Transaction) -> int:
        # Skip a room that is being written: a long upload must not delay the other rooms.
        if await changes.try_lock_room_data(transaction.connection, room) is None:
            return 0
        freed = await locks.delete_expired(transaction.connection, room, grace_seconds=engine.timing.grace)
        for target in freed:
            transaction.record(LockFreed(room, target))
        return len(freed)

    return await engine.transaction(work)


async def _acquire(
    transaction: Transaction, room: str, target: str, writer: WriteContext, options: LockRequest, token_of: TokenOf
) -> LockRow:
    grant_id = new_id()
    while True:
        lock = await locks.acquire(
            transaction.connection,
            room=room,
            target=target,
            holder=writer.account_id,
            client=options.client,
            job_id=writer.job and writer.job.job_id,
            attempt=writer.job and writer.job.attempt,
            grant_id=grant_id,
            token_hash=token_hash(token_of(grant_id)),
            message=options.message or None,
            ttl_seconds=options.ttl_seconds,
            default_seconds=TTL_SECONDS,
        )
        if lock is not None:
            return lock
        held = await locks.find(transaction.connection, room=room, target=target)
        if held is not None:  # none: it expired between the two statements, so try again
            raise locked_error(target, held.holder_name, held.message, held.expires_at)


async def delete_locks_without_right(transaction: Transaction, room: str) -> None:
    """Delete the locks of a room whose holders may no longer write there."""
    await lock_room(transaction, room)
    held = await locks.of_room_with_access(transaction.connection, room)
    lost = [
        lock.target
        for lock in held
        if (rights := rights_in_room(admin=lock.admin, owned=lock.owned, public=lock.public, member=lock.member_rights))
        is None
        or not rights.allows(Rights.WRITE)
    ]
    for target in await locks.delete(transaction.connection, room=room, targets=lost) if lost else ():
        transaction.record(LockFreed(room, target))


async def delete_locks_of(transaction: Transaction, account_id: UUID) -> None:
    """Delete all locks of an account whose tokens were revoked."""
    for room, target in await locks.delete_of_holder(transaction.connection, account_id):
        transaction.record(LockFreed(room, target))
