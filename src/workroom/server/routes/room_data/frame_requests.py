"""Parses requests about frames: the selected frames, and the stream of frames in the body."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request

from workroom.domain.errors import BadInput
from workroom.domain.rooms.trajectory_edits import Places, Span, Where
from workroom.wire.frames import MEDIA_TYPE, decode, framed

MAX_POSITION = 2**31 - 1
IN_BODY = "body"  # the value of `indices` when the body begins with them
_MOST_INDICES = 1_000_000


def parse_selection(indices: str | None, start: int | None, stop: int | None, step: int | None) -> Where:
    if step == 0:
        raise BadInput("The step of a slice cannot be 0.")
    if indices is None:
        return Span(start, stop, step)
    if (start, stop, step) != (None, None, None):
        raise BadInput("Give either indices=… or a slice, not both.")
    ranges = [_numbers(part) for part in indices.split(",") if part]
    if sum(map(len, ranges)) > _MOST_INDICES:
        raise BadInput(f"{indices!r:.40} is more than {_MOST_INDICES:,} indices. Give a slice with start=… and stop=…")
    return Places(ranges[0] if len(ranges) == 1 else [number for one in ranges for number in one])


def _numbers(part: str) -> range:
    """The range of one index, or of a slice `start:stop[:step]`."""
    try:
        numbers = [int(number) for number in part.split(":")]
    except ValueError:
        raise BadInput(f"{part!r:.40} is not an index.") from None
    if (
        len(numbers) > 3
        or (len(numbers) == 3 and numbers[2] == 0)
        or any(abs(number) > MAX_POSITION for number in numbers)
    ):
        raise BadInput(f"{part!r:.40} is not an index.")
    if len(numbers) == 1:
        return range(numbers[0], numbers[0] + 1)
    return range(*numbers)


async def split_leading_indices(chunks: AsyncIterator[bytes]) -> tuple[Where, AsyncIterator[bytes]]:
    """The indices at the beginning of a body, for requests with more than fit into a URL, and the rest of the body."""
    buffer = bytearray()
    size = 8
    async for chunk in chunks:
        buffer += chunk
        if len(buffer) >= 8:
            length = int.from_bytes(buffer[:8], "little")
            size = 8 + length + -length % 8
            if length > 8 * _MOST_INDICES + 200:
                raise BadInput(f"At most {_MOST_INDICES:,} indices can be selected at once.")
            if len(buffer) >= size:
                break
    if len(buffer) < size:
        raise BadInput("The stream ends in the middle of its indices.")
    found: Any = decode(bytes(buffer[8 : 8 + int.from_bytes(buffer[:8], "little")])).get("indices")
    if getattr(found, "ndim", 0) != 1 or found.dtype.kind not in "iu":
        raise BadInput("The body must begin with a map that holds 'indices', an array of integers.")
    if (found < -MAX_POSITION).any() or (found > MAX_POSITION).any():
        raise BadInput(f"An index is between -{MAX_POSITION:,} and {MAX_POSITION:,}.")
    return Places(found.tolist()), _prepend(bytes(buffer[size:]), chunks)


async def _prepend(buffer: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if buffer:
        yield buffer
    async for chunk in rest:
        yield chunk


def check_encoding(request: Request) -> None:
    if request.headers.get("content-encoding", "identity") != "identity":
        raise BadInput("Send frames without a Content-Encoding.")
    media_type = request.headers.get("content-type", MEDIA_TYPE).partition(";")[0].strip()
    if media_type not in (MEDIA_TYPE, "application/octet-stream"):
        raise BadInput(f"Send frames as {MEDIA_TYPE}, not as {media_type!r:.100}.")


async def frame_stream(batches: AsyncIterator[list[bytes]]) -> AsyncIterator[bytes]:
    async for batch in batches:
        yield b"".join([part for frame in batch for part in framed(frame)])
