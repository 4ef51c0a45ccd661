"""The usage and the limits of accounts and rooms; admins set limits."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.quotas import ACCOUNT_QUOTAS, LARGEST, ROOM_QUOTAS, QuotaDefaults, Usage
from workroom.domain.rooms.rights import no_such_room
from workroom.store import accounts, quotas
from workroom.store.paging import Listed
from workroom.store.quotas import RoomSpaceRow
from workroom.store.statement import Connection

# More unfinished jobs than this are not counted one by one.
_MOST_JOBS = 2_000_000


async def account_usage(engine: Engine, account_id: UUID) -> Usage:
    """What an account uses of each quota."""
    async with engine.database.connection() as connection:
        return await load_account_usage(connection, engine.quotas, account_id)


async def room_usage(engine: Engine, room: str) -> Usage:
    """What a room uses of each quota."""
    async with engine.database.connection() as connection:
        usage, _ = await load_room_usage(connection, engine.quotas, room)
    return usage


async def rooms_by_size(engine: Engine, *, limit: int, offset: int) -> Listed[RoomSpaceRow]:
    """Rooms with the space they take, the largest first. Frames that duplicated rooms share count in each."""
    async with engine.database.connection() as connection:
        return await quotas.rooms_by_size(connection, limit=limit, offset=offset)


async def set_account_quotas(
    engine: Engine, *, actor: UUID, account_id: UUID, values: Mapping[str, int | None]
) -> Usage:
    """Set limits of an account; None restores the default."""
    _check(values, ACCOUNT_QUOTAS)

    async def work(transaction: Transaction) -> Usage:
        account = await accounts.lock(transaction.connection, account_id)
        if account is None:
            raise NotFound("There is no such account.")
        await _set(transaction, account_id=account_id, room=None, values=values)
        await record_audit(transaction, actor, "quota.account", account.name, id=str(account_id), **dict(values))
        return await load_account_usage(transaction.connection, engine.quotas, account_id)

    usage = await engine.transaction(work)
    engine.usage_cache.clear()
    return usage


async def set_room_quotas(engine: Engine, *, actor: UUID, room: str, values: Mapping[str, int | None]) -> Usage:
    """Set limits of a room; None restores the default."""
    _check(values, ROOM_QUOTAS)

    async def work(transaction: Transaction) -> Usage:
        await load_room_usage(transaction.connection, engine.quotas, room)
        await _set(transaction, account_id=None, room=room, values=values)
        await record_audit(transaction, actor, "quota.room", room, **dict(values))
        usage, _ = await load_room_usage(transaction.connection, engine.quotas, room)
        return usage

    usage = await engine.transaction(work)
    engine.usage_cache.clear()
    return usage


async def load_account_usage(connection: Connection, defaults: QuotaDefaults | None, account_id: UUID) -> Usage:
    row = await quotas.account_usage(connection, account_id, most_jobs=_MOST_JOBS)
    if row is None:
        raise NotFound("There is no such account.")
    used = {"rooms": row.rooms, "bytes": row.bytes, "jobs": row.jobs, "calls": row.calls, "workers": row.workers}
    return Usage("account", row.name, used, (defaults or QuotaDefaults()).of_account(row.role, row.overrides))


async def load_room_usage(
    connection: Connection, defaults: QuotaDefaults | None, room: str
) -> tuple[Usage, UUID | None]:
    """The usage of a room, and the account that owns it."""
    row = await quotas.room_usage(connection, room, most_jobs=_MOST_JOBS)
    if row is None:
        raise no_such_room()
    used = {"bytes": row.bytes, "frames": row.frames, "jobs": row.jobs, "calls": row.calls, "workers": row.workers}
    return Usage("room", row.name, used, (defaults or QuotaDefaults()).of_room(row.overrides)), row.owner_id


async def _set(
    transaction: Transaction, *, account_id: UUID | None, room: str | None, values: Mapping[str, int | None]
) -> None:
    for name, value in values.items():
        if value is None:
            await quotas.delete(transaction.connection, account_id=account_id, room=room, name=name)
        else:
            await quotas.put(transaction.connection, account_id=account_id, room=room, name=name, value=value)


def _check(values: Mapping[str, int | None], known: Mapping[str, str]) -> None:
    for name, value in values.items():
        if name not in known:
            raise BadInput(f"There is no quota {name!r} here. Choose from {', '.join(known)}.", quota=name)
        if value is not None and not 0 <= value <= LARGEST:
            raise BadInput(f"The quota {name} must be between 0 and {LARGEST:,}.", quota=name)
