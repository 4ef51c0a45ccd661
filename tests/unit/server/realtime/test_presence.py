"""Presence among servers whose messages may be lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast
from uuid import uuid4

from workroom.actions.engine import Engine
from workroom.server.auth.tokens import PersonToken
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.presence import Person, PresenceTracker
from workroom.server.replicas.bus import ReplicaBus


class _Bus:
    """Carries messages to one other server at once, unless they are to be lost."""

    others = 1

    def __init__(self) -> None:
        self.peer: _Bus | None = None
        self.loses = False
        self._handlers: dict[str, Callable[[str, Any], None]] = {}

    def on(self, kind: str, handler: Callable[[str, Any], None]) -> None:
        self._handlers[kind] = handler

    def send(self, kind: str, body: Any) -> None:
        if not self.loses and self.peer is not None:
            self.peer._handlers[kind]("this one", body)


def _server() -> tuple[SocketHub, PresenceTracker, _Bus]:
    hub, bus = SocketHub(origins=None), _Bus()
    presence = PresenceTracker(hub, cast(Engine, object()))
    presence.connect_bus(cast(ReplicaBus, bus))
    return hub, presence, bus


async def test_a_person_whose_leaving_was_lost_is_forgotten_with_the_next_full_list() -> None:
    (hub, here, bus), (_, there, other) = _server(), _server()
    bus.peer = other
    sid: str = await hub.sio.manager.connect(f"engine-{uuid4()}", "/")
    hub.set_token(sid, cast(PersonToken, object()), time.time() + 60)
    here.connected(sid, Person(uuid4(), "ada"))
    await hub.join(sid, "room:lab")
    await hub.join(sid, "room:other")
    here.send_all()
    assert there.snapshot("lab")["total"] == there.snapshot("other")["total"] == 1
    bus.loses = True
    await hub.leave(sid, "room:lab")
    here.send_all()
    bus.loses = False
    here.send_all()  # the other server has noticed the gap, and asked
    assert (there.snapshot("lab")["total"], there.snapshot("other")["total"]) == (0, 1)
