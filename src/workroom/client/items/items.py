"""What a room shows, asynchronously: items by their keys, the step, and the changes that led here.

Nothing is kept here: every read asks the server, so that all see the same.
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
)
from workroom.client.locks import WAIT_SECONDS, AsyncLock, HeldLocks
from workroom.client.net.http import ApiClient
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.rooms.items import PARTICLES
from workroom.domain.rooms.locks import TRAJECTORY
from workroom.wire.geometries import Geometry
from workroom.wire.scene import Change, Changes, Undone

K = TypeVar("K")
V = TypeVar("V")


class AsyncItems(Generic[K, V]):
    """The items of one sort in a room, by key."""

    def __init__(self, room: AsyncScene, sort: ItemKind) -> None:
        self._room = room
        self._sort = sort

    async def all(self) -> dict[K, V]:
        """All of them."""
        if self._sort.one_by_one:
            return {key: await self.get(key) for key in await self.keys()}
        found = (await self._room.ask(self._sort.path))[self._sort.field]
        return {self._sort.key_in(key): self._sort.value_in(value) for key, value in found.items()}

    async def keys(self) -> list[K]:
        if self._sort.one_by_one:
            return [self._sort.key_in(one["key"]) for one in (await self._room.ask(self._sort.path))["items"]]
        return list(await self.all())

    async def get(self, key: K) -> V:
        """One of them; KeyError when there is none, but an empty selection where there is no selection."""
        if self._sort.one_by_one:
            try:
                return self._sort.value_in(await self._room.ask(self._path(key)))
            except NotFound:
                raise KeyError(key) from None
        found = await self.all()
        if key not in found and self._sort.missing is not None:
            return self._sort.missing
        return found[key]

    async def set(self, key: K, value: Any) -> None:
        body = self._sort.body_out(self._sort.value_out(value))
        await self._room.tell("PUT", self._path(key), self._sort.target, body)

    async def delete(self, key: K) -> None:
        """Remove one; KeyError when there is none."""
        try:
            await self._room.tell("DELETE", self._path(key), self._sort.target)
        except NotFound:
            raise KeyError(key) from None

    async def update(self, values: Mapping[K, Any]) -> None:
        """Set several, in one change."""
        if self._sort.one_by_one:
            for key, value in values.items():
                await self.set(key, value)
        else:
            await self._room.tell("PATCH", self._sort.path, self._sort.target, self._whole(values))

    async def replace(self, values: Mapping[K, Any]) -> None:
        """Set these, and remove all others, in one change."""
        await self._room.tell("PUT", self._sort.path, self._sort.target, self._whole(values))

    def _whole(self, values: Mapping[K, Any]) -> dict[str, Any]:
        return {
            self._sort.field: {
                self._sort.key_out(key): self._sort.value_out(value) for key, value in dict(values).items()
            }
        }

    def _path(self, key: K) -> str:
        return f"{self._sort.path}/{quote(self._sort.key_out(key), safe='')}"


class AsyncFigures(AsyncItems[str, Any]):
    """Plotly figures: go in and come out as `plotly.graph_objects.Figure`; a dict as Plotly writes it goes in too."""

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
        """Have the points of a trace stand for `"frames"` or `"atoms"`; without indices, point by point."""
        link: dict[str, Any] = {"trace": trace, "to": to, "selection": selection, "frame": frame}
        link["indices"] = None if indices is None else indices_of(indices)
        try:
            figure = figure_of(await self._room.ask(self._path(key)))
        except NotFound:
            raise KeyError(key) from None
        known: list[dict[str, Any]] = figure.get("links") or []
        others = [one for one in known if one["trace"] != trace]
        await self._room.tell("PUT", self._path(key), self._sort.target, figure | {"links": [*others, link]})

    async def links(self, key: str) -> list[dict[str, Any]]:
        """What the points of a figure stand for."""
        return (await self._room.ask(self._path(key))).get("links") or []


class AsyncScene:
    """The part of a room that is beside its trajectory."""

    name: str
    locks: HeldLocks

    @property
    def access(self) -> ApiClient:
        raise NotImplementedError

    async def settle(self) -> None:
        """Before anything is asked or told: writes that were held back go out."""

    @property
    def selections(self) -> AsyncItems[str, tuple[int, ...]]:
        return AsyncItems(self, SELECTIONS)

    @property
    def selection_groups(self) -> AsyncItems[str, dict[str, tuple[int, ...]]]:
        return AsyncItems(self, GROUPS)

    @property
    def bookmarks(self) -> AsyncItems[int, str]:
        return AsyncItems(self, BOOKMARKS)

    @property
    def geometries(self) -> AsyncItems[str, Geometry]:
        return AsyncItems(self, GEOMETRIES)

    @property
    def figures(self) -> AsyncFigures:
        return AsyncFigures(self, FIGURES)

    @property
    def metadata(self) -> AsyncItems[str, Any]:
        return AsyncItems(self, METADATA)

    async def get_selection(self) -> tuple[int, ...]:
        """The atoms that are selected."""
        return await self.selections.get(PARTICLES)

    async def set_selection(self, indices: Any) -> None:
        await self.selections.set(PARTICLES, indices)

    async def get_frame_selection(self) -> tuple[int, ...]:
        """The frames that are singled out."""
        return tuple((await self.ask("frame-selection"))["indices"] or ())

    async def set_frame_selection(self, indices: Any) -> None:
        """Single out frames; None: none of them any more."""
        body = {"indices": None if indices is None else indices_of(indices)}
        await self.tell("PUT", "frame-selection", "frame-selection", body)

    async def get_step(self) -> int:
        """The frame everybody looks at."""
        return (await self.ask("step"))["step"]

    async def set_step(self, step: int) -> None:
        """Move everybody to a frame; -1 is the last one."""
        await self.settle()
        await self.access.put(f"/api/rooms/{self.name}/step", {"step": indices_of([step], negative=True)[0]})

    async def presence(self) -> list[dict[str, Any]]:
        """Who is in the room, and with how many sockets."""
        return (await self.ask("presence"))["people"]

    async def changes(
        self, job: Any = None, *, before: Change | UUID | str | None = None, limit: int = 50
    ) -> list[Change]:
        """What was done in the room, newest first; by one job, if it is given."""
        await self.settle()
        answer = await self.access.get(
            f"/api/rooms/{self.name}/changes",
            jobId=None if job is None else _id(job),
            before=None if before is None else _id(before),
            limit=limit,
        )
        return Changes.model_validate(answer).items

    async def undo(self, what: Any = None) -> Undone:
        """Undo a change, or everything a job did: a `Change`, a job's handle, or the id of either.

        Without either, the last change that is not undone.
        """
        await self.settle()
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
        """The right to write a target, for the length of a block: `async with room.lock(msg="Uploading")`.

        It is waited for when somebody else has it: for `wait` seconds, None for as long as it takes; then RoomLocked
        says who has it. It lasts `ttl` seconds (60, at most 300) without a sign of life, and is refreshed meanwhile.
        """
        return AsyncLock(self.locks, target, msg, ttl=ttl, wait=wait)

    def write_headers(self, target: str) -> dict[str, str]:
        """What a write on this target says besides: the lock that is held."""
        return self.locks.headers(target)

    async def ask(self, path: str) -> Any:
        await self.settle()
        return await self.access.get(f"/api/rooms/{self.name}/{path}")

    async def tell(self, method: str, path: str, target: str, body: Any = None) -> None:
        """A write: not sent twice, unless it comes to the same."""
        await self.settle()
        await self.access.request(
            method,
            f"/api/rooms/{self.name}/{path}",
            body=body,
            headers=self.write_headers(target),
            repeatable=method == "PUT",
        )

    async def _undo(self, path: str, body: Any = None) -> Undone:
        headers = self.locks.headers()
        answer = await self.access.request("POST", f"/api/rooms/{self.name}/{path}", body=body, headers=headers)
        self.undone()
        return Undone.model_validate(answer)

    def undone(self) -> None:
        """Anything may be different now."""

    async def _last_change(self) -> Change:
        for change in await self.changes(limit=500):
            if change.undone_by is None and change.undo_of is None:
                return change
        raise NotFound("There is nothing in this room that could be undone.")


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
