"""Sockets and the places they listen in, with types."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import orjson
import socketio
from engineio import packet as transport
from socketio.packet import ACK, EVENT, Packet

from workroom.domain.limits import MESSAGE_BYTES
from workroom.server.auth.tokens import Token
from workroom.server.realtime.socket_json import OrjsonSocketCodec
from workroom.server.realtime.websocket_transport import FastWebSocket

_NAMESPACE = "/"
_ROOM = "room:"
# An event in the only namespace there is, with its number if it wants an answer, and its name.
_SAID = re.compile(r'2(\d{0,15})(?=\["([a-z:_]+)",)')

Reply = Callable[[dict[str, Any]], object]
AtOnce = Callable[[str, list[Any], Reply], None]  # who says it, what, and what to do with the answer


class _Packet(Packet):
    """Nothing binary travels by socket, so no message is searched for it."""

    uses_binary_events = False


class SocketHub:
    """Knows every open socket, whose it is, and where it listens."""

    def __init__(self, *, origins: list[str] | None) -> None:
        # The library has no types: nothing of it is seen outside this class.
        self.sio: Any = socketio.AsyncServer(
            async_mode="asgi",
            cors_allowed_origins=origins or None,
            max_http_buffer_size=MESSAGE_BYTES,
            serializer=_Packet,
            json=OrjsonSocketCodec,
            ping_interval=10,
            ping_timeout=10,
            logger=False,
            engineio_logger=False,
        )
        self.sio.eio._async = {**self.sio.eio._async, "websocket": FastWebSocket}  # there is no other way in
        self.sio.eio.heard_at_once = self._heard_at_once  # looked for by the short way
        self._tokens: dict[str, Token] = {}
        self._at_once: dict[str, AtOnce] = {}

    def on(self, name: str, handler: Callable[..., Any]) -> None:
        self.sio.on(name, handler)

    def on_sync(self, name: str, handler: AtOnce) -> None:
        """For what is said so often that a task for each time would cost more than what it does: the handler is called
        as the message is read, in the order of the messages, and must not wait. It answers when it can.
        """
        self._at_once[name] = handler

        async def awaited(sid: str, *said: Any) -> dict[str, Any]:
            answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
            handler(sid, [*said], answer.set_result)
            return await answer

        self.sio.on(name, awaited)

    def _heard_at_once(self, listener: str, text: str) -> bool:
        """Hand a message that came by a web socket to its handler, if it has one that is called at once."""
        said = _SAID.match(text)
        handler = None if said is None else self._at_once.get(said[2])
        if said is None or handler is None:
            return False
        sid = self.sio.manager.sid_from_eio_sid(listener, _NAMESPACE)
        if sid is None:
            return False
        _, *words = orjson.loads(text[said.end() :])

        def reply(answer: dict[str, Any]) -> None:
            if said[1]:
                self._write([listener], _Packet(ACK, namespace=_NAMESPACE, id=int(said[1]), data=[answer]))

        handler(sid, words, reply)
        return True

    def emit(self, name: str, body: dict[str, Any], *places: str) -> None:
        """Hand a message to everybody who listens in any of these places, once, and now: it leaves at once, or as soon
        as their sockets take it. The library's own way starts a task for each of them, and waits.
        """
        known = self._channels()
        listeners = dict.fromkeys(listener for place in places for listener in known.get(place, {}).values())
        if not listeners:
            return
        self._write(listeners, _Packet(EVENT, namespace=_NAMESPACE, data=[name, body]))

    def _write(self, listeners: Iterable[str], packet: _Packet) -> None:
        message: Any = transport.Packet(transport.MESSAGE, packet.encode())  # pyright: ignore[reportUnknownMemberType]
        whole: str = message.encode()
        for listener in listeners:
            socket = self.sio.eio.sockets.get(listener)
            if socket is None or socket.closed:
                continue
            way: FastWebSocket | None = getattr(socket, "short_way", None)
            if way is None or not way.try_write(whole):
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

    def set_token(self, sid: str, token: Token) -> None:
        self._tokens[sid] = token

    def drop_token(self, sid: str) -> None:
        self._tokens.pop(sid, None)

    def token(self, sid: str) -> Token | None:
        """Whose socket it is."""
        return self._tokens.get(sid)

    def members(self, place: str) -> list[str]:
        """The sockets that listen there."""
        return [sid for sid, _ in self.sio.manager.get_participants(_NAMESPACE, place)]

    def rooms_of(self, sid: str) -> list[str]:
        """The rooms a socket listens in."""
        places: list[str] = self.sio.rooms(sid)
        return [place.removeprefix(_ROOM) for place in places if place.startswith(_ROOM)]

    def has_members(self, place: str) -> bool:
        return place in self._channels()

    def open_sockets(self) -> int:
        return len(self._channels().get(None, {}))

    def _channels(self) -> dict[str | None, dict[str, str]]:
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
