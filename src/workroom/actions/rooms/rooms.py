"""Rooms: create, list, update and duplicate; their thumbnails; load the access of an account."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import MembersChanged, RoomChanged
from workroom.actions.quotas.admission import admit_room
from workroom.actions.rooms.locks import delete_locks_without_right
from workroom.actions.workers.revoke import end_workers_without_right, settle
from workroom.domain.errors import NotFound
from workroom.domain.names import room_name
from workroom.domain.rooms.rights import Rights, no_such_room
from workroom.domain.rooms.thumbnail import thumbnail_type
from workroom.store.paging import Listed
from workroom.store.room_tables import changes, rooms, thumbnails
from workroom.store.room_tables.rooms import ListedRoomRow, RoomAccessRow, RoomRow
from workroom.store.room_tables.thumbnails import ThumbnailRow


async def load_access(
    engine: Engine, *, room: str, account_id: UUID, epoch: int | None, api_token: UUID | None = None
) -> RoomAccessRow | None:
    """The account of a token and its access to a room, in one statement. None if the token was revoked."""
    async with engine.database.connection() as connection:
        return await rooms.load_access(connection, room=room, account_id=account_id, epoch=epoch, api_token=api_token)


async def load_access_for_job(
    engine: Engine, *, room: str, job_id: UUID, worker_id: UUID, attempt: int
) -> RoomAccessRow | None:
    """The same for the submitter of a job. None if another attempt has the job."""
    async with engine.database.connection() as connection:
        return await rooms.load_access_for_job(
            connection, room=room, job_id=job_id, worker_id=worker_id, attempt=attempt
        )


async def get_room(engine: Engine, room: str, *, account_id: UUID) -> RoomRow:
    """A room, with the rights of an account in it."""
    async with engine.database.connection() as connection:
        row = await rooms.get(connection, room, account_id=account_id)
    if row is None:
        raise no_such_room()
    return row


async def list_rooms(
    engine: Engine,
    *,
    account_id: UUID,
    is_admin: bool,
    search: str,
    archived: bool | None = None,
    sort: str = "name",
    limit: int,
    offset: int,
) -> Listed[ListedRoomRow]:
    """The rooms an account may see whose name or description contains the search text; archived or not, or both."""
    async with engine.database.connection() as connection:
        return await rooms.page(
            connection,
            account_id=account_id,
            all=is_admin,
            search=search,
            archived=archived,
            sort=sort,
            limit=limit,
            offset=offset,
        )


async def create_room(
    engine: Engine, *, owner: UUID, name: str, description: str, visibility: str, extensions_from: str = "members"
) -> RoomRow:
    """Create a room; NameTaken if the name is in use."""
    room_name(name)

    async def work(transaction: Transaction) -> RoomRow:
        await admit_room(transaction, engine, owner)
        await rooms.create(
            transaction.connection,
            name=name,
            owner_id=owner,
            description=description,
            visibility=visibility,
            extensions_from=extensions_from,
        )
        await record_audit(transaction, owner, "room.create", name, visibility=visibility)
        transaction.record(RoomChanged(name))
        return await _get_for(transaction, name, owner)

    return await engine.transaction(work)


async def duplicate(engine: Engine, *, source: str, name: str, owner: UUID) -> RoomRow:
    """Copy a room: its description, visibility, trajectory and items, but not its members."""
    room_name(name)

    async def work(transaction: Transaction) -> RoomRow:
        # Locked, so that no write happens while the room is copied.
        await changes.lock_room_data(transaction.connection, source)
        await admit_room(transaction, engine, owner, copy_of=source)
        if not await rooms.duplicate(transaction.connection, source=source, name=name, owner_id=owner):
            raise no_such_room()
        await record_audit(transaction, owner, "room.create", name, copyOf=source)
        transaction.record(RoomChanged(name))
        return await _get_for(transaction, name, owner)

    return await engine.transaction(work)


async def update_room(
    engine: Engine,
    room: str,
    *,
    actor: UUID,
    description: str | None = None,
    visibility: str | None = None,
    locked: bool | None = None,
    extensions_from: str | None = None,
    archived: bool | None = None,
) -> RoomRow:
    """Change the description, the visibility, the flags of a room, or who may offer extensions in it.

    Workers of accounts that may no longer offer extensions end in the same transaction.
    """
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> RoomRow:
        connection = transaction.connection
        changed = await rooms.update(
            connection,
            room,
            description=description,
            visibility=visibility,
            locked=locked,
            extensions_from=extensions_from,
            archived=archived,
        )
        if not changed:
            raise no_such_room()
        if visibility is not None:
            transaction.record(MembersChanged(room, ()))
        transaction.record(RoomChanged(room))
        if visibility is not None or extensions_from is not None:
            await delete_locks_without_right(transaction, room)
            ended[:] = await end_workers_without_right(transaction, room)
        return await audit_if_admin(
            transaction,
            actor,
            "room.change",
            room,
            visibility=visibility,
            locked=locked,
            extensionsFrom=extensions_from,
        )

    row = await engine.transaction(work)
    await settle(engine, ended)
    return row


async def save_thumbnail(engine: Engine, room: str, image: bytes) -> None:
    """Replace the picture of a room in lists. It is no change of the room: the history has no entry, and no undo."""
    media_type = thumbnail_type(image)

    async def work(transaction: Transaction) -> None:
        if not await thumbnails.put(transaction.connection, room, media_type=media_type, image=image):
            raise no_such_room()

    await engine.transaction(work)


async def load_thumbnail(engine: Engine, room: str) -> ThumbnailRow:
    async with engine.database.connection() as connection:
        row = await thumbnails.get(connection, room)
    if row is None:
        raise NotFound("This room has no thumbnail yet.")
    return row


async def audit_if_admin(transaction: Transaction, actor: UUID, act: str, room: str, **detail: Any) -> RoomRow:
    """Audit an action of an admin in a room they do not own. Returns the room for the actor."""
    row = await _get_for(transaction, room, actor)
    if not row.owned and row.member_rights != Rights.OWN:
        await record_audit(transaction, actor, act, room, **detail)
    return row


async def _get_for(transaction: Transaction, room: str, account_id: UUID) -> RoomRow:
    row = await rooms.get(transaction.connection, room, account_id=account_id)
    assert row is not None
    return row
