"""Sockets and the places they listen in, with types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import socketio
from engineio import packet as transport
from socketio.packet import EVENT, Packet

from workroom.domain.limits import MESSAGE_BYTES
from workroom.server.short_way import ShortWay
from workroom.server.strict import SocketJson
from workroom.server.tokens import Token

_NAMESPACE = "/"
_ROOM = "room:"


class _Packet(Packet):
    """Nothing binary travels by socket, so no message is searched for it."""

    uses_binary_events = False


class Switchboard:
    """Knows every open socket, whose it is, and where it listens."""

    def __init__(self, *, origins: list[str] | None) -> None:
        # The library has no types: nothing of it is seen outside this class.
        self.sio: Any = socketio.AsyncServer(
            async_mode="asgi",
            cors_allowed_origins=origins or None,
            max_http_buffer_size=MESSAGE_BYTES,
            serializer=_Packet,
            json=SocketJson,
            ping_interval=10,
            ping_timeout=10,
            logger=False,
            engineio_logger=False,
        )
        self.sio.eio._async = {**self.sio.eio._async, "websocket": ShortWay}  # there is no other way in
        self._tokens: dict[str, Token] = {}

    def on(self, name: str, handler: Callable[..., Any]) -> None:
        self.sio.on(name, handler)

    def emit(self, name: str, body: dict[str, Any], *places: str) -> None:
        """Hand a message to everybody who listens in any of these places, once, and now: it leaves at once, or as soon
        as their sockets take it. The library's own way starts a task for each of them, and waits.
        """
        known = self._places()
        listeners = dict.fromkeys(listener for place in places for listener in known.get(place, {}).values())
        if not listeners:
            return
        text = _Packet(EVENT, namespace=_NAMESPACE, data=[name, body]).encode()  # pyright: ignore[reportUnknownVariableType]
        message: Any = transport.Packet(transport.MESSAGE, text)
        whole: str = message.encode()
        for listener in listeners:
            socket = self.sio.eio.sockets.get(listener)
            if socket is None or socket.closed:
                continue
            way: ShortWay | None = getattr(socket, "short_way", None)
            if way is None or not way.write_now(whole):
                socket.queue.put_nowait(message)

    async def join(self, sid: str, place: str) -> None:
        await self.sio.enter_room(sid, place)

    async def leave(self, sid: str, place: str) -> None:
        await self.sio.leave_room(sid, place)

    async def close(self, place: str) -> None:
        """Nobody listens there any more."""
        await self.sio.close_room(place)

    async def disconnect(self, sid: str) -> None:
        await self.sio.disconnect(sid)

    def remember(self, sid: str, token: Token) -> None:
        self._tokens[sid] = token

    def forget(self, sid: str) -> None:
        self._tokens.pop(sid, None)

    def token(self, sid: str) -> Token | None:
        """Whose socket it is."""
        return self._tokens.get(sid)

    def listeners(self, place: str) -> list[str]:
        """The sockets that listen there."""
        return [sid for sid, _ in self.sio.manager.get_participants(_NAMESPACE, place)]

    def rooms_of(self, sid: str) -> list[str]:
        """The rooms a socket listens in."""
        places: list[str] = self.sio.rooms(sid)
        return [place.removeprefix(_ROOM) for place in places if place.startswith(_ROOM)]

    def anybody_in(self, place: str) -> bool:
        return place in self._places()

    def open_sockets(self) -> int:
        return len(self._places().get(None, {}))

    def _places(self) -> dict[str | None, dict[str, str]]:
        return self.sio.manager.rooms.get(_NAMESPACE, {})


def room(name: str) -> str:
    """Where everybody in a room listens."""
    return f"{_ROOM}{name}"


def worker(worker_id: UUID) -> str:
    return f"worker:{worker_id}"


def account(account_id: UUID) -> str:
    return f"account:{account_id}"


EVERYONE = "everyone"
ADMINS = "admins"
