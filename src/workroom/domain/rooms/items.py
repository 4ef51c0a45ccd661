"""What a room shows beside its trajectory: kinds of items, their limits, and words for what is done to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from workroom.domain.errors import BadInput
from workroom.domain.limits import FIGURE_BYTES, ITEM_BYTES

PARTICLES = "particles"  # the selection people mean when they say "the selection"
FRAMES = "frames"  # the one key of the frame selection


class Kind(StrEnum):
    SELECTION = "selection"
    SELECTION_GROUP = "selection_group"
    FRAME_SELECTION = "frame_selection"
    BOOKMARK = "bookmark"
    GEOMETRY = "geometry"
    FIGURE = "figure"
    METADATA = "metadata"

    @property
    def target(self) -> str:
        """The name of the lock that keeps others from writing items of this kind."""
        return _TARGETS[self]

    @property
    def largest(self) -> int:
        """How many bytes of JSON one item may take."""
        return FIGURE_BYTES if self is Kind.FIGURE else ITEM_BYTES

    @property
    def is_dragged(self) -> bool:
        """Whether people change it many times a second, so that a run of changes is one to them."""
        return self in (Kind.SELECTION, Kind.FRAME_SELECTION, Kind.GEOMETRY)


_TARGETS = {
    Kind.SELECTION: "selections",
    Kind.SELECTION_GROUP: "selection-groups",
    Kind.FRAME_SELECTION: "frame-selection",
    Kind.BOOKMARK: "bookmarks",
    Kind.GEOMETRY: "geometries",
    Kind.FIGURE: "figures",
    Kind.METADATA: "metadata",
}
_WORDS = {
    Kind.SELECTION: ("selection", "selections"),
    Kind.SELECTION_GROUP: ("selection group", "selection groups"),
    Kind.FRAME_SELECTION: ("frame selection", "frame selections"),
    Kind.BOOKMARK: ("bookmark", "bookmarks"),
    Kind.GEOMETRY: ("geometry", "geometries"),
    Kind.FIGURE: ("figure", "figures"),
    Kind.METADATA: ("metadata", "metadata"),
}
_SHOWN_KEY = 60


def item_key(key: str) -> str:
    """The key, if an item may have it; it is part of URLs."""
    if not 1 <= len(key) <= 200 or "/" in key or "\x00" in key or key in (".", ".."):
        raise BadInput(f"{key[:_SHOWN_KEY]!r} is no key: use 1 to 200 characters, none of them '/'.")
    return key


def label(kind: Kind, given: Mapping[str, Any], touched: Sequence[str], gone: Collection[str]) -> str:
    """What was done, for people."""
    if len(touched) != 1:
        return f"{'removed' if len(gone) == len(touched) else 'changed'} {len(touched)} {_WORDS[kind][1]}"
    key = touched[0]
    if kind is Kind.FRAME_SELECTION:
        return "selected all frames again" if key in gone else f"selected {_many(given[key], 'frame')}"
    if kind is Kind.SELECTION and key not in gone:
        where = "" if key == PARTICLES else f" of {_short(key)}"
        return f"selected {_many(given[key], 'atom' if key == PARTICLES else 'item')}{where}"
    if kind is Kind.BOOKMARK and key not in gone:
        return f"bookmarked frame {key} as {_short(str(given[key]))!r}"
    return f"{'removed' if key in gone else 'set'} {_WORDS[kind][0]} {_short(key)}"


def _many(items: Sequence[Any], word: str) -> str:
    return f"{len(items) or 'no'} {word}{'' if len(items) == 1 else 's'}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_KEY else text[: _SHOWN_KEY - 1] + "…"
