"""Who writes: what a request that changes a room's data carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header

from workroom.actions.rooms.write_transaction import JobAttempt, WriteContext
from workroom.server.auth.access import RoomAccess, Writer

LockToken = Annotated[
    str | None,
    Header(alias="Workroom-Lock", max_length=200, description="The token of the lock that one has on what is written."),
]


@dataclass(frozen=True, slots=True)
class RoomWrite:
    """Somebody who writes in a room."""

    access: RoomAccess
    context: WriteContext

    @property
    def room(self) -> str:
        return self.access.room


def write_context(visit: RoomAccess, lock: str | None = None) -> WriteContext:
    job = visit.job and JobAttempt(visit.job.job_id, visit.job.worker_id, visit.job.attempt)
    return WriteContext(visit.principal.account_id, job, lock)


async def _writing(visit: Writer, lock: LockToken = None) -> RoomWrite:
    return RoomWrite(visit, write_context(visit, lock))


WriterDep = Annotated[RoomWrite, Depends(_writing)]
