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
    """A request for a lock."""

    message: Message = Field("", description="Shown to everyone in the room.")
    ttl_seconds: Ttl | None = Field(None, description="How long it lasts without a refresh; 60 by default.")
    client: Client | None = Field(
        None, description="An id that the client chose. A repeated request with the same id returns the same grant."
    )


class Refresh(Request):
    token: Token
    message: Message | None = Field(None, description="What the lock is for now; omitted: unchanged.")
    ttl_seconds: Ttl | None = None


class Release(Request):
    token: Token


class LockTargetBySocket(Request):
    """Fields of all socket messages about locks."""

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
    """A lock, without its token."""

    target: str
    holder: Holder
    job_id: UUID | None = Field(description="The job that holds it, if any.")
    message: str
    fence: int = Field(description="Increases with every grant.")
    ttl_seconds: float
    acquired_at: datetime
    expires_at: datetime


class GrantedLock(LockInfo):
    """A lock with its token, for its holder."""

    token: str = Field(description="For the header `Workroom-Lock` of writes, and to refresh and release.")
    client: str


class Locks(Answer):
    items: list[LockInfo]
