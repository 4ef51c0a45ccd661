"""The Socket.IO server: which sockets are open, whose they are, which channels they are in, and sending to a channel.

Socket.IO calls a channel a room. Here a room is a room of Workroom, and each room has one channel of the same name.
With a `ReplicaBus` an event also reaches the sockets of the other servers on the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any
from uuid import UUID

import socketio
from starlette.types import ASGIApp, Receive, Scope, Send

from workroom.domain.errors import NotSignedIn
from workroom.domain.limits import MESSAGE_BYTES
from workroom.logs import get_logger
from workroom.server.auth.tokens import Token
from workroom.server.realtime.transport.socket_json import OrjsonSocketCodec
from workroom.server.realtime.transport.support import PACKET_ERRORS, load_fast_transport
from workroom.server.replicas.bus import ReplicaBus

log = get_logger(__name__)

_NAMESPACE = "/"
_ROOM = "room:"
_CAMERA = "camera:"
EVERYONE = "everyone"
ADMINS = "admins"

_Message = tuple[str, dict[str, Any], tuple[str, ...]]  # event, body, channels


class SocketHub:
    """The sockets of one server. python-socketio has no type annotations, so its objects stay inside this class."""

    def __init__(self, *, origins: list[str] | None, transport: str = "fast", polling: bool = True) -> None:
        """`polling`: clients may use HTTP long polling, whose requests must all reach this process."""
        self._fast = load_fast_transport() if transport == "fast" else None
        options: dict[str, Any] = {"logger": _library_log(), "engineio_logger": _library_log()}
        if self._fast is not None:
            options["client_manager"] = self._fast.FastClientManager()
            options["serializer"] = self._fast.TextPacket
        self.sio: Any = socketio.AsyncServer(
            async_mode="asgi",
            cors_allowed_origins=origins or None,
            max_http_buffer_size=MESSAGE_BYTES,
            json=OrjsonSocketCodec,
            ping_interval=10,
            ping_timeout=10,
            transports=["polling", "websocket"] if polling else ["websocket"],
            **options,
        )
        if self._fast is not None:
            self._fast.install(self.sio)
        self._tokens: dict[str, Token] = {}
        self._expiry: dict[str, float] = {}  # of the tokens, in seconds of the epoch
        self._pending: deque[_Message] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._bus: ReplicaBus | None = None  # none: this is the only server

    def connect_bus(self, bus: ReplicaBus) -> None:
        """From now on events also go to the sockets of other servers, and theirs come here."""
        self._bus = bus
        bus.on("emit", lambda _, body: self.emit_here(body[0], body[1], *body[2]))
        bus.on("renew", lambda _, body: self._renew(body[0], body[1]))

    def asgi_app(self, other: ASGIApp) -> ASGIApp:
        """An ASGI application that serves the sockets, and passes other requests on."""
        sockets: Any = socketio.ASGIApp(self.sio, other, socketio_path="/socket.io")

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await sockets(scope, receive, send)
            except PACKET_ERRORS as error:
                # The library raises when a WebSocket frame is no Engine.IO packet. The ASGI server closes the socket.
                if scope["type"] != "websocket":
                    raise
                log.info("socket closed: invalid packet", reason=repr(error)[:200])

        return serve

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        self.sio.on(event, handler)

    def emit(self, event: str, body: dict[str, Any], *channels: str) -> None:
        """Send an event to each socket of any server that is in any of the channels, once.

        Events arrive in the order of the calls.
        """
        self.emit_here(event, body, *channels)
        if self._bus is not None and self._bus.others:
            self._bus.send("emit", [event, body, channels])

    def emit_to_worker(self, event: str, body: dict[str, Any], worker_id: UUID) -> None:
        """Send an event to the socket of a worker, which one server has."""
        channel = worker(worker_id)
        if self._bus is None or self.has_members(channel):
            self.emit_here(event, body, channel)
        elif self._bus.others:
            self._bus.send("emit", [event, body, [channel]])

    def emit_here(self, event: str, body: dict[str, Any], *channels: str) -> None:
        """Send an event to the sockets of this server that are in any of the channels.

        The fast transport has written or queued the event when this returns. Otherwise one task sends the events in
        their order, because the library's `emit` suspends.
        """
        if self._fast is not None:
            self._fast.run_without_suspending(self._emit(event, body, channels))
            return
        self._pending.append((event, body, channels))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send_pending(), name="socket events")

    async def _emit(self, event: str, body: dict[str, Any], channels: tuple[str, ...]) -> None:
        await self.sio.emit(event, body, room=list(channels), namespace=_NAMESPACE)

    async def _send_pending(self) -> None:
        while self._pending:
            event, body, channels = self._pending.popleft()
            try:
                await self._emit(event, body, channels)
            except Exception:
                log.exception("event not sent", socket_event=event, channels=channels)
        self._sender = None

    async def _wait_for_sender(self) -> None:
        """Events emitted before a socket leaves a channel must still reach it."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    async def join(self, sid: str, channel: str) -> None:
        self.require_open(sid)
        await self.sio.enter_room(sid, channel)

    def require_open(self, sid: str) -> None:
        """A socket may close while its message is handled. After that it must not enter a channel: nothing would take
        it out again.
        """
        if sid not in self._tokens or not self._is_known(sid):
            raise NotSignedIn("The socket has closed.")

    def _is_known(self, sid: str) -> bool:
        try:
            return self.sio.manager.eio_sid_from_sid(sid, _NAMESPACE) is not None
        except KeyError:  # the last socket has closed
            return False

    async def leave(self, sid: str, channel: str) -> None:
        await self._wait_for_sender()
        await self.sio.leave_room(sid, channel)

    async def leave_room(self, sid: str, name: str) -> None:
        """A socket leaves a room, and with it the cameras that it follows there."""
        await self.leave(sid, room(name))
        await self.leave_cameras(sid, name)

    async def leave_cameras(self, sid: str, name: str | None = None) -> None:
        """A socket leaves its channels of cameras: in the room of this name, or all of them."""
        for channel in list(self.sio.rooms(sid)):
            if channel.startswith(_CAMERA) and (name is None or channel == camera(name, _followed(channel))):
                await self.leave(sid, channel)

    async def close_room(self, name: str) -> None:
        """Remove all sockets from a room."""
        for sid in self.members(room(name)):
            await self.leave_cameras(sid, name)
        await self._wait_for_sender()
        await self.sio.close_room(room(name))

    async def disconnect(self, sid: str) -> None:
        await self._wait_for_sender()
        await self.sio.disconnect(sid)

    def set_token(self, sid: str, token: Token, expires: float) -> None:
        self._tokens[sid] = token
        self._expiry[sid] = expires

    def drop_token(self, sid: str) -> None:
        self._tokens.pop(sid, None)
        self._expiry.pop(sid, None)

    def renew_tokens(self, channel: str, expires: float) -> None:
        """The owner of these sockets got a new token, which expires at this time."""
        self._renew(channel, expires)
        if self._bus is not None and self._bus.others:
            self._bus.send("renew", [channel, expires])

    def _renew(self, channel: str, expires: float) -> None:
        for sid in self.members(channel):
            if sid in self._expiry:
                self._expiry[sid] = max(self._expiry[sid], expires)

    def tokens(self) -> list[tuple[str, Token]]:
        """The open sockets with their tokens."""
        return list(self._tokens.items())

    def expired(self, now: float) -> list[str]:
        """The sockets whose token has expired."""
        return [sid for sid, expires in self._expiry.items() if expires <= now]

    def token(self, sid: str) -> Token | None:
        """The token that the socket connected with."""
        return self._tokens.get(sid)

    def members(self, channel: str | None) -> list[str]:
        """The sockets of this server that are in a channel; None is the channel of all sockets."""
        return [sid for sid, _ in self.sio.manager.get_participants(_NAMESPACE, channel)]

    def has_members(self, channel: str) -> bool:
        """Whether a socket of this server is in a channel."""
        return any(True for _ in self.sio.manager.get_participants(_NAMESPACE, channel))

    def may_have_members(self, channel: str) -> bool:
        """Whether a socket of any server may be in a channel."""
        return self.has_members(channel) or (self._bus is not None and self._bus.others > 0)

    def rooms(self) -> set[str]:
        """The rooms that sockets of this server have joined."""
        return {room for sid in self.members(None) for room in self.rooms_of(sid)}

    def open_sockets(self) -> int:
        return len(self.members(None))

    def rooms_of(self, sid: str) -> list[str]:
        """The rooms that a socket has joined."""
        channels: list[str] = self.sio.rooms(sid)
        return [channel.removeprefix(_ROOM) for channel in channels if channel.startswith(_ROOM)]


