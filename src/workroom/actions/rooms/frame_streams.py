"""Writing and reading frames as streams.

An upload is one transaction. It inserts frames in batches, without a lock on the room. After the last one it locks
the room, checks the user's lock and the attempt of the job, and changes the trajectory. A failed upload is rolled back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.quotas.admission import StorageClaim
from workroom.actions.rooms import write_transaction
from workroom.actions.rooms.edit_trajectory import LOCK_TARGET, TrajectoryWritten, arrange_trajectory, edit_trajectory
from workroom.actions.rooms.frame_layouts import LayoutIds
from workroom.actions.rooms.write_transaction import WriteContext
from workroom.domain.errors import NotFound, SizeMismatch
from workroom.domain.rooms.rights import no_such_room
from workroom.domain.rooms.trajectory_edits import Delete, Edit, Extend, Insert, Places, Where, position_of
from workroom.store.room_tables import frames, trajectories
from workroom.store.room_tables.changes import RoomData
from workroom.store.room_tables.frames import FrameDescription, NewFrame
from workroom.wire.frames import FrameReader, Layout, Splitter, encode

_BUFFERED_BYTES = 1_000_000  # a smaller body takes none of the few places of uploads
_LARGE_FRAME_BYTES = 20_000
_SLOW_SECONDS = 0.01
_BATCH_BYTES = 4_000_000  # bytes of frames written or read with one statement


async def check_writable(engine: Engine, room: str, writer: WriteContext) -> None:
    """Check that the trajectory can be written now: the lock of another client, or the end of the job, forbids it."""
    await engine.transaction(
        lambda transaction: write_transaction.begin_write(transaction, room, writer, target=LOCK_TARGET)
    )


async def write(
    engine: Engine, room: str, writer: WriteContext, edit: Edit, pieces: AsyncIterator[bytes], *, size: int
) -> TrajectoryWritten:
    """Write the frames of a stream of at most `size` bytes as the edit says."""
    decoder = _FrameDecoder(engine, pieces)
    if size <= _BUFFERED_BYTES:
        found = await decoder.all()
        return await _with_claim(engine, room, engine.transaction, writer, edit, found)
    async with engine.uploads:
        first = await decoder.take(_BATCH_BYTES)
        return await _with_claim(engine, room, engine.transaction_once, writer, edit, first, decoder)


async def append(
    engine: Engine, room: str, writer: WriteContext, pieces: AsyncIterator[bytes], *, size: int
) -> TrajectoryWritten:
    """Append the one frame of a stream of at most `size` bytes."""
    decoder = _FrameDecoder(engine, pieces)
    async with engine.uploads if size > _BUFFERED_BYTES else nullcontext():
        found = await decoder.all(most=1)
        if len(found) != 1:
            raise SizeMismatch(f"To append takes exactly one frame, not {len(found)}. Extend takes any number.")
        return await _with_claim(engine, room, engine.transaction, writer, Extend(), found)


async def delete(engine: Engine, room: str, writer: WriteContext, where: Where) -> TrajectoryWritten:
    async def work(transaction: Transaction) -> TrajectoryWritten:
        draft = await write_transaction.begin_write(transaction, room, writer, target=LOCK_TARGET)
        return await edit_trajectory(transaction, draft, Delete(where), [])

    return await engine.transaction(work)


async def arrange(engine: Engine, room: str, writer: WriteContext, where: Where) -> TrajectoryWritten:
    """Keep only these frames, in this order."""

    async def work(transaction: Transaction) -> TrajectoryWritten:
        draft = await write_transaction.begin_write(transaction, room, writer, target=LOCK_TARGET)
        return await arrange_trajectory(transaction, draft, where)

    return await engine.transaction(work)


async def _with_claim(
    engine: Engine,
    room: str,
    run: Callable[[Callable[[Transaction], Awaitable[TrajectoryWritten]]], Awaitable[TrajectoryWritten]],
    writer: WriteContext,
    edit: Edit,
    found: Sequence[NewFrame],
    decoder: _FrameDecoder | None = None,
) -> TrajectoryWritten:
    """Write frames in a transaction that `run` runs, within the quotas of the room and of its owner."""
    claim = StorageClaim(engine, room)

    async def work(transaction: Transaction) -> TrajectoryWritten:
        nonlocal claim
        claim.release()  # a retried transaction claims anew
        claim = StorageClaim(engine, room)
        return await _write(transaction, room, writer, edit, found, claim, decoder)

    try:
        return await run(work)
    except BaseException:
        claim.release()
        raise


async def _write(
    transaction: Transaction,
    room: str,
    writer: WriteContext,
    edit: Edit,
    found: Sequence[NewFrame],
    claim: StorageClaim,
    decoder: _FrameDecoder | None = None,
) -> TrajectoryWritten:
    change_id = new_id()
    ids: list[int] = []
    grows = isinstance(edit, Extend | Insert)
    while found:
        await claim.add(
            transaction.connection,
            bytes=sum(len(frame.body) for frame in found),
            frames=len(found) if grows else 0,
        )
        ids += await frames.write(transaction.connection, change_id, found)
        found = [] if decoder is None else await decoder.take(_BATCH_BYTES)
    draft = await write_transaction.begin_write(transaction, room, writer, target=LOCK_TARGET, id=change_id)
    if decoder is not None:
        await claim.confirm(transaction.connection)
    return await edit_trajectory(transaction, draft, edit, ids, bytes=claim.bytes)


class _FrameDecoder:
    """Decodes and checks the frames of a stream, in batches."""

    def __init__(self, engine: Engine, pieces: AsyncIterator[bytes]) -> None:
        self._pieces = pieces
        self._splitter = Splitter()
        self._reader = FrameReader()
        self._layouts = LayoutIds(engine)
        self._in_thread = True  # the first frame; further ones only if one took long to read
        self._was_slow = False
        self.ended = False

    async def take(self, least: int) -> list[NewFrame]:
        """The next frames, at least `least` bytes of them; empty only at the end of the stream."""
        found: list[NewFrame] = []
        size = 0
        while not self.ended and (size < least or not found):
            piece = await anext(self._pieces, None)
            if piece is None:
                self._splitter.end()
                self.ended = True
                break
            data, spans = self._splitter.feed(piece)
            whole = memoryview(data)
            for start, stop in spans:
                layout = await self._layout(data, start, stop)
                found.append(NewFrame(await self._layouts.id_of(layout), whole[start:stop]))
            size += len(piece)
        return found

    async def _layout(self, data: bytes, start: int, stop: int) -> Layout:
        """The layout of a frame. One with many values outside arrays takes long to read, so a thread reads it."""
        started = time.perf_counter()
        if self._in_thread and stop - start > _LARGE_FRAME_BYTES:
            layout = await asyncio.to_thread(self._reader.layout, data, start, stop)
        else:
            layout = self._reader.layout(data, start, stop)
        self._was_slow |= time.perf_counter() - started > _SLOW_SECONDS
        self._in_thread = self._was_slow
        return layout

    async def all(self, most: int | None = None) -> list[NewFrame]:
        """All frames of the stream; with `most`, not many more than that."""
        found: list[NewFrame] = []
        while not self.ended and (most is None or len(found) <= most):
            found += await self.take(_BATCH_BYTES)
        return found


@dataclass(frozen=True, slots=True)
class FrameStream:
    """Frames that are being read."""

    length: int
    revision: int
    frames: AsyncIterator[list[bytes]]
    sizes: Sequence[int]  # of the frames in bytes, with all their keys


async def state(engine: Engine, room: str) -> RoomData:
    async with engine.database.connection() as connection:
        data = await trajectories.state(connection, room)
    if data is None:
        raise no_such_room()
    return data


async def read(engine: Engine, room: str, where: Where, keys: Collection[str] | None = None) -> FrameStream:
    """Read the selected frames as they are now; later writes do not change what is read."""
    if isinstance(where, Places) and len(where.indices) == 1:
        return await _read_one(engine, room, where.indices[0], keys)
    async with engine.database.connection() as connection:
        while True:
            data = await trajectories.state(connection, room)
            if data is None:
                raise no_such_room()
            positions = where.positions(data.length)
            if isinstance(positions, range) and positions.step == 1:
                selected = await trajectories.read_span(connection, data.number, positions.start, positions.stop)
            else:
                selected = await trajectories.read_positions(connection, data.number, positions)
            # A write between the two statements may have moved the frames: then select them again.
            if selected is not None and selected.revision == data.revision:
                return FrameStream(
                    data.length,
                    data.revision,
                    _read_bodies(engine, selected.ids or [], selected.sizes or [], keys),
                    selected.sizes or [],
                )


async def _read_one(engine: Engine, room: str, index: int, keys: Collection[str] | None) -> FrameStream:
    async with engine.database.connection() as connection:
        found = await trajectories.frame_at(connection, room, index)
    if found is None:
        raise no_such_room()
    position_of(index, found.length)
    if found.body is None:
        raise NotFound("The frame is gone.")
    body = found.body

    async def only() -> AsyncIterator[list[bytes]]:
        yield _select_keys([body], keys)

    return FrameStream(found.length, found.revision, only(), [len(body)])


async def _read_bodies(
    engine: Engine, ids: Sequence[int], sizes: Sequence[int], keys: Collection[str] | None
) -> AsyncIterator[list[bytes]]:
    """The bodies in bounded batches. No connection is held while the caller processes a batch."""
    start = 0
    while start < len(ids):
        stop, size = start, 0
        while stop < len(ids) and (stop == start or size + sizes[stop] <= _BATCH_BYTES):
            size += sizes[stop]
            stop += 1
        batch = ids[start:stop]
        async with engine.database.connection() as connection:
            found = await frames.bodies(connection, batch)
        if len(found) < len(set(batch)):
            raise NotFound("Frames were deleted while they were read.")
        yield _select_keys([found[frame_id] for frame_id in batch], keys)
        start = stop


def _select_keys(bodies: list[bytes], keys: Collection[str] | None) -> list[bytes]:
    """The frames with only the given keys."""
    if keys is None:
        return bodies
    reader = FrameReader()
    read = (reader.read(body) for body in bodies)
    return [encode({key: value for key, value in values.items() if key in keys}) for values in read]


async def describe(engine: Engine, room: str, index: int) -> tuple[RoomData, int, FrameDescription]:
    """The layout of a frame and the change that added it, without its body."""
    async with engine.database.connection() as connection:
        data = await trajectories.state(connection, room)
        if data is None:
            raise no_such_room()
        position = position_of(index, data.length)
        found = await frames.describe(connection, room=data.number, position=position)
    if found is None:
        raise NotFound("The frame is gone.")
    return data, position, found
