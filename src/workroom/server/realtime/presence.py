"""Who is here: the people behind the sockets of this server, and the clients they use.

People are counted by their sockets in a room. A client is a window or a script with an id of its own; when its last
socket closes, the locks it has are freed after a grace.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

import structlog

from workroom.actions.engine import Engine
from workroom.actions.rooms import locks
from workroom.domain.errors import WorkroomError
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub

log = structlog.get_logger("workroom.sockets")

# News of who is here is gathered for a moment, longer where more people hear it: a full lecture hall that arrives at
# once is told of itself a few times, not once for each who comes.
_GATHER_SECONDS = 0.05
_GATHER_SECONDS_PER_SOCKET = 0.002
_LONGEST_GATHERING = 10.0
_MOST_NAMED = 100


class Person(NamedTuple):
    account_id: UUID
    name: str


class _Client(NamedTuple):
    account_id: UUID
    id: str


class PresenceTracker:
    def __init__(self, board: SocketHub, engine: Engine) -> None:
        self._hub = board
        self._engine = engine
        self._who: dict[str, Person] = {}
        self._client_of: dict[str, _Client] = {}
        self._sockets: defaultdict[_Client, set[str]] = defaultdict(set)
        self._telling: dict[str, asyncio.Task[None]] = {}

    def connected(self, sid: str, who: Person) -> None:
        """Somebody's socket is open."""
        self._who[sid] = who

    async def bind_client(self, sid: str, client: str, account_id: UUID) -> None:
        """The socket is of this client."""
        known = _Client(account_id, client)
        if self._client_of.get(sid) == known:
            return
        self._forget_client(sid)
        self._client_of[sid] = known
        self._sockets[known].add(sid)
        await locks.client_reconnected(self._engine, account_id, client)

    def client_of(self, sid: str) -> str | None:
        known = self._client_of.get(sid)
        return known and known.id

    async def disconnected(self, sid: str) -> None:
        """A socket has closed."""
        rooms = self._hub.rooms_of(sid)
        if self._who.pop(sid, None) is not None:
            self.mark_changed(rooms)
        client = self._forget_client(sid)
        if client is not None and client not in self._sockets:
            try:
                await locks.client_disconnected(self._engine, client.account_id, client.id)
                if client in self._sockets:  # it came back while that was noted, and may have been noted first
                    await locks.client_reconnected(self._engine, client.account_id, client.id)
            except WorkroomError as error:
                log.warning("locks keep their time", client=client.id, code=error.code)

    def mark_changed(self, rooms: Iterable[str]) -> None:
        """Other people are in these rooms than before; everybody there is told in a moment."""
        for room in rooms:
            if room not in self._telling:
                listeners = len(self._hub.members(hub.room(room)))
                pause = min(_GATHER_SECONDS + _GATHER_SECONDS_PER_SOCKET * listeners, _LONGEST_GATHERING)
                self._telling[room] = asyncio.create_task(self._tell(room, pause), name="attendance")

    def snapshot(self, room: str) -> dict[str, Any]:
        """Who is in a room, and with how many sockets; how many people in all."""
        here = (self._who.get(sid) for sid in self._hub.members(hub.room(room)))
        counted = Counter(who for who in here if who is not None)
        named = sorted(counted.items(), key=lambda one: one[0].name)[:_MOST_NAMED]
        return {
            "room": room,
            "people": [{"id": str(who.account_id), "name": who.name, "sockets": sockets} for who, sockets in named],
            "total": len(counted),
        }

    async def _tell(self, room: str, pause: float) -> None:
        await asyncio.sleep(pause)
        del self._telling[room]
        self._hub.emit("presence:changed", self.snapshot(room), hub.room(room))

    def _forget_client(self, sid: str) -> _Client | None:
        client = self._client_of.pop(sid, None)
        if client is not None:
            self._sockets[client].discard(sid)
            if not self._sockets[client]:
                del self._sockets[client]
        return client
