"""Layouts of frames: the keys with their types and shapes. Each distinct layout is checked and stored once."""

from __future__ import annotations

import hashlib

import orjson

from workroom.actions.engine import Engine
from workroom.domain.errors import BadInput
from workroom.store.room_tables import frames
from workroom.wire.frames import Layout

_CACHED_LAYOUTS = 100_000


class LayoutIds:
    """The ids of the layouts in one request, cached by identity."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ids: dict[int, int] = {}
        self._kept: list[Layout] = []  # keeps the layouts alive, because they are cached by id()

    async def id_of(self, layout: Layout) -> int:
        known = self._ids.get(id(layout))
        if known is None:
            check_structure(layout)
            known = await self._look_up(layout)
            self._ids[id(layout)] = known
            self._kept.append(layout)
        return known

    async def _look_up(self, layout: Layout) -> int:
        digest = hashlib.sha256(orjson.dumps(layout)).digest()
        known = self._engine.layouts
        if digest not in known:
            if len(known) >= _CACHED_LAYOUTS:
                known.clear()
            # In a transaction of its own: other uploads with the same layout would wait for the end of this upload.
            async with self._engine.database.connection() as connection:
                known[digest] = await frames.upsert_layout(connection, digest=digest, keys=layout)
        return known[digest]


def check_structure(layout: Layout) -> None:
    """Check that a frame is a structure: it has the numbers and positions of its atoms."""
    numbers = layout.get("arrays.numbers", {})
    shape = numbers.get("shape", [])
    if len(shape) != 1 or numbers["dtype"][1] not in "iu":
        raise BadInput("A frame needs 'arrays.numbers': a list of whole numbers.")
    positions = layout.get("arrays.positions", {})
    if positions.get("shape") != [shape[0], 3] or positions["dtype"][1] != "f":
        raise BadInput(
            f"A frame needs 'arrays.positions': real numbers of shape [{shape[0]}, 3] for its {shape[0]} atoms."
        )
    for key, entry in layout.items():
        if key.startswith("arrays.") and entry.get("shape", [])[:1] != shape:
            raise BadInput(f"{key!r} has to be an array with one item for each of the {shape[0]} atoms.")
    for key, expected in (("cell", [3, 3]), ("pbc", [3])):
        if key in layout and layout[key].get("shape") != expected:
            raise BadInput(f"{key!r} has to be an array of shape {expected}.")
