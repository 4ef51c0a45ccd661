"""A room's trajectory: asynchronous reads and writes of frames.

Frames are streamed: decoded as they arrive, sent while they are produced. Each call is written in one transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from workroom.client.frames import indexing
from workroom.client.frames.ase_codec import encode_atoms
from workroom.client.frames.indexing import Index, Params
from workroom.client.frames.prefetch import FramePrefetcher
from workroom.client.frames.transfer import FrameSink, Upload, aiter_chunks, stream
from workroom.client.frames.write_batch import WriteBatch
from workroom.client.net.http import ApiClient
from workroom.domain.errors import Conflict, NoSuchFrame, RevisionConflict
from workroom.domain.names import room_path
from workroom.wire.frames import MEDIA_TYPE, encode
from workroom.wire.trajectories import FrameMetadata, RoomState

if TYPE_CHECKING:
    from ase import Atoms

_MAX_TRIES = 20


class AsyncFrames:
    """The trajectory methods of a room."""

    name: str

    @property
    def access(self) -> ApiClient:
        raise NotImplementedError

    def write_headers(self, target: str) -> dict[str, str]:
        """The headers of a write on this target: the token of a held lock."""
        return {}

    open_batch: WriteBatch | None = None
    frames_version = 0  # raised whenever the trajectory may have changed; invalidates prefetched frames

    def frames_changed(self, _: Any = None) -> None:
        """The trajectory was changed by this client, or by another one according to an event."""
        self.frames_version += 1

    @property
    def _path(self) -> str:
        return f"{room_path(self.name)}/frames"

    async def state(self) -> RoomState:
        """Length, step and revision of the room's data."""
        await self._flush()
        return RoomState.model_validate(await self.access.get(f"{room_path(self.name)}/state"))

    async def length(self) -> int:
        """How many frames the room has."""
        return (await self.state()).length

    async def frame(self, index: int) -> Atoms:
        """One frame; IndexError if there is none at this index."""
        return (await self._read({"indices": str(indexing.checked_index(index))})).atoms[0]

    async def frames(self, where: Index = slice(None)) -> list[Atoms]:
        """Several frames: selected by a slice, by indices, or by a mask."""
        if indexing.is_single(where):
            return [await self.frame(cast(int, where))]
        return (await self.fetch(where)).atoms

    async def get(self, index: Index, keys: Iterable[str] | None = None) -> Any:
        """Values of a frame by key, e.g. `get(0, keys=["arrays.positions"])`; a list for several frames."""
        single = indexing.is_single(index)
        found = await self.fetch([cast(int, index)] if single else index, keys=keys, as_values=True)
        return found.values[0] if single else found.values

    async def frame_metadata(self, index: int = 0) -> FrameMetadata:
        """The keys, dtypes and shapes of a frame, and the change that wrote it."""
        await self._flush()
        answer = await self.access.get(f"{self._path}/metadata", index=indexing.checked_index(index))
        return FrameMetadata.model_validate(answer)

    async def fetch(self, where: Index, *, keys: Iterable[str] | None = None, as_values: bool = False) -> FrameSink:
        params = await self.params_of(where)
        if not indexing.fits_in_url(params):
            return await self._fetch_parts(params, keys, as_values)
        if keys is not None:
            params["keys"] = ",".join([keys] if isinstance(keys, str) else keys)
        return await self._read(params, as_values)

    async def get_atoms(self) -> Atoms:
        """The frame at the current step of the room."""
        state = await self.state()
        if state.length == 0:
            raise NoSuchFrame("The room has no frames yet.")
        return await self.frame(min(state.step, state.length - 1))

    async def set_atoms(self, atoms: Atoms) -> None:
        """Replace the frame at the current step; append it if the room is empty."""
        state = await self.state()
        if state.length == 0:
            await self.append(atoms)
        else:
            await self.set_frames(min(state.step, state.length - 1), atoms)

    def batch(self, *, every: float | None = None) -> WriteBatch:
        """Collect the writes of an `async with room.batch():` block in one request, sent at its end or before reads.

        With `every`, what was collected is sent each so many seconds, while the block goes on.
        """
        return WriteBatch(self, every)

    async def append(self, atoms: Atoms) -> None:
        """Append a frame."""
        await self._send({"action": "append"}, stream(encode_atoms(atoms)))

    async def extend(self, frames: Iterable[Atoms] | AsyncIterator[Atoms], *, progress: bool = False) -> None:
        """Append frames in one transaction; `progress` shows a progress bar."""
        await self.send_all({"action": "extend"}, frames, progress=progress)

    async def insert(self, index: int, atoms: Atoms) -> None:
        """Insert a frame before an index, as with a list."""
        index = max(-indexing.MAX_INDEX, min(indexing.MAX_INDEX, index))
        await self._send({"action": "insert", "index": index}, stream(encode_atoms(atoms)))

    async def set_frames(self, index: Index, value: Atoms | Iterable[Atoms]) -> None:
        """Replace frames: `set_frames(0, atoms)`, `set_frames(slice(2, 5), frames)`."""
        if indexing.is_single(index):
            params = {"action": "replace", "index": indexing.checked_index(index)}
            await self._send(params, stream(encode_atoms(cast("Atoms", value))))
        else:
            params = await self.params_of(index)
            await self.send_all({"action": "replace"} | params, cast("Iterable[Atoms]", value))

    async def delete(self, where: Index) -> None:
        """Remove frames in one request."""
        params = await self.params_of([cast(int, where)] if indexing.is_single(where) else where)
        await self._delete(params)

    async def clear(self) -> None:
        """Remove every frame."""
        await self._delete({"start": 0})

    async def pop(self, index: int = -1) -> Atoms:
        """Remove a frame and return it."""
        for _ in range(_MAX_TRIES):
            found = await self._read({"indices": str(indexing.checked_index(index))})
            try:
                await self._delete({"indices": str(index)}, revision=found.revision)
                return found.atoms[0]
            except RevisionConflict:
                continue  # the trajectory changed between read and delete: the index may mean another frame
        raise Conflict("Other clients keep changing this room. Lock it: `with room.lock():`.")

    async def arrange(self, where: Index) -> None:
        """Rearrange the trajectory to these frames, in this order: others are removed, repeated ones are duplicated."""
        await self._send({"action": "arrange"} | await self.params_of(where), b"")

    async def reverse(self) -> None:
        """Reverse the order of the frames on the server; no frame is transferred."""
        await self.arrange(slice(None, None, -1))

    async def sort(self, *, key: Callable[[Atoms], Any], reverse: bool = False) -> None:
        """Sort the frames on the server, e.g. `key=lambda atoms: atoms.info["energy"]`; no frame is sent back."""
        keys = [key(atoms) async for atoms in self]
        await self.arrange(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse))

    async def index(self, value: Atoms) -> int:
        """The index of the first frame that equals this one; ValueError if there is none."""
        position = 0
        async for atoms in self:
            if atoms == value:
                return position
            position += 1
        raise ValueError(f"{value} is not a frame of this room.")

    async def count(self, value: Atoms) -> int:
        """How many frames equal this one."""
        return len([atoms async for atoms in self if atoms == value])

    async def remove(self, value: Atoms) -> None:
        """Remove the first frame that equals this one."""
        await self.delete(await self.index(value))

    async def copy(self) -> list[Atoms]:
        """All frames."""
        return await self.frames()

    async def send_all(self, params: Params, frames: Any, *, progress: bool = False) -> None:
        """Send frames while the iterable produces them."""
        upload = self.open_upload(params)
        try:
            async for chunk in aiter_chunks(frames, progress=progress):
                await upload.add(chunk)
            await upload.finish()
        except BaseException:
            await upload.abort()
            raise

    def open_upload(self, params: Params) -> Upload:
        """Start a write whose frames are added later."""

        async def send(content: bytes | AsyncIterator[bytes]) -> None:
            if not isinstance(content, bytes):
                # A stream cannot be repeated, so this request renews an expired token before the upload.
                await self.state()
            await self._send(params, content)

        return Upload(send)

    async def params_of(self, where: Index) -> Params:
        """The request parameters that select these frames."""
        if isinstance(where, slice):
            return indexing.slice_params(where)
        if indexing.is_mask(where):
            return indexing.index_params(indexing.from_mask(where, await self.length()))
        return indexing.index_params(indexing.from_sequence(where))

    async def _fetch_parts(self, params: Params, keys: Iterable[str] | None, as_values: bool) -> FrameSink:
        """Fetch more indices than fit in one URL with several requests, all of the same revision."""
        parts = _split_indices(str(params["indices"]).split(","))
        more = {} if keys is None else {"keys": ",".join(keys)}
        for _ in range(_MAX_TRIES):
            found = [await self._read({"indices": ",".join(part)} | more, as_values) for part in parts]
            if len({part.revision for part in found}) == 1:
                whole = found[0]
                for part in found[1:]:
                    whole.atoms += part.atoms
                    whole.values += part.values
                return whole
        raise Conflict("Other clients keep changing this room. Lock it: `with room.lock():`.")

    async def _read(self, params: Params, as_values: bool = False) -> FrameSink:
        await self._flush()
        fetched = FrameSink(as_values)
        await self.access.download(self._path, params, fetched)
        return fetched

    async def _send(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None:
        if self.open_batch is not None:
            if isinstance(content, bytes) and await self.open_batch.add(params, content):
                return
            await self.open_batch.flush()
        await self.send_now(params, content)

    async def send_now(self, params: Params, content: bytes | AsyncIterator[bytes]) -> None:
        if not indexing.fits_in_url(params):
            # The indices do not fit in the URL: they are sent in the body, before the frames.
            before = stream(encode({"indices": np.array(indexing.indices_in(params))}))
            params = params | {"indices": "body"}
            content = before + content if isinstance(content, bytes) else _prepended(before, content)
        headers = {"Content-Type": MEDIA_TYPE} | self.write_headers("trajectory")
        await self.access.upload(self._path, params, content, headers)
        self.frames_changed()

    async def _flush(self) -> None:
        if self.open_batch is not None:
            await self.open_batch.flush()

    async def _delete(self, params: Params, revision: int | None = None) -> None:
        await self._flush()
        if not indexing.fits_in_url(params):
            await self.send_now({"action": "delete"} | params, b"")
            return
        headers = self.write_headers("trajectory")
        if revision is not None:
            headers |= {"Workroom-Revision": str(revision)}
        await self.access.request("DELETE", self._path, params=params, headers=headers, repeatable=False)
        self.frames_changed()

    async def __aiter__(self) -> AsyncIterator[Atoms]:
        """Iterate over all frames; the next ones are prefetched."""
        prefetcher = FramePrefetcher(self)
        while (atoms := await prefetcher.next()) is not None:
            yield atoms


async def _prepended(before: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield before
    async for chunk in rest:
        yield chunk


def _split_indices(indices: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    size = 0
    for index in indices:
        if size + len(index) > 40_000:
            parts.append([])
            size = 0
        parts[-1].append(index)
        size += len(index) + 1
    return parts
