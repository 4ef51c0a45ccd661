"""Loads the principal of a token and authorises it in a room.

A token only identifies an account or a job. The rights are read from the database with every request, in one
statement. A caller without the right to read a room gets the same 404 as for a room that does not exist.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path

from workroom.actions.accounts.accounts import account_of_job, authenticate
from workroom.actions.rooms.rooms import load_access, load_access_for_job
from workroom.domain.errors import AdminNeeded, AttemptLost, NotSignedIn, WorkroomError
from workroom.domain.names import room_name
from workroom.domain.rooms.rights import Rights, check_rights, no_such_room, rights_in_room
from workroom.server.auth.bearer import MetricsAuth, PersonAuth, ReaderToken, VisitorToken
from workroom.server.auth.tokens import JobToken, PersonToken, ReadToken
from workroom.server.context import Context, ServerContext
from workroom.store.room_tables.rooms import AccessSnapshot, RoomAccessRow

# The role of a job: it never has the rights of an admin, also when an admin submitted it.
JOB = "job"


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated account, or a job that acts for one."""

    account_id: UUID
    name: str
    role: str  # `guest`, `user` or `admin` of an account; `job` for a job
    worker_owner: UUID | None = None  # for a job: the owner of the worker that runs it; none: the server's own pool

    @property
    def is_admin(self) -> bool:
        return self.role == "admin"


@dataclass(frozen=True, slots=True)
class RoomAccess:
    """A principal, authorised in a room."""

    principal: Principal
    room: str
    rights: Rights
    job: JobToken | None  # set when the caller is a job
    snapshot: AccessSnapshot | None = None  # set when the rights come from the cache; a statement must check them


async def load_principal(context: ServerContext, token: PersonToken) -> Principal:
    """Load the account of a token. Raises NotSignedIn when it is disabled or its tokens were revoked."""
    row = await authenticate(context.engine, token.account_id, token.epoch, token.api_token)
    if row is None:
        raise NotSignedIn
    return Principal(row.id, row.name, _role(row.role, token))


def _role(role: str, token: PersonToken) -> str:
    """The role in which a token acts: an API token of an admin without the scope `admin` is that of a user."""
    return role if token.may_act_as_admin or role != "admin" else "user"


async def authorize(context: ServerContext, token: PersonToken | JobToken, room: str, needed: Rights) -> RoomAccess:
    """Check that the caller has the needed rights in a room. Every request goes through this function.

    The exception is a frequent submit, which `authorize_from_cache` may authorise.
    """
    if not _is_room_name(room):
        raise no_such_room()
    if isinstance(token, JobToken):
        return await _authorize_job(context, token, room, needed)
    row = await load_access(
        context.engine, room=room, account_id=token.account_id, epoch=token.epoch, api_token=token.api_token
    )
    if row is None:
        raise NotSignedIn
    if token.grant is None:
        context.access_cache.put(token, room, row)
    else:
        row = row._replace(role=_role(row.role, token))
    return _grant(row, room, needed)


async def _authorize_form(context: ServerContext, token: ReadToken, room: str) -> RoomAccess:
    """Authorise a worker that answers a form of the room: it reads with the rights of the person who asked."""
    if room != token.room:
        raise no_such_room()
    row = await load_access(
        context.engine, room=room, account_id=token.account_id, epoch=token.epoch, api_token=token.api_token
    )
    if row is None:
        raise NotSignedIn
    access = _grant(row, room, Rights.READ)
    return replace(access, principal=replace(access.principal, role=JOB), rights=Rights.READ)


def authorize_from_cache(
    context: ServerContext, token: PersonToken | JobToken, room: str, needed: Rights
) -> RoomAccess | None:
    """Authorise from the access cache, without a query; None when the cache does not grant it.

    The rights may be a second old. The caller must pass `snapshot` to a statement that checks that they still hold.
    """
    if not isinstance(token, PersonToken) or token.epoch is None:
        return None
    row = context.access_cache.get(token, room)
    if row is None or row.visibility is None or row.locked is None:
        return None
    try:
        access = _grant(row, room, needed)
    except WorkroomError:
        return None
    return replace(
        access, snapshot=AccessSnapshot(token.epoch, row.role, row.visibility, row.locked, row.owned, row.member_rights)
    )


def _grant(row: RoomAccessRow, room: str, needed: Rights) -> RoomAccess:
    rights = check_rights(_rights(row), needed, locked=bool(row.locked))
    return RoomAccess(Principal(row.account_id, row.name, row.role), room, rights, None)


async def _authorize_job(context: ServerContext, token: JobToken, room: str, needed: Rights) -> RoomAccess:
    """A job has the rights of its submitter in its own room, up to writing, while its attempt lasts.

    In a locked room its submitter must own the room.
    """
    if room != token.room:
        raise no_such_room()
    row = await load_access_for_job(
        context.engine, room=room, job_id=token.job_id, worker_id=token.worker_id, attempt=token.attempt
    )
    if row is None:
        raise AttemptLost(jobId=str(token.job_id), attempt=token.attempt)
    submitter = _rights(row)
    own = submitter is Rights.OWN
    rights = check_rights(Rights.WRITE if own else submitter, needed, locked=bool(row.locked) and not own)
    return RoomAccess(Principal(row.account_id, row.name, JOB), room, rights, token)


def _rights(row: RoomAccessRow) -> Rights | None:
    if row.visibility is None:
        return None
    return rights_in_room(
        admin=row.role == "admin", owned=bool(row.owned), public=row.visibility == "public", member=row.member_rights
    )


def _is_room_name(name: str) -> bool:
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
    """Load the account that submitted a job, while the attempt of the token lasts. The principal is never an admin."""
    row = await account_of_job(context.engine, job_id=token.job_id, worker_id=token.worker_id, attempt=token.attempt)
    if row is None:
        raise AttemptLost(jobId=str(token.job_id), attempt=token.attempt)
    return Principal(row.id, row.name, JOB, row.worker_owner)


Actor = Annotated[Principal, Depends(_actor)]


async def _admin(principal: Person) -> Principal:
    if not principal.is_admin:
        raise AdminNeeded
    return principal


async def _scraper(context: Context, token: MetricsAuth) -> None:
    """An admin, or the monitoring with the token of the settings."""
    if token is None:
        return
    # The role of the account counts, not that of the token: the scope `metrics` is enough.
    account = await authenticate(context.engine, token.account_id, token.epoch, token.api_token)
    if account is None:
        raise NotSignedIn
    if account.role != "admin":
        raise AdminNeeded


RoomName = Annotated[str, Path(description="The room's name.", examples=["my-room"])]


def _require(needed: Rights) -> Callable[..., Awaitable[RoomAccess]]:
    async def authorize_request(context: Context, token: VisitorToken, room: RoomName) -> RoomAccess:
        return await authorize(context, token, room, needed)

    async def authorize_reader(context: Context, token: ReaderToken, room: RoomName) -> RoomAccess:
        if isinstance(token, ReadToken):
            return await _authorize_form(context, token, room)
        return await authorize(context, token, room, needed)

    return authorize_reader if needed == Rights.READ else authorize_request


Admin = Annotated[Principal, Depends(_admin)]
Scraper = Annotated[None, Depends(_scraper)]
Reader = Annotated[RoomAccess, Depends(_require(Rights.READ))]
Writer = Annotated[RoomAccess, Depends(_require(Rights.WRITE))]
Owner = Annotated[RoomAccess, Depends(_require(Rights.OWN))]
