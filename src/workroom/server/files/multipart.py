"""Finds the file in a multipart/form-data body while the body arrives."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from workroom.domain.errors import BadInput

_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})"?', re.IGNORECASE)
_FILENAME = re.compile(rb'filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_LONGEST_HEADER = 16_384


@dataclass
class FormFile:
    """A file in a form: its name, and its content as a stream."""

    name: str
    content: AsyncIterator[bytes]


def parse_boundary(content_type: str) -> bytes | None:
    """The boundary between the parts of a form; None when the content type is not a form."""
    if not content_type.lower().startswith("multipart/form-data"):
        return None
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise BadInput("The Content-Type of the form has no boundary.")
    return b"--" + found[1].encode("latin-1")


async def find_file(chunks: AsyncIterator[bytes], boundary: bytes) -> FormFile:
    """The first file of a form. Fields before it are skipped; parts after it are not read."""
    rest = b""
    delimiter = boundary
    while True:
        rest = await _skip_past(chunks, rest, delimiter)
        rest, header = await _read_header(chunks, rest)
        if header is None:
            raise BadInput("The form has no file.")
        delimiter = b"\r\n" + boundary
        if found := _FILENAME.search(header):
            name = re.sub(rb"\\(.)", rb"\1", found[1]).decode("utf-8", "replace")
            return FormFile(name, _content(chunks, rest, delimiter))


async def _skip_past(chunks: AsyncIterator[bytes], rest: bytes, delimiter: bytes) -> bytes:
    """The bytes after the next delimiter."""
    while (at := rest.find(delimiter)) < 0:
        chunk = await anext(chunks, None)
        if chunk is None:
            raise BadInput("The form breaks off, or has no file.")
        rest = rest[-len(delimiter) :] + chunk
    return rest[at + len(delimiter) :]


async def _read_header(chunks: AsyncIterator[bytes], rest: bytes) -> tuple[bytes, bytes | None]:
    """The bytes after the header of a part, and the header; None after the last part."""
    while (at := rest.find(b"\r\n\r\n")) < 0 and not rest.startswith(b"--"):
        chunk = await anext(chunks, None)
        if chunk is None or len(rest) > _LONGEST_HEADER:
            raise BadInput("The form breaks off, or a part of it has no header.")
        rest += chunk
    return (rest, None) if at < 0 else (rest[at + 4 :], rest[:at])


async def _content(chunks: AsyncIterator[bytes], rest: bytes, delimiter: bytes) -> AsyncIterator[bytes]:
    while (at := rest.find(delimiter)) < 0:
        # The delimiter may span two chunks, so as many bytes as its length are held back.
        if len(rest) > len(delimiter):
            yield rest[: -len(delimiter)]
            rest = rest[-len(delimiter) :]
        chunk = await anext(chunks, None)
        if chunk is None:
            raise BadInput("The form breaks off in the middle of the file.")
        rest += chunk
    if at:
        yield rest[:at]
