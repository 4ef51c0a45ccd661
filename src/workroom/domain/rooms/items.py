"""Items of a room beside its trajectory: kinds, keys, size limits, and labels of changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from workroom.domain.errors import BadInput
from workroom.domain.limits import FIGURE_BYTES, ITEM_BYTES

PARTICLES = "particles"  # key of the default selection, that of atoms
FRAMES = "frames"  # the only key of the frame selection


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
        """The name of the lock that guards items of this kind."""
        return _TARGETS[self]

    @property
    def max_bytes(self) -> int:
        """The maximum size of one item, in bytes of JSON."""
        return FIGURE_BYTES if self is Kind.FIGURE else ITEM_BYTES

    @property
    def is_dragged(self) -> bool:
        """Whether a user changes it by dragging, many times a second, so that the changes are merged into one."""
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
_LABELS = {
    Kind.SELECTION: ("selection", "selections"),
    Kind.SELECTION_GROUP: ("selection group", "selection groups"),
    Kind.FRAME_SELECTION: ("frame selection", "frame selections"),
    Kind.BOOKMARK: ("bookmark", "bookmarks"),
    Kind.GEOMETRY: ("geometry", "geometries"),
    Kind.FIGURE: ("figure", "figures"),
    Kind.METADATA: ("metadata", "metadata"),
}
_MAX_LABEL_LENGTH = 60


def item_key(key: str) -> str:
    """Return the key if an item may have it; BadInput otherwise. Keys are part of URLs."""
    if not 1 <= len(key) <= 200 or "/" in key or "\x00" in key or key in (".", ".."):
        raise BadInput(f"{key[:_MAX_LABEL_LENGTH]!r} is not a valid key: use 1 to 200 characters, none of them '/'.")
    return key


def label(kind: Kind, given: Mapping[str, Any], touched: Sequence[str], removed: Collection[str]) -> str:
    """Describe a change for users, as in 'selected 3 atoms'."""
    if len(touched) != 1:
        return f"{'removed' if len(removed) == len(touched) else 'changed'} {len(touched)} {_LABELS[kind][1]}"
    key = touched[0]
    if kind is Kind.FRAME_SELECTION:
        return "selected all frames again" if key in removed else f"selected {_counted(given[key], 'frame')}"
    if kind is Kind.SELECTION and key not in removed:
        where = "" if key == PARTICLES else f" of {_truncated(key)}"
        return f"selected {_counted(given[key], 'atom' if key == PARTICLES else 'item')}{where}"
    if kind is Kind.BOOKMARK and key not in removed:
        return f"bookmarked frame {key} as {_truncated(str(given[key]))!r}"
    return f"{'removed' if key in removed else 'set'} {_LABELS[kind][0]} {_truncated(key)}"


def _counted(items: Sequence[Any], word: str) -> str:
    return f"{len(items) or 'no'} {word}{'' if len(items) == 1 else 's'}"


def _truncated(text: str) -> str:
    return text if len(text) <= _MAX_LABEL_LENGTH else text[: _MAX_LABEL_LENGTH - 1] + "…"
