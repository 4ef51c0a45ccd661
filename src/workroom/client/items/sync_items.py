"""What a room shows, for callers who wait: mappings, and plain attributes.

Nothing is done here: each access runs its asynchronous twin on the background loop and waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Generic, Self, TypeVar

from workroom.client import notebook
from workroom.client.items.items import AsyncFigures, AsyncItems, AsyncScene
from workroom.client.locks import WAIT_SECONDS, AsyncLock
from workroom.client.portal import Portal
from workroom.domain.rooms.items import PARTICLES
from workroom.domain.rooms.locks import TRAJECTORY
from workroom.wire.geometries import Geometry
from workroom.wire.scene import Change, Undone

K = TypeVar("K")
V = TypeVar("V")


class Items(MutableMapping[K, V], Generic[K, V]):
    """The items of one sort in a room. Each access asks the server; each write is a change that can be undone."""

    def __init__(self, portal: Portal, inner: AsyncItems[K, V]) -> None:
        self._portal = portal
        self._inner = inner

    def __getitem__(self, key: K) -> V:
        return self._portal.call(self._inner.get(key))

    def __setitem__(self, key: K, value: Any) -> None:
        self._portal.call(self._inner.set(key, value))

    def __delitem__(self, key: K) -> None:
        self._portal.call(self._inner.delete(key))

    def __iter__(self) -> Iterator[K]:
        return iter(self._portal.call(self._inner.keys()))

    def __len__(self) -> int:
        return len(self._portal.call(self._inner.keys()))

    def __contains__(self, key: object) -> bool:
        return key in self._portal.call(self._inner.keys())

    def update(self, *others: Any, **more: Any) -> None:
        """Set several, in one change."""
        values: dict[Any, Any] = dict(*others, **more)
        self._portal.call(self._inner.update(values))

    def clear(self) -> None:
        """Remove all, in one change."""
        self._portal.call(self._inner.replace({}))

    def copy(self) -> dict[K, V]:
        """All of them, as a plain dict."""
        return self._portal.call(self._inner.all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self.copy() == dict(other)  # pyright: ignore[reportUnknownArgumentType]

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return repr(self.copy())


class Figures(Items[str, Any]):
    """Plotly figures: go in and come out as `plotly.graph_objects.Figure`."""

    def __init__(self, portal: Portal, inner: AsyncFigures) -> None:
        super().__init__(portal, inner)
        self._figures = inner

    def link(self, key: str, to: str, indices: Sequence[int] | None = None, **more: Any) -> None:
        """Have the points of a trace stand for `"frames"` or `"atoms"`; without indices, point by point."""
        self._portal.call(self._figures.link(key, to, indices, **more))

    def links(self, key: str) -> list[dict[str, Any]]:
        """What the points of a figure stand for."""
        return self._portal.call(self._figures.links(key))

    def __repr__(self) -> str:
        return f"<figures {', '.join(self) or 'none'}>"


class Lock:
    """The right to write, for the length of a block: `with room.lock("trajectory", msg="Uploading") as lock`."""

    def __init__(self, room: SceneFace, **how: Any) -> None:
        self._room = room
        self._inner = AsyncLock(room.inner.locks, **how)

    def __call__(
        self,
        target: str = TRAJECTORY,
        msg: str | None = None,
        *,
        ttl: float | None = None,
        wait: float | None = WAIT_SECONDS,
    ) -> Lock:
        """A lock on a target.

        It is waited for when somebody else has it: for `wait` seconds, None for as long as it takes; then RoomLocked
        says who has it. It lasts `ttl` seconds (60, at most 300) without a sign of life, and is refreshed meanwhile.
        """
        return Lock(self._room, target=target, msg=msg, ttl=ttl, wait=wait)

    @property
    def target(self) -> str:
        return self._inner.target

    @property
    def fence(self) -> int:
        """Larger with every grant of this lock to anybody."""
        return self._inner.fence

    @property
    def is_lost(self) -> bool:
        return self._inner.is_lost

    @property
    def msg(self) -> str:
        """What everybody in the room is told about it; assigning tells them something else."""
        return self._inner.msg

    @msg.setter
    def msg(self, msg: str) -> None:
        self.update(msg)

    def update(self, msg: str) -> None:
        """Tell everybody what it is for now; LockLost when it is lost."""
        self._room.portal.call(self._inner.update(msg))

    def __enter__(self) -> Self:
        self._room.portal.call(self._inner.__aenter__())
        return self

    def __exit__(self, *error: object) -> None:
        self._room.portal.call(self._inner.__aexit__(*error))

    def __repr__(self) -> str:
        return repr(self._inner).replace("Async", "", 1)


class SceneFace:
    """The part of a blocking room that is beside its trajectory."""

    portal: Portal

    @property
    def inner(self) -> AsyncScene:
        raise NotImplementedError

    @property
    def lock(self) -> Lock:
        """A lock: `with room.lock("trajectory", msg="Uploading") as lock`."""
        return Lock(self)

    @property
    def selection(self) -> tuple[int, ...]:
        """The atoms that are selected."""
        return self.portal.call(self.inner.get_selection())

    @selection.setter
    def selection(self, value: Any) -> None:
        self.portal.call(self.inner.selections.set(PARTICLES, value))

    @property
    def selections(self) -> Items[str, tuple[int, ...]]:
        """What is selected, by name; `particles` are the atoms. A missing one is ()."""
        return Items(self.portal, self.inner.selections)

    @selections.setter
    def selections(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.selections.replace(value))

    @property
    def selection_groups(self) -> Items[str, dict[str, tuple[int, ...]]]:
        """Selections that belong together, by name."""
        return Items(self.portal, self.inner.selection_groups)

    @selection_groups.setter
    def selection_groups(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.selection_groups.replace(value))

    @property
    def frame_selection(self) -> tuple[int, ...]:
        """The frames that are singled out."""
        return self.portal.call(self.inner.get_frame_selection())

    @frame_selection.setter
    def frame_selection(self, value: Any) -> None:
        self.portal.call(self.inner.set_frame_selection(value))

    @property
    def bookmarks(self) -> Items[int, str]:
        """Labels of frames."""
        return Items(self.portal, self.inner.bookmarks)

    @bookmarks.setter
    def bookmarks(self, value: Mapping[int, str]) -> None:
        self.portal.call(self.inner.bookmarks.replace(value))

    @property
    def geometries(self) -> Items[str, Geometry]:
        """What is drawn: models of `workroom.geometries`, by name."""
        return Items(self.portal, self.inner.geometries)

    @geometries.setter
    def geometries(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.geometries.replace(value))

    @property
    def figures(self) -> Figures:
        """Plotly figures, by name."""
        return Figures(self.portal, self.inner.figures)

    @figures.setter
    def figures(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.figures.replace(value))

    @property
    def metadata(self) -> Items[str, Any]:
        """What the room remembers about itself: JSON values, by name."""
        return Items(self.portal, self.inner.metadata)

    @metadata.setter
    def metadata(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.metadata.replace(value))

    @property
    def step(self) -> int:
        """The frame everybody looks at. Whoever sets it moves everybody there; -1 is the last one."""
        return self.portal.call(self.inner.get_step())

    @step.setter
    def step(self, value: int) -> None:
        self.portal.call(self.inner.set_step(value))

    @property
    def changes(self) -> list[Change]:
        """What was done in the room, the newest hundred first."""
        return notebook.Table(self.portal.call(self.inner.changes(limit=100)), notebook.CHANGES)

    def undo(self, what: Any = None) -> Undone:
        """Undo a change, or everything a job did: a change, a job's handle, or the id of either.

        Without either, the last change that is not undone. Overlap when later changes stand in the way.
        """
        return self.portal.call(self.inner.undo(what))
