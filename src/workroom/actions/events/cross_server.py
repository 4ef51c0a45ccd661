"""Events that every server on the database must handle, whichever process caused them.

They end rights, or make cached data invalid. The transaction that causes them also sends them as a PostgreSQL
notification, so a server receives them only if they were committed, also while no other channel works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson
from pydantic import TypeAdapter

from workroom.actions.events.accounts import AccountRevoked, ApiTokenRevoked
from workroom.actions.events.rooms import MembersChanged, RoomChanged, RoomDeleted
from workroom.actions.events.workers import ExtensionsOffered, ExtensionsRemoved, WorkersEnded

SharedEvent = (
    AccountRevoked
    | ApiTokenRevoked
    | MembersChanged
    | RoomChanged
    | RoomDeleted
    | ExtensionsOffered
    | ExtensionsRemoved
    | WorkersEnded
)
SHARED_EVENTS = (
    AccountRevoked,
    ApiTokenRevoked,
    MembersChanged,
    RoomChanged,
    RoomDeleted,
    ExtensionsOffered,
    ExtensionsRemoved,
    WorkersEnded,
)
_LONGEST_PAYLOAD = 7_900  # bytes; PostgreSQL accepts less than 8,000
_TYPES: dict[str, TypeAdapter[SharedEvent]] = {event.__name__: TypeAdapter(event) for event in SHARED_EVENTS}


class SharedEvents(NamedTuple):
    """The shared events of one transaction."""

    engine_id: str  # of the process that caused them
    events: tuple[SharedEvent, ...] | None  # None: they do not fit into a notification

    def encode(self) -> str:
        events = [
            [type(event).__name__, _TYPES[type(event).__name__].dump_python(event, mode="json")]
            for event in self.events or ()
        ]
        text = orjson.dumps([self.engine_id, events]).decode()
        return text if len(text.encode()) <= _LONGEST_PAYLOAD else orjson.dumps([self.engine_id, None]).decode()

    @classmethod
    def decode(cls, text: str) -> SharedEvents:
        engine_id, events = orjson.loads(text)
        if events is None:
            return cls(engine_id, None)
        return cls(engine_id, tuple(_TYPES[name].validate_python(body) for name, body in events))


def shared(events: Sequence[object]) -> tuple[SharedEvent, ...]:
    """Those of these events that every server must handle."""
    return tuple(event for event in events if isinstance(event, SHARED_EVENTS))
