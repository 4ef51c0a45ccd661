"""Presence: which people are in a room, and which clients they use.

People are counted by their sockets in a room. A client is a browser window or a script with an id of its own. When its
last socket closes, its locks are freed after a grace period. Servers send each other who is in their rooms.
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
from workroom.server.replicas.bus import ReplicaBus

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
        self._tasks: set[asyncio.Task[None]] = set()
        self._bus: ReplicaBus | None = None  # none: this is the only server
        self._elsewhere: defaultdict[str, dict[str, Counter[Person]]] = defaultdict(dict)  # by room and server

    def connect_bus(self, bus: ReplicaBus) -> None:
        """From now on the servers send each other who is in their rooms."""
        self._bus = bus
        bus.on("presence", lambda server, body: self._receive(server, body[0], body[1]))
        bus.on("rooms with people", self._forget_other_rooms)
        bus.on("client left", lambda _, body: self._keep_locks(_Client(UUID(body[0]), body[1])))

    def send_all(self) -> None:
        """Send the other servers who is in the rooms of this one: a server has started, or messages were lost."""
        rooms = self._hub.rooms()
        for room in rooms:
            self._send(room)
        if self._bus is not None and self._bus.others:
            self._bus.send("rooms with people", sorted(rooms))

    def forget_server(self, server: str) -> None:
        """A server has ended."""
        self._forget_other_rooms(server, [])

    @property
    def sockets(self) -> SocketHub:
        return self._hub

    def connected(self, sid: str, person: Person) -> None:
        """A person's socket has connected."""
        self._people[sid] = person

    async def bind_client(self, sid: str, client: str, account_id: UUID) -> None:
        """The socket belongs to this client. Its locks, if any, are not freed."""
        self._hub.require_open(sid)
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
                elif self._bus is not None:  # perhaps to another server
                    self._bus.send("client left", [str(client.account_id), client.id])
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
        counts = self._people_here(room)
        for people in self._elsewhere[room].values() if room in self._elsewhere else ():
            counts += people
        listed = sorted(counts.items(), key=lambda count: count[0].name)[:_NAMES_LIMIT]
        return {
            "room": room,
            "people": [
                {"id": str(person.account_id), "name": person.name, "sockets": sockets} for person, sockets in listed
            ],
            "total": len(counts),
        }

    def is_in_room(self, account_id: UUID, room: str) -> bool:
        """Whether a person has a socket in a room, on any server."""
        people = [self._people_here(room), *self._elsewhere.get(room, {}).values()]
        return any(person.account_id == account_id for counts in people for person in counts)

    async def _announce(self, room: str, delay: float) -> None:
        await asyncio.sleep(delay)
        del self._announcements[room]
        self._send(room)
        self._hub.emit_here("presence:changed", self.snapshot(room), hub.room(room))

    def _people_here(self, room: str) -> Counter[Person]:
        people = (self._people.get(sid) for sid in self._hub.members(hub.room(room)))
        return Counter(person for person in people if person is not None)

    def _send(self, room: str) -> None:
        if self._bus is not None and self._bus.others:
            people = self._people_here(room)
            listed = [[str(person.account_id), person.name, sockets] for person, sockets in people.items()]
            self._bus.send("presence", [room, listed])

    def _receive(self, server: str, room: str, people: list[tuple[str, str, int]]) -> None:
        """The people that another server has in a room."""
        if people:
            self._elsewhere[room][server] = Counter({Person(UUID(key), name): count for key, name, count in people})
        elif room in self._elsewhere:
            self._elsewhere[room].pop(server, None)
            if not self._elsewhere[room]:
                del self._elsewhere[room]
        self._hub.emit_here("presence:changed", self.snapshot(room), hub.room(room))

    def _forget_other_rooms(self, server: str, rooms: list[str]) -> None:
        """A server has people in these rooms only. That its last one left another room may have been lost."""
        kept = set(rooms)
        for room in [room for room, servers in self._elsewhere.items() if server in servers and room not in kept]:
            self._receive(server, room, [])

    def _keep_locks(self, client: _Client) -> None:
        """A client has left another server. Its locks are not freed if it has a socket here."""
        if client in self._sockets:
            task = asyncio.create_task(locks.client_reconnected(self._engine, client.account_id, client.id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _unbind_client(self, sid: str) -> _Client | None:
        client = self._clients.pop(sid, None)
        if client is not None:
            self._sockets[client].discard(sid)
            if not self._sockets[client]:
                del self._sockets[client]
        return client
