"""Locks: the right of one client to write."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

from fastapi import Path, status

from workroom.actions.rooms import locks
from workroom.actions.rooms.locks import LockWish
from workroom.domain.rooms.locks import LONGEST_TARGET
from workroom.server.auth.access import Reader, Writer
from workroom.server.auth.write_context import hand_of
from workroom.server.context import AtHome
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes
from workroom.server.serializers import room_items
from workroom.wire.locks import Acquire, GrantedLock, LockInfo, Locks, Refresh, Release

router = routes("/api/rooms/{room}/locks", tag="locks")

Target = Annotated[
    str, Path(min_length=1, max_length=LONGEST_TARGET, description="What is locked.", examples=["trajectory"])
]


@router.get("", summary="The locks of a room", responses=documented(404))
async def find(house: AtHome, visit: Reader) -> Locks:
    return Locks(items=[room_items.lock(row) for row in await locks.locks_in(house.engine, visit.room)])


@router.post("/{target}/acquire", summary="Take a lock", responses=documented(403, 404, 409, 423))
async def acquire(house: AtHome, visit: Writer, target: Target, body: Acquire) -> GrantedLock:
    """Others cannot write the target while the lock lasts. The token is shown to nobody else."""
    wish = LockWish(target, body.client or uuid4().hex, body.message, body.ttl_seconds)
    grant = await locks.acquire(house.engine, visit.room, hand_of(visit), wish, house.mint.lock_token)
    return room_items.granted(grant)


@router.post("/{target}/refresh", summary="Keep a lock", responses=documented(403, 404, 409))
async def refresh(house: AtHome, visit: Writer, target: Target, body: Refresh) -> LockInfo:
    """It lasts for as long again, and says what it is for now."""
    row = await locks.refresh(
        house.engine, visit.room, target, body.token, message=body.message, ttl_seconds=body.ttl_seconds
    )
    return room_items.lock(row)


@router.post(
    "/{target}/release",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Give a lock back",
    responses=documented(403, 404, 409),
)
async def release(house: AtHome, visit: Writer, target: Target, body: Release) -> None:
    await locks.release(house.engine, visit.room, target, body.token)
