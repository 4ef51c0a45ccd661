"""The one file in a form (multipart/form-data), taken out while it arrives."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from workroom.domain.errors import BadInput

_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})"?', re.IGNORECASE)
_FILENAME = re.compile(rb'filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_LONGEST_HEAD = 16_384


@dataclass
class FormFile:
    """A file in a form: its name, and its content as it arrives."""

    name: str
    content: AsyncIterator[bytes]


def parse_boundary(content_type: str) -> bytes | None:
    """What stands between the parts of the form; None when it is none."""
    if not content_type.lower().startswith("multipart/form-data"):
        return None
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise BadInput("The form does not say its boundary.")
    return b"--" + found[1].encode("latin-1")


async def find_file(pieces: AsyncIterator[bytes], boundary: bytes) -> FormFile:
    """The first file of a form. Plain fields before it are skipped, what comes after it is not read."""
    rest = b""
    mark = boundary
    while True:
        rest = await _beyond(pieces, rest, mark)
        rest, head = await _head(pieces, rest)
        if head is None:
            raise BadInput("The form has no file.")
        mark = b"\r\n" + boundary
        if found := _FILENAME.search(head):
            name = re.sub(rb"\\(.)", rb"\1", found[1]).decode("utf-8", "replace")
            return FormFile(name, _content(pieces, rest, mark))


async def _beyond(pieces: AsyncIterator[bytes], rest: bytes, mark: bytes) -> bytes:
    """What comes after the next mark."""
    while (at := rest.find(mark)) < 0:
        piece = await anext(pieces, None)
        if piece is None:
            raise BadInput("The form breaks off, or has no file.")
        rest = rest[-len(mark) :] + piece
    return rest[at + len(mark) :]


async def _head(pieces: AsyncIterator[bytes], rest: bytes) -> tuple[bytes, bytes | None]:
    """The content that has come already, and the head before it; None after the last part."""
    while (at := rest.find(b"\r\n\r\n")) < 0 and not rest.startswith(b"--"):
        piece = await anext(pieces, None)
        if piece is None or len(rest) > _LONGEST_HEAD:
            raise BadInput("The form breaks off, or a part of it has no head.")
        rest += piece
    return (rest, None) if at < 0 else (rest[at + 4 :], rest[:at])


async def _content(pieces: AsyncIterator[bytes], rest: bytes, mark: bytes) -> AsyncIterator[bytes]:
    while (at := rest.find(mark)) < 0:
        # The mark may lie across two pieces: so much of its length is held back.
        if len(rest) > len(mark):
            yield rest[: -len(mark)]
            rest = rest[-len(mark) :]
        piece = await anext(pieces, None)
        if piece is None:
            raise BadInput("The form breaks off in the middle of the file.")
        rest += piece
    if at:
        yield rest[:at]