def room(name: str) -> str:
    """The channel of all sockets that joined a room."""
    return f"{_ROOM}{name}"


def camera(name: str, account_id: UUID) -> str:
    """The channel of all sockets that follow the camera of an account in a room."""
    return f"{_CAMERA}{account_id}:{name}"


def _followed(channel: str) -> UUID:
    """The account whose followers are in a channel."""
    return UUID(channel.removeprefix(_CAMERA)[:36])


def worker(worker_id: UUID) -> str:
    """The channel of a worker's socket."""
    return f"worker:{worker_id}"


def account(account_id: UUID) -> str:
    """The channel of all sockets of an account."""
    return f"account:{account_id}"


def api_token(token_id: UUID) -> str:
    """The channel of all sockets that connected with an API token."""
    return f"api token:{token_id}"


def _library_log() -> logging.Logger:
    logger = logging.getLogger(f"{__name__}.library")
    logger.setLevel(logging.ERROR)
    logger.addFilter(_shorten_packet_errors)
    return logger


def _shorten_packet_errors(record: logging.LogRecord) -> bool:
    """Any client can send an invalid packet: log one sentence, not an error with a traceback as the library does."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, PACKET_ERRORS):
        log.info("invalid packet ignored", reason=repr(error)[:200])
        return False
    return True
