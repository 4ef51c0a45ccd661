"""FastAPI dependency of routes that write room data: the author, the job, the lock token and the expected revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header

from workroom.actions.rooms.write_transaction import JobAttempt, WriteContext
from workroom.server.auth.access import RoomAccess, Writer

LockToken = Annotated[
    str | None,
    Header(alias="Workroom-Lock", max_length=200, description="The token of the caller's lock on what is written."),
]
Revision = Annotated[
    int | None,
    Header(
        alias="Workroom-Revision",
        ge=0,
        le=2**62,
        description="Write only if the room is still at this revision; the write is a change of its own then.",
    ),
]


@dataclass(frozen=True, slots=True)
class RoomWrite:
    """Authorised write access to a room."""

    access: RoomAccess
    context: WriteContext

    @property
    def room(self) -> str:
        return self.access.room


def write_context(access: RoomAccess, lock: str | None = None, revision: int | None = None) -> WriteContext:
    job = access.job and JobAttempt(access.job.job_id, access.job.worker_id, access.job.attempt)
    return WriteContext(access.principal.account_id, job, lock, revision)


async def _room_write(access: Writer, lock: LockToken = None, revision: Revision = None) -> RoomWrite:
    return RoomWrite(access, write_context(access, lock, revision))


WriterDep = Annotated[RoomWrite, Depends(_room_write)]
