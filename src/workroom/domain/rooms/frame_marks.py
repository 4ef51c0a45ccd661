"""Marks of frames: what in the items of a room names frames by their positions, and how it follows them.

A mark is an integer. From 0 on it is the position of a frame. Below 0 it is the negated id of a frame that is not in
the trajectory: the mark returns when an undo restores the frame. Bookmarks have a mark as their key. The frame
selection is a list of marks, and the links of a figure hold marks.

An inserted or removed frame moves the marks behind it. A frame that replaces another takes over its marks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, cast

from workroom.domain.rooms.items import PARTICLES, Kind
from workroom.domain.rooms.undo_splices import Splice, runs

MARKING_KINDS = (Kind.BOOKMARK, Kind.FRAME_SELECTION, Kind.FIGURE)
Link = dict[str, Any]


class FrameMoves:
    """What successive splices do to the marks of a trajectory of the given length.

    The splices of an undo restore frames; those of other changes add new frames.
    """

    def __init__(self, splices: Sequence[Splice], length: int, restores: bool = False) -> None:
        self._length = length
        self._restores = restores
        self._runs = [_Run(run) for run in runs([splice for splice in splices if not _replaces_in_place(splice)])]

    @property
    def none(self) -> bool:
        """Whether no frame that may have a mark moves: new frames are only appended or replace others."""
        if self._restores:
            return not self._runs
        return all(run.first >= self._length and not run.removes for run in self._runs)

    def follow(self, marks: Iterable[int]) -> list[int]:
        found = list(marks)
        for run in self._runs:
            found = run.follow(found)
        return found

    def bookmark(self, key: str) -> str:
        return str(self.follow([int(key)])[0])

    def links(self, links: Sequence[Link], points: Sequence[int | None]) -> list[Link]:
        """The links of a figure; `points` is the number of points of the trace of each link, if it is known."""
        return [
            self._link(link, self._length if count is None else count)
            for link, count in zip(links, points, strict=True)
        ]

    def _link(self, link: Link, points: int) -> Link:
        if link["to"] == "frames":
            return link | {"indices": self._targets(link["indices"], min(points, self._length))}
        if link["frame"] is not None:
            return link | {"frame": self.follow([link["frame"]])[0]}
        return link

    def _targets(self, indices: list[int | None] | None, points: int) -> list[int | None] | None:
        if indices is None:  # each point is linked to the frame of its number
            followed = self.follow(range(points))
            return None if followed == list(range(points)) else list(followed)
        linked = iter(self.follow([index for index in indices if index is not None]))
        return [None if index is None else next(linked) for index in indices]

    def item(self, kind: str, key: str, value: Any) -> tuple[str, Any]:
        """An item of one of the marking kinds, with its marks moved."""
        if kind == Kind.BOOKMARK:
            return self.bookmark(key), value
        if kind == Kind.FRAME_SELECTION and value is not None:
            return key, list(dict.fromkeys(self.follow(value)))
        if kind == Kind.FIGURE and value is not None and value.get("links"):
            points = [points_of(value["data"], link["trace"]) for link in value["links"]]
            return key, value | {"links": self.links(value["links"], points)}
        return key, value


class _Run:
    """Splices that touch different frames, ordered by their positions before the first of them."""

    def __init__(self, splices: Sequence[Splice]) -> None:
        self._splices = splices
        self._starts = [splice.start for splice in splices]
        self._shifts = [0]  # of the frames before each splice, and behind the last one
        for splice in splices:
            self._shifts.append(self._shifts[-1] + splice.growth)
        self._kept: dict[int, tuple[dict[int, int], set[int]]] = {}
        self.first = self._starts[0]
        self.removes = any(splice.removed for splice in splices)

    def follow(self, marks: Sequence[int]) -> list[int]:
        restored = self._restored() if any(mark < 0 for mark in marks) else {}
        return [restored.get(mark, mark) if mark < 0 else self._moved(mark) for mark in marks]

    def _moved(self, position: int) -> int:
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return position
        splice = self._splices[index]
        if position >= splice.end:
            return position + self._shifts[index + 1]
        place = position - splice.start
        kept, taken = self._kept_places(index)
        if place not in kept and (place >= len(splice.added) or place in taken):
            return -splice.removed[place]
        return splice.start + self._shifts[index] + kept.get(place, place)

    def _kept_places(self, index: int) -> tuple[dict[int, int], set[int]]:
        """For frames that a splice removes and adds again: by their place in it before, the place after."""
        if index not in self._kept:
            splice = self._splices[index]
            places: defaultdict[int, list[int]] = defaultdict(list)
            for place in range(len(splice.added) - 1, -1, -1):
                places[splice.added[place]].append(place)
            kept = {place: places[frame].pop() for place, frame in enumerate(splice.removed) if places.get(frame)}
            self._kept[index] = kept, set(kept.values())
        return self._kept[index]

    def _restored(self) -> dict[int, int]:
        """By mark of a removed frame, the position at which a splice adds the frame."""
        found: dict[int, int] = {}
        for splice, shift in zip(self._splices, self._shifts, strict=False):
            gone = set(splice.removed)
            for place, frame in enumerate(splice.added):
                if frame not in gone:
                    found.setdefault(-frame, splice.start + shift + place)
        return found


def _replaces_in_place(splice: Splice) -> bool:
    return not splice.growth and set(splice.removed).isdisjoint(splice.added)


def points_of(data: Sequence[dict[str, Any]], trace: int) -> int | None:
    """The number of points of a trace: its longest list. None if it has no lists, e.g. packed arrays."""
    values = data[trace].values() if trace < len(data) else ()
    return max((len(cast("list[Any]", value)) for value in values if isinstance(value, list)), default=None)


def shown(kind: str, value: Any) -> Any:
    """The value of an item without the marks of frames that are not in the trajectory."""
    if kind == Kind.FRAME_SELECTION:
        return [mark for mark in value if mark >= 0]
    if kind == Kind.FIGURE and value and value.get("links"):
        return value | {"links": [_shown_link(link) for link in value["links"] if (link.get("frame") or 0) >= 0]}
    return value


def _shown_link(link: Link) -> Link:
    if link["to"] == "atoms" or link["indices"] is None:
        return link
    return link | {"indices": [None if mark is None or mark < 0 else mark for mark in link["indices"]]}


def frames_named(kind: str, key: str, value: Any) -> list[int]:
    """The positions that an item names, as a client gives it."""
    if kind == Kind.BOOKMARK:
        return [int(key)]
    if kind == Kind.FRAME_SELECTION:
        return list(value)
    if kind != Kind.FIGURE:
        return []
    found: list[int] = []
    for link in value.get("links") or ():
        named = link["indices"] if link["to"] == "frames" else [link["frame"]]
        found += [mark for mark in named or () if mark is not None]
    return found


def atoms_named(kind: str, key: str, value: Any) -> list[int]:
    """The atoms that an item names; items of other selections than that of atoms are not counted here."""
    if kind == Kind.SELECTION and key == PARTICLES:
        return list(value)
    if kind == Kind.SELECTION_GROUP:
        return list(value.get(PARTICLES) or ())
    if kind != Kind.FIGURE:
        return []
    atoms = [link["indices"] for link in value.get("links") or () if link["to"] == "atoms" and link["indices"]]
    return [index for indices in atoms for index in indices if index is not None]
