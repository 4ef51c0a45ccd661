"""What requests about frames say: which frames are meant, and those they bring."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request

from workroom.domain.errors import BadInput
from workroom.domain.rooms.edits import Places, Span, Where
from workroom.wire.frames import MEDIA_TYPE, decode, framed

FURTHEST = 2**31 - 1
IN_BODY = "body"  # said instead of indices: they are the first thing in the body
_MOST_INDICES = 1_000_000


def parse_selection(indices: str | None, start: int | None, stop: int | None, step: int | None) -> Where:
    if step == 0:
        raise BadInput("A slice's step is not 0.")
    if indices is None:
        return Span(start, stop, step)
    if (start, stop, step) != (None, None, None):
        raise BadInput("Give either indices=… or a slice, not both.")
    return Places([number for part in indices.split(",") if part for number in _numbers(part)])


def _numbers(part: str) -> range:
    """One index, or a slice with both its ends."""
    try:
        numbers = [int(number) for number in part.split(":")]
    except ValueError:
        raise BadInput(f"{part!r:.40} is no index.") from None
    if len(numbers) > 3 or (len(numbers) == 3 and numbers[2] == 0) or any(abs(one) > FURTHEST for one in numbers):
        raise BadInput(f"{part!r:.40} is no index.")
    if len(numbers) == 1:
        return range(numbers[0], numbers[0] + 1)
    found = range(*numbers)
    if len(found) > _MOST_INDICES:
        raise BadInput(f"{part!r:.40} is more than {_MOST_INDICES:,} indices. Give a slice with start=… and stop=…")
    return found


async def split_leading_indices(pieces: AsyncIterator[bytes]) -> tuple[Where, AsyncIterator[bytes]]:
    """The indices at the beginning of a body, for requests with more of them than a URL takes; and what follows."""
    begun = bytearray()
    size = 8
    async for piece in pieces:
        begun += piece
        if len(begun) >= 8:
            length = int.from_bytes(begun[:8], "little")
            size = 8 + length + -length % 8
            if length > 8 * _MOST_INDICES + 200:
                raise BadInput(f"At most {_MOST_INDICES:,} indices can be named at once.")
            if len(begun) >= size:
                break
    if len(begun) < size:
        raise BadInput("The stream ends in the middle of its indices.")
    found: Any = decode(bytes(begun[8 : 8 + int.from_bytes(begun[:8], "little")])).get("indices")
    if getattr(found, "ndim", 0) != 1 or found.dtype.kind not in "iu" or (abs(found) > FURTHEST).any():
        raise BadInput("A body that begins with indices has a map there with an array of whole numbers, 'indices'.")
    return Places([int(number) for number in found]), _after(bytes(begun[size:]), pieces)


async def _after(begun: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if begun:
        yield begun
    async for piece in rest:
        yield piece


def check_encoding(request: Request) -> None:
    if request.headers.get("content-encoding", "identity") != "identity":
        raise BadInput("Send frames as they are, without a Content-Encoding.")
    kind = request.headers.get("content-type", MEDIA_TYPE).partition(";")[0].strip()
    if kind not in (MEDIA_TYPE, "application/octet-stream"):
        raise BadInput(f"Frames are sent as {MEDIA_TYPE}, not as {kind!r:.100}.")


async def frame_stream(batches: AsyncIterator[list[bytes]]) -> AsyncIterator[bytes]:
    async for batch in batches:
        yield b"".join([part for frame in batch for part in framed(frame)])
