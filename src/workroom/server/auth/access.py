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
from workroom.actions.rooms.rooms import visit, visit_for_job
from workroom.domain.errors import AdminNeeded, AttemptLost, NotSignedIn, WorkroomError
from workroom.domain.names import room_name
from workroom.domain.rooms.rights import Rights, check_rights, no_such_room, rights_in_room
from workroom.server.auth.bearer import ByPerson, ByVisitor
from workroom.server.auth.tokens import JobToken, PersonToken
from workroom.server.context import AtHome, House
from workroom.store.room_tables.rooms import Seen, VisitRow

# What a job is, as a visitor: never an admin, whoever submitted it.
JOB = "job"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is signed in."""

    account_id: UUID
    name: str
    role: str  # guest, user or admin; `job` for a job that acts for the account

    @property
    def is_admin(self) -> bool:
        return self.role == "admin"


@dataclass(frozen=True, slots=True)
class RoomVisit:
    """Somebody in a room, and what they may there."""

    visitor: Visitor
    room: str
    rights: Rights
    job: JobToken | None  # set when it is a job that asks
    seen: Seen | None = None  # set when this is only what was true a moment ago


async def person_of(house: House, token: PersonToken) -> Visitor:
    """The account a token names."""
    row = await recognise(house.engine, token.account_id, token.epoch)
    if row is None:
        raise NotSignedIn
    return Visitor(row.id, row.name, row.role)


async def enter(house: House, token: PersonToken | JobToken, room: str, needed: Rights) -> RoomVisit:
    """Let somebody into a room who has the rights needed there."""
    if not _can_be_a_room(room):
        raise no_such_room()
    if isinstance(token, JobToken):
        return await _enter_as_job(house, token, room, needed)
    row = await visit(house.engine, room=room, account_id=token.account_id, epoch=token.epoch)
    if row is None:
        raise NotSignedIn
    house.guests.saw(token, room, row)
    return _let_in(row, room, needed)


def seen_before(house: House, token: PersonToken | JobToken, room: str, needed: Rights) -> RoomVisit | None:
    """The visit of somebody who was let in a moment ago, without looking again: who goes by it must check `seen`."""
    if not isinstance(token, PersonToken):
        return None
    row = house.guests.remembers(token, room)
    if row is None or row.visibility is None or row.locked is None:
        return None
    try:
        found = _let_in(row, room, needed)
    except WorkroomError:
        return None
    return replace(found, seen=Seen(token.epoch, row.role, row.visibility, row.locked, row.owned, row.member_rights))


def _let_in(row: VisitRow, room: str, needed: Rights) -> RoomVisit:
    rights = check_rights(_rights(row), needed, locked=bool(row.locked))
    return RoomVisit(Visitor(row.account_id, row.name, row.role), room, rights, None)


async def _enter_as_job(house: House, token: JobToken, room: str, needed: Rights) -> RoomVisit:
    """A job writes in its own room while its attempt lasts; in a locked one only if its submitter owns the room."""
    if room != token.room:
        raise no_such_room()
    row = await visit_for_job(
        house.engine, room=room, job_id=token.job_id, worker_id=token.worker_id, attempt=token.attempt
    )
    if row is None:
        raise AttemptLost(jobId=str(token.job_id), attempt=token.attempt)
    locked = bool(row.locked) and _rights(row) is not Rights.OWN
    rights = check_rights(Rights.WRITE, needed, locked=locked)
    return RoomVisit(Visitor(row.account_id, row.name, JOB), room, rights, token)


def _rights(row: VisitRow) -> Rights | None:
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


async def _person(house: AtHome, token: ByPerson) -> Visitor:
    return await person_of(house, token)


Person = Annotated[Visitor, Depends(_person)]


async def _actor(house: AtHome, token: ByVisitor) -> Visitor:
    if isinstance(token, PersonToken):
        return await person_of(house, token)
    return await submitter_of(house, token)


async def submitter_of(house: House, token: JobToken) -> Visitor:
    """On whose behalf a job acts, while its attempt lasts; never with an admin's power."""
    row = await account_of_job(house.engine, job_id=token.job_id, worker_id=token.worker_id, attempt=token.attempt)
    if row is None:
        raise AttemptLost(jobId=str(token.job_id), attempt=token.attempt)
    return Visitor(row.id, row.name, JOB)


Actor = Annotated[Visitor, Depends(_actor)]


async def _admin(visitor: Person) -> Visitor:
    if not visitor.is_admin:
        raise AdminNeeded
    return visitor


RoomName = Annotated[str, Path(description="The room's name.", examples=["my-room"])]


def _with(needed: Rights) -> Callable[..., Awaitable[RoomVisit]]:
    async def let_in(house: AtHome, token: ByVisitor, room: RoomName) -> RoomVisit:
        return await enter(house, token, room, needed)

    return let_in


Admin = Annotated[Visitor, Depends(_admin)]
Reader = Annotated[RoomVisit, Depends(_with(Rights.READ))]
Writer = Annotated[RoomVisit, Depends(_with(Rights.WRITE))]
Owner = Annotated[RoomVisit, Depends(_with(Rights.OWN))]
