"""Socket.IO handlers for the content of a room: locks, and the step that all viewers show."""

from __future__ import annotations

from typing import Any

from workroom.actions.rooms import locks, step
from workroom.actions.rooms.locks import LockRequest
from workroom.domain.errors import NotSignedIn
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import RoomAccess, authorize
from workroom.server.auth.tokens import WorkerToken
from workroom.server.auth.write_context import write_context
from workroom.server.context import ServerContext
from workroom.server.realtime.handler_wrapper import VISITORS, Answer, acknowledged, parse
from workroom.server.realtime.hub import SocketHub
from workroom.server.serializers import room_items
from workroom.wire.locks import AcquireBySocket, MessageBySocket, RefreshBySocket, ReleaseBySocket
from workroom.wire.room_items import StepBySocket


class RoomSocketHandlers:
    """Registers the handlers of one server."""

    def __init__(self, hub: SocketHub, context: ServerContext) -> None:
        self._hub = hub
        self._context = context
        for name, handler in (
            ("lock:acquire", self._acquire),
            ("lock:refresh", self._refresh),
            ("lock:release", self._release),
            ("lock:msg", self._message),
            ("step:set", self._step),
        ):
            hub.on(name, acknowledged(name, handler, hub.token, *VISITORS))

    async def _acquire(self, sid: str, body: Any) -> Answer:
        request = parse(AcquireBySocket, body)
        access = await self._authorize(sid, request.room)
        client = request.client or self._context.presence.client_of(sid) or f"socket {sid}"
        # Before the grant, so that a socket that closes meanwhile frees the lock.
        await self._context.presence.bind_client(sid, client, access.principal.account_id)
        options = LockRequest(request.target, client, request.message, request.ttl_seconds)
        grant = await locks.acquire(
            self._context.engine, access.room, write_context(access), options, self._context.tokens.lock_token
        )
        return room_items.granted_lock(grant).model_dump(mode="json", by_alias=True)

    async def _refresh(self, sid: str, body: Any) -> Answer:
        request = parse(RefreshBySocket, body)
        access = await self._authorize(sid, request.room)
        row = await locks.refresh(
            self._context.engine,
            access.room,
            request.target,
            request.token,
            message=request.message,
            ttl_seconds=request.ttl_seconds,
        )
        return room_items.lock(row).model_dump(mode="json", by_alias=True)

    async def _message(self, sid: str, body: Any) -> Answer:
        request = parse(MessageBySocket, body)
        access = await self._authorize(sid, request.room)
        row = await locks.refresh(
            self._context.engine, access.room, request.target, request.token, message=request.message
        )
        return room_items.lock(row).model_dump(mode="json", by_alias=True)

    async def _release(self, sid: str, body: Any) -> Answer:
        request = parse(ReleaseBySocket, body)
        access = await self._authorize(sid, request.room)
        await locks.release(self._context.engine, access.room, request.target, request.token)
        return {"target": request.target}

    async def _step(self, sid: str, body: Any) -> Answer:
        request = parse(StepBySocket, body)
        access = await self._authorize(sid, request.room)
        by = access.principal
        current = await step.set_step(self._context.engine, access.room, request.step, by=by.account_id, name=by.name)
        return room_items.step(current).model_dump(mode="json", by_alias=True)

    async def _authorize(self, sid: str, room: str) -> RoomAccess:
        """Check that the socket may write in the room."""
        token = self._hub.token(sid)
        if token is None or isinstance(token, WorkerToken):
            raise NotSignedIn
        return await authorize(self._context, token, room, Rights.WRITE)
