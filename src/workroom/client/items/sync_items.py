"""Items, step, changes and locks of a room, as blocking mappings and properties.

Each access runs the asynchronous method on the background loop and waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Generic, Self, TypeVar

from workroom.client import representations
from workroom.client.items.items import AsyncFigures, AsyncItems, AsyncScene
from workroom.client.locks import WAIT_SECONDS, AsyncLock
from workroom.client.portal import Portal
from workroom.domain.rooms.items import PARTICLES
from workroom.domain.rooms.locks import TRAJECTORY
from workroom.wire.geometries import Geometry
from workroom.wire.room_items import Change, Undone

K = TypeVar("K")
V = TypeVar("V")


class Items(MutableMapping[K, V], Generic[K, V]):
    """The items of one kind in a room. Each access is a request; each write is a change that can be undone."""

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
        """Set several items in one change."""
        values: dict[Any, Any] = dict(*others, **more)
        self._portal.call(self._inner.update(values))

    def clear(self) -> None:
        """Remove all items in one change."""
        self._portal.call(self._inner.replace({}))

    def copy(self) -> dict[K, V]:
        """All items as a dict."""
        return self._portal.call(self._inner.all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self.copy() == dict(other)  # pyright: ignore[reportUnknownArgumentType]

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return repr(self.copy())


class Figures(Items[str, Any]):
    """Plotly figures, as `plotly.graph_objects.Figure`."""

    def __init__(self, portal: Portal, inner: AsyncFigures) -> None:
        super().__init__(portal, inner)
        self._figures = inner

    def link(self, key: str, to: str, indices: Sequence[int] | None = None, **more: Any) -> None:
        """Link the points of a trace to `"frames"` or `"atoms"`; without indices, point n is linked to number n."""
        self._portal.call(self._figures.link(key, to, indices, **more))

    def links(self, key: str) -> list[dict[str, Any]]:
        """The links of a figure's points to frames or atoms."""
        return self._portal.call(self._figures.links(key))

    def __repr__(self) -> str:
        return f"<figures {', '.join(self) or 'none'}>"


class Lock:
    """A lock for the duration of a block: `with room.lock("trajectory", msg="Uploading") as lock`."""

    def __init__(self, room: SyncScene, **options: Any) -> None:
        self._room = room
        self._inner = AsyncLock(room.inner.locks, **options)

    def __call__(
        self,
        target: str = TRAJECTORY,
        msg: str | None = None,
        *,
        ttl: float | None = None,
        wait: float | None = WAIT_SECONDS,
    ) -> Lock:
        """A lock on a target.

        If another client holds it, this waits for `wait` seconds (None: without limit), then raises RoomLocked, which
        names the holder. The lock is refreshed while the block runs. It expires `ttl` seconds (default 60, at most 300)
        after the last refresh.
        """
        return Lock(self._room, target=target, msg=msg, ttl=ttl, wait=wait)

    @property
    def target(self) -> str:
        return self._inner.target

    @property
    def fence(self) -> int:
        """The fencing token: larger than that of every earlier grant of this lock."""
        return self._inner.fence

    @property
    def is_lost(self) -> bool:
        return self._inner.is_lost

    @property
    def msg(self) -> str:
        """The message that users of the room see while the lock is held; assigning changes it."""
        return self._inner.msg

    @msg.setter
    def msg(self, msg: str) -> None:
        self.update(msg)

    def update(self, msg: str) -> None:
        """Change the message that users of the room see; LockLost if the lock is lost."""
        self._room.portal.call(self._inner.update(msg))

    def __enter__(self) -> Self:
        self._room.portal.call(self._inner.__aenter__())
        return self

    def __exit__(self, *error: object) -> None:
        self._room.portal.call(self._inner.__aexit__(*error))

    def __repr__(self) -> str:
        return repr(self._inner).replace("Async", "", 1)


class SyncScene:
    """The blocking properties of a room for items, step, changes, undo and locks."""

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
        """The selected atoms."""
        return self.portal.call(self.inner.get_selection())

    @selection.setter
    def selection(self, value: Any) -> None:
        self.portal.call(self.inner.selections.set(PARTICLES, value))

    @property
    def selections(self) -> Items[str, tuple[int, ...]]:
        """Selections by name; `particles` is that of the atoms. A missing one is ()."""
        return Items(self.portal, self.inner.selections)

    @selections.setter
    def selections(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.selections.replace(value))

    @property
    def selection_groups(self) -> Items[str, dict[str, tuple[int, ...]]]:
        """Groups of selections, by name."""
        return Items(self.portal, self.inner.selection_groups)

    @selection_groups.setter
    def selection_groups(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.selection_groups.replace(value))

    @property
    def frame_selection(self) -> tuple[int, ...]:
        """The selected frames."""
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
        """What the viewer draws: models of `workroom.geometries`, by name."""
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
        """Metadata of the room: JSON values, by name."""
        return Items(self.portal, self.inner.metadata)

    @metadata.setter
    def metadata(self, value: Mapping[str, Any]) -> None:
        self.portal.call(self.inner.metadata.replace(value))

    @property
    def step(self) -> int:
        """The index of the frame that all users of the room see. Setting it moves them all; -1 is the last frame."""
        return self.portal.call(self.inner.get_step())

    @step.setter
    def step(self, value: int) -> None:
        self.portal.call(self.inner.set_step(value))

    @property
    def presence(self) -> list[dict[str, Any]]:
        """The users in the room, each with the number of their connections."""
        return self.portal.call(self.inner.presence())

    @property
    def changes(self) -> list[Change]:
        """The last hundred changes of the room, newest first."""
        return representations.Table(self.portal.call(self.inner.changes(limit=100)), representations.CHANGES)

    def undo(self, what: Any = None) -> Undone:
        """Undo a change, or all changes of a job: give a `Change`, a job handle, or the id of either.

        Without an argument it undoes the last change that is not undone yet. UndoConflict if later changes touch the
        same frames or items.
        """
        return self.portal.call(self.inner.undo(what))
