"""A room's trajectory, asynchronously.

Frames travel as streams: read as they arrive, sent while they are made. What is sent in one call is written in one
transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from workroom.client.frames import indexing
from workroom.client.frames.ase_codec import encode_atoms
from workroom.client.frames.indexing import Index, Params
from workroom.client.frames.prefetch import ReadAhead
from workroom.client.frames.transfer import Fetched, Upload, aiter_chunks, stream
from workroom.client.frames.write_batch import Batch
from workroom.client.net.http import ApiClient
from workroom.domain.errors import Conflict, NoSuchFrame, RevisionConflict
from workroom.wire.frames import MEDIA_TYPE, encode
from workroom.wire.trajectories import FrameMetadata, RoomState

if TYPE_CHECKING:
    from ase import Atoms

_TRIES = 20


class AsyncFrames:
    """The part of a room that is a trajectory."""

    name: str

    @property
    def access(self) -> ApiClient:
        raise NotImplementedError

    def write_headers(self, target: str) -> dict[str, str]:
        """What a write on this target says besides: the lock that is held."""
        return {}

    open_batch: Batch | None = None
    frames_version = 0  # raised whenever the trajectory may have changed: whatever was read ahead is old then

    def frames_changed(self, _: Any = None) -> None:
        """The trajectory was changed, from here or, as an event tells, by others."""
        self.frames_version += 1

    @property
    def _path(self) -> str:
        return f"/api/rooms/{self.name}/frames"

    async def state(self) -> RoomState:
        """Length, step and revision of the room's data."""
        await self._flush()
        return RoomState.model_validate(await self.access.get(f"/api/rooms/{self.name}/state"))

    async def length(self) -> int:
        return (await self.state()).length

    async def frame(self, index: int) -> Atoms:
        """One frame; IndexError when there is none."""
        return (await self._read({"indices": str(indexing.one_of(index))})).atoms[0]

    async def frames(self, where: Index = slice(None)) -> list[Atoms]:
        """Some frames: by a slice, by indices, or by a mask."""
        if indexing.is_one(where):
            return [await self.frame(cast(int, where))]
        return (await self.fetch(where)).atoms

    async def get(self, index: Index, keys: Iterable[str] | None = None) -> Any:
        """The values of a frame by their keys, e.g. `get(0, keys=["arrays.positions"])`; of several frames a list."""
        one = indexing.is_one(index)
        found = await self.fetch([cast(int, index)] if one else index, keys=keys, as_values=True)
        return found.values[0] if one else found.values

    async def frame_metadata(self, index: int = 0) -> FrameMetadata:
        """What a frame consists of, and which change brought it."""
        await self._flush()
        answer = await self.access.get(f"{self._path}/metadata", index=indexing.one_of(index))
        return FrameMetadata.model_validate(answer)

    async def fetch(self, where: Index, *, keys: Iterable[str] | None = None, as_values: bool = False) -> Fetched:
        params = await self.params_of(where)
        if not indexing.fits(params):
            return await self._fetch_parts(params, keys, as_values)
        if keys is not None:
            params["keys"] = ",".join([keys] if isinstance(keys, str) else keys)
        return await self._read(params, as_values)

    async def get_atoms(self) -> Atoms:
        """The frame everybody looks at."""
        state = await self.state()
        if state.length == 0:
            raise NoSuchFrame("The room has no frames yet.")
        return await self.frame(min(state.step, state.length - 1))

    async def set_atoms(self, atoms: Atoms) -> None:
        """Put a frame in the place of the one everybody looks at; into an empty room as its first."""
        state = await self.state()
        if state.length == 0:
            await self.append(atoms)
        else:
            await self.set_frames(min(state.step, state.length - 1), atoms)

    def batch(self) -> Batch:
        """Writes within `async with room.batch():` go out together when it ends, or when something is read."""
        return Batch(self)

    async def append(self, atoms: Atoms) -> None:
        """Put a frame at the end."""
        await self._send({"action": "append"}, stream(encode_atoms(atoms)))

    async def extend(self, frames: Iterable[Atoms] | AsyncIterator[Atoms], *, progress: bool = False) -> None:
        """Put frames at the end, in one transaction however many there are; `progress` shows a bar."""
        await self.send_all({"action": "extend"}, frames, progress=progress)

    async def insert(self, index: int, atoms: Atoms) -> None:
        """Put a frame before another, as with a list."""
        index = max(-indexing.FURTHEST, min(indexing.FURTHEST, index))
        await self._send({"action": "insert", "index": index}, stream(encode_atoms(atoms)))

    async def set_frames(self, index: Index, value: Atoms | Iterable[Atoms]) -> None:
        """Put frames in the place of others: `set_frames(0, atoms)`, `set_frames(slice(2, 5), frames)`."""
        if indexing.is_one(index):
            params = {"action": "replace", "index": indexing.one_of(index)}
            await self._send(params, stream(encode_atoms(cast("Atoms", value))))
        else:
            params = await self.params_of(index)
            await self.send_all({"action": "replace"} | params, cast("Iterable[Atoms]", value))

    async def delete(self, where: Index) -> None:
        """Take frames out, all in one request."""
        params = await self.params_of([cast(int, where)] if indexing.is_one(where) else where)
        await self._delete(params)

    async def clear(self) -> None:
        await self._delete({"start": 0})

    async def pop(self, index: int = -1) -> Atoms:
        """Take a frame out, and have it."""
        for _ in range(_TRIES):
            found = await self._read({"indices": str(indexing.one_of(index))})
            try:
                await self._delete({"indices": str(index)}, revision=found.revision)
                return found.atoms[0]
            except RevisionConflict:
                continue  # somebody wrote between the two: it may be another frame now
        raise Conflict("Others write in this room all the time. Lock it: `with room.lock():`.")

    async def arrange(self, where: Index) -> None:
        """Keep these frames, in this order; others are taken out, and one named twice is there twice."""
        await self._send({"action": "arrange"} | await self.params_of(where), b"")

    async def reverse(self) -> None:
        await self.arrange(slice(None, None, -1))

    async def send_all(self, params: Params, frames: Any, *, progress: bool = False) -> None:
        """Send frames as they are made."""
        upload = self.open_upload(params)
        try:
            async for piece in aiter_chunks(frames, progress=progress):
                await upload.add(piece)
            await upload.finish()
        except BaseException:
            await upload.abort()
            raise

    def open_upload(self, params: Params) -> Upload:
        """A write whose frames are still to come."""

        async def send(content: bytes | AsyncIterator[bytes]) -> None:
            if not isinstance(content, bytes):
                # What is under way cannot be sent again: a token that has expired is renewed by this, beforehand.
                await self.state()
            await self._send(params, content)

        return Upload(send)

    async def params_of(self, where: Index) -> Params:
        """What a request says of these frames."""
        if isinstance(where, slice):
            return indexing.of_slice(where)
        if indexing.is_mask(where):
            return indexing.of_indices(indexing.from_mask(where, await self.length()))
        return indexing.of_indices(indexing.from_sequence(where))

    async def _fetch_parts(self, params: Params, keys: Iterable[str] | None, as_values: bool) -> Fetched:
        """More indices than one request can say; all of them of one revision."""
        parts = _parts(str(params["indices"]).split(","))
        more = {} if keys is None else {"keys": ",".join(keys)}
        for _ in range(_TRIES):
            found = [await self._read({"indices": ",".join(part)} | more, as_values) for part in parts]
            if len({one.revision for one in found}) == 1:
                whole = found[0]
                for one in found[1:]:
                    whole.atoms += one.atoms
                    whole.values += one.values
                return whole
        raise Conflict("Others write in this room all the time. Lock it: `with room.lock():`.")

    async def _read(self, params: Params, as_values: bool = False) -> Fetched:
        await self._flush()
        fetched = Fetched(as_values)
        await self.access.download(self._path, params, fetched)
        return fetched

    async def _send(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None:
        if self.open_batch is not None:
            if isinstance(content, bytes) and await self.open_batch.takes(params, content):
                return
            await self.open_batch.flush()
        await self.send_now(params, content)

    async def send_now(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None:
        if not indexing.fits(params):
            # More indices than a URL takes: they go before the frames.
            before = stream(encode({"indices": np.array(indexing.numbers_in(params))}))
            params = params | {"indices": "body"}
            content = before + content if isinstance(content, bytes) else _after(before, content)
        headers = {"Content-Type": MEDIA_TYPE} | self.write_headers("trajectory")
        await self.access.upload(self._path, params, content, headers)
        self.frames_changed()

    async def _flush(self) -> None:
        if self.open_batch is not None:
            await self.open_batch.flush()

    async def _delete(self, params: Params, revision: int | None = None) -> None:
        await self._flush()
        if not indexing.fits(params):
            await self.send_now({"action": "delete"} | params, b"")
            return
        headers = self.write_headers("trajectory")
        if revision is not None:
            headers |= {"Workroom-Revision": str(revision)}
        await self.access.request("DELETE", self._path, params=params, headers=headers, repeatable=False)
        self.frames_changed()

    async def __aiter__(self) -> AsyncIterator[Atoms]:
        """Every frame, read ahead."""
        ahead = ReadAhead(self)
        while (atoms := await ahead.next()) is not None:
            yield atoms


async def _after(before: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield before
    async for piece in rest:
        yield piece


def _parts(words: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    size = 0
    for word in words:
        if size + len(word) > 40_000:
            parts.append([])
            size = 0
        parts[-1].append(word)
        size += len(word) + 1
    return parts
