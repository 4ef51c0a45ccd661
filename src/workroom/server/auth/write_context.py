"""FastAPI dependency of routes that write room data: the author, the job and the lock token of a write."""

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


@dataclass(frozen=True, slots=True)
class RoomWrite:
    """Authorised write access to a room."""

    access: RoomAccess
    context: WriteContext

    @property
    def room(self) -> str:
        return self.access.room


def write_context(access: RoomAccess, lock: str | None = None) -> WriteContext:
    job = access.job and JobAttempt(access.job.job_id, access.job.worker_id, access.job.attempt)
    return WriteContext(access.principal.account_id, job, lock)


async def _room_write(access: Writer, lock: LockToken = None) -> RoomWrite:
    return RoomWrite(access, write_context(access, lock))


WriterDep = Annotated[RoomWrite, Depends(_room_write)]
