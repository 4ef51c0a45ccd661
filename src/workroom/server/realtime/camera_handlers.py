"""Socket.IO handlers for following a person: that person's camera and frame are sent to the followers.

A follower's socket is in a channel of the followed person and the room. Movements go only to this channel, through the
hub, so followers at other servers get them too. Nothing of this is stored.
"""

from __future__ import annotations

from typing import Any

from workroom.domain.errors import Forbidden, NotFound, NotSignedIn
from workroom.domain.rooms.rights import Rights, no_such_room
from workroom.server.auth.access import authorize
from workroom.server.auth.rate_limit import RateLimiter
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import ServerContext
from workroom.server.realtime import hub
from workroom.server.realtime.handler_wrapper import Answer, acknowledged, parse
from workroom.server.realtime.hub import SocketHub
from workroom.wire.socket_requests import FollowCamera, MoveCamera

# A page sends at most ten movements a second, and a person may have some pages open.
_MOVES, _MOVE_SECONDS = 300, 10.0
# A page renews its follow every few seconds.
_FOLLOWS, _FOLLOW_SECONDS = 60, 60.0


class CameraHandlers:
    """Registers the handlers of one server."""

    def __init__(self, sockets: SocketHub, context: ServerContext) -> None:
        self._hub = sockets
        self._context = context
        self._move_limit = RateLimiter(_MOVES, _MOVE_SECONDS, what="Too many movements of the camera")
        self._follow_limit = RateLimiter(_FOLLOWS, _FOLLOW_SECONDS, what="Too many requests to follow a person")
        sockets.on("camera:follow", acknowledged("camera:follow", self._follow, sockets.token, PersonToken))
        sockets.on("camera:move", acknowledged("camera:move", self._move, sockets.token, PersonToken))

    async def _follow(self, sid: str, body: Any) -> Answer:
        """A socket follows one person at a time; with `user: null` none.

        The pages of that person learn of it, because they send movements only while they are followed. A page that
        closes stops renewing its follow.
        """
        request = parse(FollowCamera, body)
        token = self._person(sid)
        if request.user is None:
            await self._hub.leave_cameras(sid)
            return {}
        self._follow_limit.hit(str(token.account_id))
        access = await authorize(self._context, token, request.room, Rights.READ)
        self._require_room(sid, access.room)
        if not self._context.presence.is_in_room(request.user, access.room):
            await self._hub.leave_cameras(sid)
            raise NotFound("This person is not in the room.", user=str(request.user))
        channel = hub.camera(access.room, request.user)
        if sid not in self._hub.members(channel):
            await self._hub.leave_cameras(sid)
            await self._hub.join(sid, channel)
            if access.room not in self._hub.rooms_of(sid):  # it has lost the right to read meanwhile
                await self._hub.leave_cameras(sid)
                raise no_such_room()
        by = {"id": str(access.principal.account_id), "name": access.principal.name}
        message = {"room": access.room, "by": by, "again": request.again}
        self._hub.emit("camera:followed", message, hub.account(request.user))
        return {}

    async def _move(self, sid: str, body: Any) -> Answer:
        """Readers may move too: a camera changes nothing in the room.

        There is no query here. A socket leaves a room as soon as its account may no longer read it.
        """
        request = parse(MoveCamera, body)
        token = self._person(sid)
        self._move_limit.hit(str(token.account_id))
        self._require_room(sid, request.room)
        channel = hub.camera(request.room, token.account_id)
        if self._hub.may_have_members(channel):
            moved = request.model_dump(mode="json", by_alias=True) | {"user": str(token.account_id)}
            self._hub.emit("camera:moved", moved, channel)
        return {}

    def _require_room(self, sid: str, room: str) -> None:
        if room not in self._hub.rooms_of(sid):
            raise Forbidden("This socket has not joined the room: send `room:join` first.")

    def _person(self, sid: str) -> PersonToken:
        token = self._hub.token(sid)
        if not isinstance(token, PersonToken):
            raise NotSignedIn
        return token
