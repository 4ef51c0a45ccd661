"""What frames consist of: checked once for all that are alike, and kept once."""

from __future__ import annotations

import hashlib

import orjson

from workroom.actions.engine import Engine
from workroom.domain.errors import BadInput
from workroom.store.room_tables import frames
from workroom.wire.frames import Layout

_CACHED_LAYOUTS = 100_000


class LayoutIds:
    """The ids of the layouts that one request meets."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._met: dict[int, int] = {}
        self._kept: list[Layout] = []  # while we know them by their identity they must live

    async def id_of(self, layout: Layout) -> int:
        known = self._met.get(id(layout))
        if known is None:
            check_structure(layout)
            known = await self._look_up(layout)
            self._met[id(layout)] = known
            self._kept.append(layout)
        return known

    async def _look_up(self, layout: Layout) -> int:
        digest = hashlib.sha256(orjson.dumps(layout)).digest()
        known = self._engine.layouts
        if digest not in known:
            if len(known) >= _CACHED_LAYOUTS:
                known.clear()
            # By itself, not in the upload's transaction: others with the same layout would wait for that to end.
            async with self._engine.database.connection() as connection:
                known[digest] = await frames.upsert_layout(connection, digest=digest, keys=layout)
        return known[digest]


def check_structure(layout: Layout) -> None:
    """A frame is a structure: numbers and positions of so many atoms, and whatever else."""
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
