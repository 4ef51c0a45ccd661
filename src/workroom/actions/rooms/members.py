"""Members of a room, and share links by which users become members.

The secret of a share link is shown once, to the user who creates it. Only its hash is stored.
"""

from __future__ import annotations

import hashlib
import secrets
from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import MembersChanged
from workroom.actions.rooms.locks import delete_locks_without_right
from workroom.actions.rooms.rooms import audit_if_admin
from workroom.actions.workers.revoke import end_workers_without_right, settle
from workroom.domain.errors import BadInput, Conflict, Forbidden, NotFound
from workroom.domain.names import account_name
from workroom.domain.rooms.rights import Rights
from workroom.store import accounts
from workroom.store.accounts import AccountRow
from workroom.store.room_tables import rooms, share_links
from workroom.store.room_tables.rooms import MemberRow
from workroom.store.room_tables.share_links import LinkRow
from workroom.store.statement import Connection


async def list_members(engine: Engine, room: str) -> list[MemberRow]:
    async with engine.database.connection() as connection:
        return await rooms.members(connection, room)


async def put_member(engine: Engine, room: str, *, actor: UUID, who: str, rights: Rights) -> MemberRow:
    """Add a member or change their rights. `who` is the id or the name of an account.

    The workers of a member who may no longer offer extensions end in the same transaction.
    """
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> MemberRow:
        await rooms.lock_for_change(transaction.connection, room)
        account = await _find_account(transaction.connection, who)
        added_at = await rooms.put_member(transaction.connection, room=room, account_id=account.id, rights=rights)
        if added_at is None:
            raise Conflict(f"{account.name} created this room and always owns it.")
        await audit_if_admin(transaction, actor, "room.member", room, account=account.name, rights=rights)
        transaction.record(MembersChanged(room, (account.id,)))
        await rooms.forget_removal(transaction.connection, room=room, account_id=account.id)
        await delete_locks_without_right(transaction, room)
        ended[:] = await end_workers_without_right(transaction, room)
        return MemberRow(account.id, account.name, rights, False, added_at)

    member = await engine.transaction(work)
    await settle(engine, ended)
    return member


async def remove_member(engine: Engine, room: str, *, actor: UUID, who: str, may_remove_others: bool) -> None:
    """Remove a member, delete their locks, and end their workers in the room.

    Every member may remove themselves; removing others needs the rights of an owner. A member who was removed by an
    owner cannot come back by a share link from before, and the share links that they created are deleted.
    """

    async def work(transaction: Transaction) -> list[UUID]:
        await rooms.lock_for_change(transaction.connection, room)
        account = await _find_account(transaction.connection, who)
        if account.id != actor and not may_remove_others:
            raise Forbidden("Only an owner of the room removes other members.")
        if not await rooms.remove_member(transaction.connection, room=room, account_id=account.id):
            raise NotFound(f"{account.name} is not on the list of members.")
        if account.id != actor:
            await rooms.record_removal(transaction.connection, room=room, account_id=account.id)
            await share_links.delete_of_creator(transaction.connection, room=room, created_by=account.id)
            await audit_if_admin(transaction, actor, "room.remove_member", room, account=account.name)
        transaction.record(MembersChanged(room, (account.id,)))
        await delete_locks_without_right(transaction, room)
        return await end_workers_without_right(transaction, room)

    await settle(engine, await engine.transaction(work))


async def create_share_link(
    engine: Engine, room: str, *, actor: UUID, rights: Rights, seconds: float | None
) -> tuple[LinkRow, str]:
    """Create a share link. Returns the link and its secret."""
    secret = secrets.token_urlsafe(32)

    async def work(transaction: Transaction) -> LinkRow:
        made = await share_links.create(
            transaction.connection,
            id=new_id(),
            room=room,
            token_hash=_token_hash(secret),
            rights=rights,
            created_by=actor,
            seconds=seconds,
        )
        await record_audit(transaction, actor, "room.link", room, rights=rights, seconds=seconds, id=str(made.id))
        return made

    return await engine.transaction(work), secret


async def list_share_links(engine: Engine, room: str) -> list[LinkRow]:
    """The share links of a room that have not expired."""
    async with engine.database.connection() as connection:
        return await share_links.of_room(connection, room)


async def delete_share_link(engine: Engine, room: str, link_id: UUID, *, actor: UUID) -> None:
    """Delete a share link. Users who joined by it stay members."""

    async def work(transaction: Transaction) -> None:
        if not await share_links.delete(transaction.connection, id=link_id, room=room):
            raise NotFound("There is no such link.")
        await record_audit(transaction, actor, "room.remove_link", room, id=str(link_id))

    await engine.transaction(work)


async def delete_share_links(engine: Engine, room: str, *, actor: UUID) -> None:
    """Delete all share links of a room. Users who joined by them stay members."""

    async def work(transaction: Transaction) -> None:
        if count := await share_links.delete_of_room(transaction.connection, room):
            await record_audit(transaction, actor, "room.remove_links", room, links=count)

    await engine.transaction(work)


async def join_by_link(engine: Engine, secret: str, *, account_id: UUID) -> str:
    """Become a member by the secret of a share link. Returns the name of the room."""

    async def work(transaction: Transaction) -> str:
        used = await share_links.use(transaction.connection, token_hash=_token_hash(secret), account_id=account_id)
        if used is None:
            raise NotFound("This link does not work: it is unknown, has expired or was deleted. Ask for a new one.")
        if used.refused:
            raise Forbidden("An owner removed you from this room. Ask them for a new link, or to add you again.")
        if used.changed:
            transaction.record(MembersChanged(used.room, (account_id,)))
        return used.room

    return await engine.transaction(work)


async def _find_account(connection: Connection, who: str) -> AccountRow:
    """The account with this id or name."""
    row = None
    if (account_id := _as_id(who)) is not None:
        row = await accounts.get(connection, account_id)
    elif _is_name(who):
        row = await accounts.find(connection, who)
    if row is None:
        raise NotFound("There is no such account.")
    return row


def _as_id(who: str) -> UUID | None:
    try:
        return UUID(who)
    except ValueError:
        return None


def _is_name(who: str) -> bool:
    try:
        return bool(account_name(who))
    except BadInput:
        return False


def _token_hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
