"""What clients say by socket about what is in a room: locks, and the step everybody looks at."""

from __future__ import annotations

from typing import Any

from workroom.actions.rooms import locks, step
from workroom.actions.rooms.locks import LockWish
from workroom.domain.errors import NotSignedIn
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import RoomVisit, enter
from workroom.server.auth.tokens import WorkerToken
from workroom.server.auth.write_context import hand_of
from workroom.server.context import House
from workroom.server.realtime.hub import Switchboard
from workroom.server.realtime.messages import Answer, answering, parsed
from workroom.server.serializers import room_items
from workroom.wire.locks import AcquireBySocket, MessageBySocket, RefreshBySocket, ReleaseBySocket
from workroom.wire.scene import StepBySocket


class SceneSockets:
    """The handlers of one server."""

    def __init__(self, board: Switchboard, house: House) -> None:
        self._board = board
        self._house = house
        for name, handler in (
            ("lock:acquire", self._acquire),
            ("lock:refresh", self._refresh),
            ("lock:release", self._release),
            ("lock:msg", self._message),
            ("step:set", self._step),
        ):
            board.on(name, answering(handler))

    async def _acquire(self, sid: str, body: Any) -> Answer:
        wanted = parsed(AcquireBySocket, body)
        visit = await self._enter(sid, wanted.room)
        client = wanted.client or self._house.attendance.client_of(sid) or f"socket {sid}"
        # Before the grant: should the socket close meanwhile, that is known.
        await self._house.attendance.uses(sid, client, visit.visitor.account_id)
        wish = LockWish(wanted.target, client, wanted.message, wanted.ttl_seconds)
        grant = await locks.acquire(self._house.engine, visit.room, hand_of(visit), wish, self._house.mint.lock_token)
        return room_items.granted(grant).model_dump(mode="json", by_alias=True)

    async def _refresh(self, sid: str, body: Any) -> Answer:
        wanted = parsed(RefreshBySocket, body)
        visit = await self._enter(sid, wanted.room)
        row = await locks.refresh(
            self._house.engine,
            visit.room,
            wanted.target,
            wanted.token,
            message=wanted.message,
            ttl_seconds=wanted.ttl_seconds,
        )
        return room_items.lock(row).model_dump(mode="json", by_alias=True)

    async def _message(self, sid: str, body: Any) -> Answer:
        wanted = parsed(MessageBySocket, body)
        visit = await self._enter(sid, wanted.room)
        row = await locks.refresh(self._house.engine, visit.room, wanted.target, wanted.token, message=wanted.message)
        return room_items.lock(row).model_dump(mode="json", by_alias=True)

    async def _release(self, sid: str, body: Any) -> Answer:
        wanted = parsed(ReleaseBySocket, body)
        visit = await self._enter(sid, wanted.room)
        await locks.release(self._house.engine, visit.room, wanted.target, wanted.token)
        return {"target": wanted.target}

    async def _step(self, sid: str, body: Any) -> Answer:
        wanted = parsed(StepBySocket, body)
        visit = await self._enter(sid, wanted.room)
        who = visit.visitor
        now = await step.set_step(self._house.engine, visit.room, wanted.step, by=who.account_id, name=who.name)
        return {"step": now}

    async def _enter(self, sid: str, room: str) -> RoomVisit:
        """Somebody who may write in the room."""
        token = self._board.token(sid)
        if token is None or isinstance(token, WorkerToken):
            raise NotSignedIn("This is for people and for jobs.")
        return await enter(self._house, token, room, Rights.WRITE)
