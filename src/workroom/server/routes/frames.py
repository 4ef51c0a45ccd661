"""Frames: read, written and deleted, streamed both ways."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Header, Query, Request
from starlette.responses import Response, StreamingResponse

from workroom.actions import frames
from workroom.domain.edits import Extend, Insert, Places, Replace, Span, Where
from workroom.domain.errors import BadInput
from workroom.server.arriving import pieces_of
from workroom.server.documented import documented
from workroom.server.doorman import Reader
from workroom.server.hand import AsWriter
from workroom.server.house import AtHome
from workroom.server.strict import routes
from workroom.wire.frames import MEDIA_TYPE, framed
from workroom.wire.trajectories import Author, FrameChange, FrameMetadata, Written

router = routes("/api/rooms/{room}/frames", tag="frames")

_FURTHEST = 2**31 - 1
Position = Annotated[int | None, Query(ge=-_FURTHEST, le=_FURTHEST)]
Indices = Annotated[
    str | None, Query(description="Indices, and slices of them: `1,5,-1` or `0:100:2,500`.", examples=["0,-1"])
]
Step = Annotated[int | None, Query(ge=-_FURTHEST, le=_FURTHEST, description="Not 0.")]
Keys = Annotated[
    list[str] | None,
    Query(description="Only these keys of each frame, separated by commas.", examples=["arrays.positions,cell"]),
]
Revision = Annotated[int | None, Header(alias="Workroom-Revision", ge=0, le=2**62)]
_STREAM: dict[str, Any] = {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}


@router.get(
    "",
    summary="Frames, by indices or by a slice",
    response_class=Response,
    responses={200: {"content": _STREAM, "description": "A stream of frames."}, **documented(404, 409)},
)
async def read(
    house: AtHome,
    visit: Reader,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
    keys: Keys = None,
) -> Response:
    """Without indices and slice all of them. `Workroom-Length` and `Workroom-Revision` say of which trajectory."""
    wanted = None if keys is None else {key for some in keys for key in some.split(",")}
    reading = await frames.read(house.engine, visit.room, _where(indices, start, stop, step), wanted)
    headers = {"Workroom-Length": str(reading.length), "Workroom-Revision": str(reading.revision)}
    if len(reading.sizes) == 1:
        content = b"".join([part async for some in reading.frames for frame in some for part in framed(frame)])
        return Response(content, headers=headers, media_type=MEDIA_TYPE)
    if wanted is None:
        headers["Content-Length"] = str(sum(8 + size + -size % 8 for size in reading.sizes))
    return StreamingResponse(_stream(reading.frames), headers=headers, media_type=MEDIA_TYPE)


@router.get("/metadata", summary="What a frame consists of, and who made it", responses=documented(404, 409))
async def metadata(
    house: AtHome, visit: Reader, index: Annotated[int, Query(ge=-_FURTHEST, le=_FURTHEST)] = 0
) -> FrameMetadata:
    data, position, found = await frames.describe(house.engine, visit.room, index)
    author = None if found.author is None else Author(id=found.author, name=found.author_name or "")
    change = FrameChange.model_validate({**found._asdict(), "id": found.change_id, "author": author})
    return FrameMetadata(index=position, length=data.length, revision=data.revision, keys=found.keys, change=change)


@router.post(
    "",
    summary="Put frames in",
    responses=documented(403, 404, 409, 413, 423),
    openapi_extra={"requestBody": {"required": True, "content": _STREAM}},
)
async def write(
    house: AtHome,
    writing: AsWriter,
    request: Request,
    action: Literal["append", "extend", "insert", "replace", "arrange"] = "extend",
    index: Position = None,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
) -> Written:
    """`append` takes one frame, `extend` any number; `insert` puts them before `index`; `replace` in the place of
    `index` or `indices`, as many, or of a slice. All of the stream is written, or nothing. `arrange` takes no frames:
    it keeps those named, in this order."""
    _check_encoding(request)
    pieces = pieces_of(request)
    if action == "arrange":
        where = _where(indices, start, stop, step)
        written = await frames.arrange(house.engine, writing.room, writing.hand, where)
    elif action == "append":
        written = await frames.append(house.engine, writing.room, writing.hand, pieces)
    else:
        where = Places([index]) if index is not None and action == "replace" else _where(indices, start, stop, step)
        if action == "insert" and index is None:
            raise BadInput("Where to insert? Give index=…")
        if action == "replace" and where == Span():
            raise BadInput("What to replace? Give index=…, indices=…, or start=… and stop=…")
        edit = Extend() if action == "extend" else Insert(index or 0) if action == "insert" else Replace(where)
        written = await frames.write(house.engine, writing.room, writing.hand, edit, pieces)
    return Written.model_validate(written)


@router.delete("", summary="Take frames out", responses=documented(403, 404, 409, 423))
async def delete(
    house: AtHome,
    writing: AsWriter,
    indices: Indices = None,
    start: Position = None,
    stop: Position = None,
    step: Step = None,
    revision: Revision = None,
) -> Written:
    """If `Workroom-Revision` is sent, only while the room's data is still at that."""
    where = _where(indices, start, stop, step)
    if where == Span():
        raise BadInput("What to delete? Give indices=… or start=… and stop=…; start=0 alone is everything.")
    written = await frames.delete(house.engine, writing.room, writing.hand, where, revision=revision)
    return Written.model_validate(written)


def _where(indices: str | None, start: int | None, stop: int | None, step: int | None) -> Where:
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
    if len(numbers) > 3 or (len(numbers) == 3 and numbers[2] == 0) or any(abs(one) > _FURTHEST for one in numbers):
        raise BadInput(f"{part!r:.40} is no index.")
    if len(numbers) == 1:
        return range(numbers[0], numbers[0] + 1)
    found = range(*numbers)
    if len(found) > _MOST_INDICES:
        raise BadInput(f"{part!r:.40} is more than {_MOST_INDICES:,} indices. Give a slice with start=… and stop=…")
    return found


_MOST_INDICES = 1_000_000


def _check_encoding(request: Request) -> None:
    if request.headers.get("content-encoding", "identity") != "identity":
        raise BadInput("Send frames as they are, without a Content-Encoding.")
    kind = request.headers.get("content-type", MEDIA_TYPE).partition(";")[0].strip()
    if kind not in (MEDIA_TYPE, "application/octet-stream"):
        raise BadInput(f"Frames are sent as {MEDIA_TYPE}, not as {kind!r:.100}.")


async def _stream(batches: AsyncIterator[list[bytes]]) -> AsyncIterator[bytes]:
    async for batch in batches:
        yield b"".join([part for frame in batch for part in framed(frame)])
