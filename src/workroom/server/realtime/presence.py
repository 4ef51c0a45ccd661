"""Presence: which people are in a room, and which clients they use.

People are counted by their sockets in a room. A client is a browser window or a script with an id of its own. When its
last socket closes, its locks are freed after a grace period.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.rooms import locks
from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub

log = get_logger(__name__)

# `presence:changed` is delayed, longer in rooms with more sockets: when hundreds of people join at once, the room gets
# a few messages and not one for each person.
_DELAY_SECONDS = 0.05
_DELAY_SECONDS_PER_SOCKET = 0.002
_LONGEST_DELAY = 10.0
_NAMES_LIMIT = 100


class Person(NamedTuple):
    account_id: UUID
    name: str


class _Client(NamedTuple):
    account_id: UUID
    id: str


class PresenceTracker:
    def __init__(self, sockets: SocketHub, engine: Engine) -> None:
        self._hub = sockets
        self._engine = engine
        self._people: dict[str, Person] = {}
        self._clients: dict[str, _Client] = {}
        self._sockets: defaultdict[_Client, set[str]] = defaultdict(set)
        self._announcements: dict[str, asyncio.Task[None]] = {}

    @property
    def sockets(self) -> SocketHub:
        return self._hub

    def connected(self, sid: str, person: Person) -> None:
        """A person's socket has connected."""
        self._people[sid] = person

    async def bind_client(self, sid: str, client: str, account_id: UUID) -> None:
        """The socket belongs to this client. Its locks, if any, are not freed."""
        bound = _Client(account_id, client)
        if self._clients.get(sid) == bound:
            return
        self._unbind_client(sid)
        self._clients[sid] = bound
        self._sockets[bound].add(sid)
        await locks.client_reconnected(self._engine, account_id, client)

    def client_of(self, sid: str) -> str | None:
        client = self._clients.get(sid)
        return client and client.id

    async def disconnected(self, sid: str) -> None:
        """A socket has closed."""
        rooms = self._hub.rooms_of(sid)
        if self._people.pop(sid, None) is not None:
            self.mark_changed(rooms)
        client = self._unbind_client(sid)
        if client is not None and client not in self._sockets:
            try:
                await locks.client_disconnected(self._engine, client.account_id, client.id)
                if client in self._sockets:  # reconnected meanwhile, and perhaps recorded before the disconnect
                    await locks.client_reconnected(self._engine, client.account_id, client.id)
            except WorkroomError as error:
                log.warning("locks of a disconnected client stay until they expire", client=client.id, code=error.code)

    def mark_changed(self, rooms: Iterable[str]) -> None:
        """The people in these rooms have changed: send `presence:changed` after a delay."""
        for room in rooms:
            if room not in self._announcements:
                sockets = len(self._hub.members(hub.room(room)))
                delay = min(_DELAY_SECONDS + _DELAY_SECONDS_PER_SOCKET * sockets, _LONGEST_DELAY)
                self._announcements[room] = asyncio.create_task(self._announce(room, delay), name="presence")

    def snapshot(self, room: str) -> dict[str, Any]:
        """The people in a room with their numbers of sockets, and how many people there are."""
        people = (self._people.get(sid) for sid in self._hub.members(hub.room(room)))
        counts = Counter(person for person in people if person is not None)
        listed = sorted(counts.items(), key=lambda count: count[0].name)[:_NAMES_LIMIT]
        return {
            "room": room,
            "people": [
                {"id": str(person.account_id), "name": person.name, "sockets": sockets} for person, sockets in listed
            ],
            "total": len(counts),
        }

    async def _announce(self, room: str, delay: float) -> None:
        await asyncio.sleep(delay)
        del self._announcements[room]
        self._hub.emit("presence:changed", self.snapshot(room), hub.room(room))

    def _unbind_client(self, sid: str) -> _Client | None:
        client = self._clients.pop(sid, None)
        if client is not None:
            self._sockets[client].discard(sid)
            if not self._sockets[client]:
                del self._sockets[client]
        return client
