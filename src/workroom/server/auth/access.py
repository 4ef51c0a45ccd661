"""Who is asking, and what they may.

A token says who; what they may is read from the database with every request, in one statement. Somebody who may not
see a room gets the same answer as if there were none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path

from workroom.actions.accounts.accounts import account_of_job, recognise
from workroom.actions.rooms.rooms import load_access, load_access_for_job
from workroom.domain.errors import AdminNeeded, AttemptLost, NotSignedIn, WorkroomError
from workroom.domain.names import room_name
from workroom.domain.rooms.rights import Rights, check_rights, no_such_room, rights_in_room
from workroom.server.auth.bearer import PersonAuth, VisitorToken
from workroom.server.auth.tokens import JobToken, PersonToken
from workroom.server.context import Context, ServerContext
from workroom.store.room_tables.rooms import AccessSnapshot, RoomAccessRow

# What a job is, as a visitor: never an admin, whoever submitted it.
JOB = "job"


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who is signed in."""

    account_id: UUID
    name: str
    role: str  # guest, user or admin; `job` for a job that acts for the account

    @property
    def is_admin(self) -> bool:
        return self.role == "admin"


@dataclass(frozen=True, slots=True)
class RoomAccess:
    """Somebody in a room, and what they may there."""

    principal: Principal
    room: str
    rights: Rights
    job: JobToken | None  # set when it is a job that asks
    snapshot: AccessSnapshot | None = None  # set when this is only what was true a moment ago


async def load_principal(context: ServerContext, token: PersonToken) -> Principal:
    """The account a token names."""
    row = await recognise(context.engine, token.account_id, token.epoch)
    if row is None:
        raise NotSignedIn
    return Principal(row.id, row.name, row.role)


async def authorize(context: ServerContext, token: PersonToken | JobToken, room: str, needed: Rights) -> RoomAccess:
    """Let somebody into a room who has the rights needed there."""
    if not _can_be_a_room(room):
        raise no_such_room()
    if isinstance(token, JobToken):
        return await _enter_as_job(context, token, room, needed)
    row = await load_access(context.engine, room=room, account_id=token.account_id, epoch=token.epoch)
    if row is None:
        raise NotSignedIn
    context.access_cache.put(token, room, row)
    return _grant(row, room, needed)


def authorize_from_cache(
    context: ServerContext, token: PersonToken | JobToken, room: str, needed: Rights
) -> RoomAccess | None:
    """The visit of somebody who was let in a moment ago, without looking again: who goes by it must check `seen`."""
    if not isinstance(token, PersonToken):
        return None
    row = context.access_cache.get(token, room)
    if row is None or row.visibility is None or row.locked is None:
        return None
    try:
        found = _grant(row, room, needed)
    except WorkroomError:
        return None
    return replace(
        found, snapshot=AccessSnapshot(token.epoch, row.role, row.visibility, row.locked, row.owned, row.member_rights)
    )


def _grant(row: RoomAccessRow, room: str, needed: Rights) -> RoomAccess:
    rights = check_rights(_rights(row), needed, locked=bool(row.locked))
    return RoomAccess(Principal(row.account_id, row.name, row.role), room, rights, None)


async def _enter_as_job(context: ServerContext, token: JobToken, room: str, needed: Rights) -> RoomAccess:
    """A job writes in its own room while its attempt lasts; in a locked one only if its submitter owns the room."""
    if room != token.room:
        raise no_such_room()
    row = await load_access_for_job(
        context.engine, room=room, job_id=token.job_id, worker_id=token.worker_id, attempt=token.attempt
    )
    if row is None:
        raise AttemptLost(jobId=str(token.job_id), attempt=token.attempt)
    locked = bool(row.locked) and _rights(row) is not Rights.OWN
    rights = check_rights(Rights.WRITE, needed, locked=locked)
    return RoomAccess(Principal(row.account_id, row.name, JOB), room, rights, token)


def _rights(row: RoomAccessRow) -> Rights | None:
    if row.visibility is None:
        return None
    return rights_in_room(
        admin=row.role == "admin", owned=bool(row.owned), public=row.visibility == "public", member=row.member_rights
    )


def _can_be_a_room(name: str) -> bool:
    try:
        return bool(room_name(name))
    except WorkroomError:
        return False


async def _person(context: Context, token: PersonAuth) -> Principal:
    return await load_principal(context, token)


Person = Annotated[Principal, Depends(_person)]


async def _actor(context: Context, token: VisitorToken) -> Principal:
    if isinstance(token, PersonToken):
        return await load_principal(context, token)
    return await load_submitter(context, token)


async def load_submitter(context: ServerContext, token: JobToken) -> Principal:
    """On whose behalf a job acts, while its attempt lasts; never with an admin's power."""
    row = await account_of_job(context.engine, job_id=token.job_id, worker_id=token.worker_id, attempt=token.attempt)
    if row is None:
        raise AttemptLost(jobId=str(token.job_id), attempt=token.attempt)
    return Principal(row.id, row.name, JOB)


Actor = Annotated[Principal, Depends(_actor)]


async def _admin(visitor: Person) -> Principal:
    if not visitor.is_admin:
        raise AdminNeeded
    return visitor


RoomName = Annotated[str, Path(description="The room's name.", examples=["my-room"])]


def _with(needed: Rights) -> Callable[..., Awaitable[RoomAccess]]:
    async def let_in(context: Context, token: VisitorToken, room: RoomName) -> RoomAccess:
        return await authorize(context, token, room, needed)

    return let_in


Admin = Annotated[Principal, Depends(_admin)]
Reader = Annotated[RoomAccess, Depends(_with(Rights.READ))]
Writer = Annotated[RoomAccess, Depends(_with(Rights.WRITE))]
Owner = Annotated[RoomAccess, Depends(_with(Rights.OWN))]
