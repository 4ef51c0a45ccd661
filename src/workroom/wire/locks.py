"""Messages about locks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.domain.rooms.locks import LONGEST_CLIENT, LONGEST_MESSAGE, LONGEST_TARGET, LONGEST_TTL_SECONDS
from workroom.wire.base import Answer, Request, Text

Message = Annotated[Text, Field(max_length=LONGEST_MESSAGE)]
Ttl = Annotated[float, Field(gt=0, le=LONGEST_TTL_SECONDS)]
Client = Annotated[Text, Field(min_length=1, max_length=LONGEST_CLIENT)]
Token = Annotated[str, Field(min_length=1, max_length=200)]


class Acquire(Request):
    """What somebody wants a lock for."""

    message: Message = Field("", description="Shown to everybody in the room.")
    ttl_seconds: Ttl | None = Field(None, description="How long it lasts without a refresh; 60 unless told otherwise.")
    client: Client | None = Field(
        None, description="An id the client made up: with the same one it gets the same grant again."
    )


class Refresh(Request):
    token: Token
    message: Message | None = Field(None, description="What the lock is for now; left out: as before.")
    ttl_seconds: Ttl | None = None


class Release(Request):
    token: Token


class LockTargetBySocket(Request):
    """What every message about a lock names that comes by socket."""

    room: str = Field(max_length=200)
    target: str = Field("trajectory", max_length=LONGEST_TARGET)


class AcquireBySocket(LockTargetBySocket, Acquire):
    pass


class RefreshBySocket(LockTargetBySocket, Refresh):
    pass


class ReleaseBySocket(LockTargetBySocket, Release):
    pass


class MessageBySocket(LockTargetBySocket):
    token: Token
    message: Message


class Holder(Answer):
    id: UUID
    name: str


class LockInfo(Answer):
    """A lock, as everybody in the room sees it."""

    target: str
    holder: Holder
    job_id: UUID | None = Field(description="The job that has it, if one has.")
    message: str
    fence: int = Field(description="Larger with every grant.")
    ttl_seconds: float
    acquired_at: datetime
    expires_at: datetime


class GrantedLock(LockInfo):
    """A lock, as its holder sees it."""

    token: str = Field(description="For the header `Workroom-Lock` of writes, and to refresh and release.")
    client: str


class Locks(Answer):
    items: list[LockInfo]
