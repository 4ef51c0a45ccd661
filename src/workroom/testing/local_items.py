"""Items of a room without a server. They go through the codecs of the client and the rules of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Generic, TypeVar

from workroom.client.items.codecs import ItemKind, figure_of, with_link
from workroom.domain.rooms.frame_marks import shown
from workroom.domain.rooms.items import PARTICLES, Kind

K = TypeVar("K")
V = TypeVar("V")


class LocalItems(MutableMapping[K, V], Generic[K, V]):
    """The items of one kind, by key."""

    def __init__(self, kind: Kind, codec: ItemKind, check: Callable[[Kind, str, Any], None]) -> None:
        self.kind = kind
        self._codec = codec
        self._check = check
        self.stored: dict[str, Any] = {}  # as the server stores them

    def __getitem__(self, key: K) -> V:
        name = self._codec.key_out(key)
        if name not in self._visible():
            if self._codec.missing is not None:
                return self._codec.missing
            raise KeyError(key)
        return self._codec.value_in(shown(self.kind, self.stored[name]))

    def __setitem__(self, key: K, value: Any) -> None:
        name, item = self._codec.key_out(key), self._codec.value_out(value)
        self._check(self.kind, name, item)
        self.stored[name] = item

    def __delitem__(self, key: K) -> None:
        name = self._codec.key_out(key)
        if name not in self._visible():
            raise KeyError(key)
        del self.stored[name]

    def __iter__(self) -> Iterator[K]:
        return iter([self._codec.key_in(name) for name in self._visible()])

    def __len__(self) -> int:
        return len(self._visible())

    def replace(self, values: Mapping[K, Any]) -> None:
        """Set these items and remove all others."""
        before, self.stored = self.stored, {}
        try:
            self.update(values)
        except BaseException:
            self.stored = before
            raise

    def _visible(self) -> list[str]:
        """The keys without those of bookmarks of deleted frames."""
        marks = self.kind is Kind.BOOKMARK
        names = [name for name in self.stored if not (marks and name.startswith("-"))]
        return sorted(names, key=int) if marks else sorted(names)

    def __repr__(self) -> str:
        return repr(dict(self))


class LocalFigures(LocalItems[str, Any]):
    """Figures, and the links of their points."""

    def link(
        self,
        key: str,
        to: str,
        indices: Sequence[int] | None = None,
        *,
        trace: int = 0,
        selection: str = PARTICLES,
        frame: int | None = None,
    ) -> None:
        """Link the points of a trace to `"frames"` or `"atoms"`; without indices, point n is linked to number n."""
        linked = with_link(self.stored[key], to, indices, trace=trace, selection=selection, frame=frame)
        self._check(self.kind, key, linked)
        self.stored[key] = linked

    def links(self, key: str) -> list[dict[str, Any]]:
        """The links of a figure's points to frames or atoms."""
        return shown(self.kind, figure_of(self.stored[key])).get("links") or []

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        for link in self.stored[key].get("links") or ():
            for name, default in (("trace", 0), ("indices", None), ("frame", None), ("selection", PARTICLES)):
                link.setdefault(name, default)
