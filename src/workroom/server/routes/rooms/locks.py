"""Locks: while a client holds the lock of a target, no other client may write it."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

from fastapi import Path, status

from workroom.actions.rooms import locks
from workroom.actions.rooms.locks import LockRequest
from workroom.domain.rooms.locks import LONGEST_TARGET
from workroom.server.auth.access import Reader, Writer
from workroom.server.auth.write_context import write_context
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import room_items
from workroom.wire.locks import Acquire, GrantedLock, LockInfo, Locks, Refresh, Release

router = make_router("/api/rooms/{room}/locks", tag="locks")

Target = Annotated[
    str,
    Path(
        min_length=1,
        max_length=LONGEST_TARGET,
        description="The part of the room that the lock covers.",
        examples=["trajectory"],
    ),
]


@router.get("", summary="The locks of a room", responses=error_responses(404))
async def find(context: Context, access: Reader) -> Locks:
    return Locks(items=[room_items.lock(row) for row in await locks.list_locks(context.engine, access.room)])


@router.post("/{target}/acquire", summary="Acquire a lock", responses=error_responses(403, 404, 409, 423))
async def acquire(context: Context, access: Writer, target: Target, body: Acquire) -> GrantedLock:
    """Other clients cannot write the target until the lock is released or expires. Only the holder gets the token."""
    options = LockRequest(target, body.client or uuid4().hex, body.message, body.ttl_seconds)
    grant = await locks.acquire(context.engine, access.room, write_context(access), options, context.tokens.lock_token)
    return room_items.granted_lock(grant)


@router.post("/{target}/refresh", summary="Refresh a lock", responses=error_responses(403, 404, 409))
async def refresh(context: Context, access: Writer, target: Target, body: Refresh) -> LockInfo:
    """Starts the time to live again. A new `message` replaces the old one."""
    row = await locks.refresh(
        context.engine, access.room, target, body.token, message=body.message, ttl_seconds=body.ttl_seconds
    )
    return room_items.lock(row)


@router.post(
    "/{target}/release",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Release a lock",
    responses=error_responses(403, 404, 409),
)
async def release(context: Context, access: Writer, target: Target, body: Release) -> None:
    await locks.release(context.engine, access.room, target, body.token)
