"""Items of a room beside its trajectory, its step, and its history of changes, asynchronously.

Nothing is cached: every read is a request, so that all clients see the same state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import UUID

from workroom.client.items.codecs import (
    BOOKMARKS,
    FIGURES,
    GEOMETRIES,
    GROUPS,
    METADATA,
    SELECTIONS,
    ItemKind,
    figure_of,
    indices_of,
    with_link,
)
from workroom.client.locks import WAIT_SECONDS, AsyncLock, HeldLocks
from workroom.client.net.http import ApiClient
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.names import room_path
from workroom.domain.rooms.items import PARTICLES
from workroom.domain.rooms.locks import TRAJECTORY
from workroom.wire.geometries import Geometry
from workroom.wire.room_items import Change, Changes, Undone

K = TypeVar("K")
V = TypeVar("V")


class AsyncItems(Generic[K, V]):
    """The items of one kind in a room, by key."""

    def __init__(self, room: AsyncScene, kind: ItemKind) -> None:
        self._room = room
        self._kind = kind

    async def all(self) -> dict[K, V]:
        """All items of this kind."""
        if self._kind.fetched_singly:
            return {key: await self.get(key) for key in await self.keys()}
        found = (await self._room.fetch_json(self._kind.path))[self._kind.field]
        return {self._kind.key_in(key): self._kind.value_in(value) for key, value in found.items()}

    async def keys(self) -> list[K]:
        if self._kind.fetched_singly:
            return [self._kind.key_in(one["key"]) for one in (await self._room.fetch_json(self._kind.path))["items"]]
        return list(await self.all())

    async def get(self, key: K) -> V:
        """One item; KeyError if it does not exist. A missing selection is an empty one."""
        if self._kind.fetched_singly:
            try:
                return self._kind.value_in(await self._room.fetch_json(self._path(key)))
            except NotFound:
                raise KeyError(key) from None
        found = await self.all()
        if key not in found and self._kind.missing is not None:
            return self._kind.missing
        return found[key]

    async def set(self, key: K, value: Any) -> None:
        body = self._kind.body_out(self._kind.value_out(value))
        await self._room.write("PUT", self._path(key), self._kind.target, body)

    async def delete(self, key: K) -> None:
        """Remove an item; KeyError if it does not exist."""
        try:
            await self._room.write("DELETE", self._path(key), self._kind.target)
        except NotFound:
            raise KeyError(key) from None

    async def update(self, values: Mapping[K, Any]) -> None:
        """Set several items in one change."""
        if self._kind.fetched_singly:
            for key, value in values.items():
                await self.set(key, value)
        else:
            await self._room.write("PATCH", self._kind.path, self._kind.target, self._body(values))

    async def replace(self, values: Mapping[K, Any]) -> None:
        """Set these items and remove all others, in one change."""
        await self._room.write("PUT", self._kind.path, self._kind.target, self._body(values))

    def _body(self, values: Mapping[K, Any]) -> dict[str, Any]:
        return {
            self._kind.field: {
                self._kind.key_out(key): self._kind.value_out(value) for key, value in dict(values).items()
            }
        }

    def _path(self, key: K) -> str:
        return f"{self._kind.path}/{quote(self._kind.key_out(key), safe='')}"


class AsyncFigures(AsyncItems[str, Any]):
    """Plotly figures, as `plotly.graph_objects.Figure`; a dict in Plotly's format can be assigned too."""

    async def link(
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
        try:
            figure = figure_of(await self._room.fetch_json(self._path(key)))
        except NotFound:
            raise KeyError(key) from None
        linked = with_link(figure, to, indices, trace=trace, selection=selection, frame=frame)
        await self._room.write("PUT", self._path(key), self._kind.target, linked)

    async def links(self, key: str) -> list[dict[str, Any]]:
        """The links of a figure's points to frames or atoms."""
        return (await self._room.fetch_json(self._path(key))).get("links") or []


class AsyncScene:
    """The methods of a room for items, step, presence, changes, undo and locks."""

    name: str
    locks: HeldLocks

    @property
    def access(self) -> ApiClient:
        raise NotImplementedError

    async def flush_writes(self) -> None:
        """Send the writes of an open batch, before any other request."""

    @property
    def selections(self) -> AsyncItems[str, tuple[int, ...]]:
        """Selections by name; `particles` is that of the atoms. A missing one is ()."""
        return AsyncItems(self, SELECTIONS)

    @property
    def selection_groups(self) -> AsyncItems[str, dict[str, tuple[int, ...]]]:
        """Groups of selections, by name."""
        return AsyncItems(self, GROUPS)

    @property
    def bookmarks(self) -> AsyncItems[int, str]:
        """Labels of frames."""
        return AsyncItems(self, BOOKMARKS)

    @property
    def geometries(self) -> AsyncItems[str, Geometry]:
        """What the viewer draws: models of `workroom.geometries`, by name."""
        return AsyncItems(self, GEOMETRIES)

    @property
    def figures(self) -> AsyncFigures:
        """Plotly figures, by name."""
        return AsyncFigures(self, FIGURES)

    @property
    def metadata(self) -> AsyncItems[str, Any]:
        """Metadata of the room: JSON values, by name."""
        return AsyncItems(self, METADATA)

    async def get_selection(self) -> tuple[int, ...]:
        """The selected atoms."""
        return await self.selections.get(PARTICLES)

    async def set_selection(self, indices: Any) -> None:
        """Select atoms; an empty list selects none."""
        await self.selections.set(PARTICLES, indices)

    async def get_frame_selection(self) -> tuple[int, ...]:
        """The selected frames."""
        return tuple((await self.fetch_json("frame-selection"))["indices"] or ())

    async def set_frame_selection(self, indices: Any) -> None:
        """Select frames; None removes the frame selection."""
        body = {"indices": None if indices is None else indices_of(indices)}
        await self.write("PUT", "frame-selection", "frame-selection", body)

    async def get_step(self) -> int:
        """The current step: the index of the frame that all users of the room see."""
        return (await self.fetch_json("step"))["step"]

    async def set_step(self, step: int) -> None:
        """Set the step for all users of the room; -1 is the last frame."""
        await self.flush_writes()
        await self.access.put(f"{room_path(self.name)}/step", {"step": indices_of([step], negative=True)[0]})

    async def presence(self) -> list[dict[str, Any]]:
        """The users in the room, each with the number of their connections."""
        return (await self.fetch_json("presence"))["people"]

    async def changes(
        self, job: Any = None, *, before: Change | UUID | str | None = None, limit: int = 50
    ) -> list[Change]:
        """The changes of the room, newest first; only those of one job if it is given."""
        await self.flush_writes()
        answer = await self.access.get(
            f"{room_path(self.name)}/changes",
            jobId=None if job is None else _id(job),
            before=None if before is None else _id(before),
            limit=limit,
        )
        return Changes.model_validate(answer).items

    async def undo(self, what: Any = None) -> Undone:
        """Undo a change, or all changes of a job: give a `Change`, a job handle, or the id of either.

        Without an argument it undoes the last change that is not undone yet.
        """
        await self.flush_writes()
        if what is None:
            what = await self._last_change()
        if isinstance(what, Change):
            return await self._undo(f"changes/{what.id}/undo")
        if not isinstance(what, UUID | str):
            return await self._undo("changes/undo", {"jobId": str(_id(what))})
        try:
            return await self._undo(f"changes/{_id(what)}/undo")
        except NotFound:
            return await self._undo("changes/undo", {"jobId": str(_id(what))})

    def lock(
        self,
        target: str = TRAJECTORY,
        msg: str | None = None,
        *,
        ttl: float | None = None,
        wait: float | None = WAIT_SECONDS,
    ) -> AsyncLock:
        """A lock on a target for the duration of a block: `async with room.lock(msg="Uploading")`.

        If another client holds it, this waits for `wait` seconds (None: without limit), then raises RoomLocked, which
        names the holder. The lock is refreshed while the block runs. It expires `ttl` seconds (default 60, at most 300)
        after the last refresh.
        """
        return AsyncLock(self.locks, target, msg, ttl=ttl, wait=wait)

    def write_headers(self, target: str) -> dict[str, str]:
        """The headers of a write on this target: the token of a held lock."""
        return self.locks.headers(target)

    async def fetch_json(self, path: str) -> Any:
        await self.flush_writes()
        return await self.access.get(f"{room_path(self.name)}/{path}")

    async def write(self, method: str, path: str, target: str, body: Any = None) -> None:
        """Send a write. Only PUT is repeated after a lost response, because it is idempotent."""
        await self.flush_writes()
        await self.access.request(
            method,
            f"{room_path(self.name)}/{path}",
            body=body,
            headers=self.write_headers(target),
            repeatable=method == "PUT",
        )

    async def _undo(self, path: str, body: Any = None) -> Undone:
        headers = self.locks.headers()
        answer = await self.access.request("POST", f"{room_path(self.name)}/{path}", body=body, headers=headers)
        self.after_undo()
        return Undone.model_validate(answer)

    def after_undo(self) -> None:
        """Called after an undo: the room may have changed in any part."""

    async def _last_change(self) -> Change:
        for change in await self.changes(limit=500):
            if change.undone_by is None and change.undo_of is None:
                return change
        raise NotFound("There is no change in this room that can be undone.")


def _id(what: Any) -> UUID:
    """The id of a change or of a job."""
    known = getattr(what, "job_id", None) if not isinstance(what, Change) else None
    known = known or getattr(what, "id", what)
    if isinstance(known, UUID):
        return known
    try:
        return UUID(str(known))
    except ValueError:
        raise BadInput(f"{what!r} is neither a change nor a job, nor the id of one.") from None
