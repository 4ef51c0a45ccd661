"""Who writes: what a request that changes a room's data carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header

from workroom.actions.rooms.write_transaction import Hand, JobAttempt
from workroom.server.auth.access import RoomVisit, Writer

LockToken = Annotated[
    str | None,
    Header(alias="Workroom-Lock", max_length=200, description="The token of the lock that one has on what is written."),
]


@dataclass(frozen=True, slots=True)
class Writing:
    """Somebody who writes in a room."""

    visit: RoomVisit
    hand: Hand

    @property
    def room(self) -> str:
        return self.visit.room


def hand_of(visit: RoomVisit, lock: str | None = None) -> Hand:
    job = visit.job and JobAttempt(visit.job.job_id, visit.job.worker_id, visit.job.attempt)
    return Hand(visit.visitor.account_id, job, lock)


async def _writing(visit: Writer, lock: LockToken = None) -> Writing:
    return Writing(visit, hand_of(visit, lock))


AsWriter = Annotated[Writing, Depends(_writing)]
