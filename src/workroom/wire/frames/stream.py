"""Frames one after the other: each behind its length, padded to a multiple of 8."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from workroom.domain.errors import BadInput
from workroom.wire.frames.dtypes import MOST_BYTES

_LENGTH = struct.Struct("<Q")


def framed(frame: bytes) -> tuple[bytes, bytes, bytes]:
    """A frame as part of a stream: its length, itself, and the padding."""
    return _LENGTH.pack(len(frame)), frame, bytes(-len(frame) % 8)


class Splitter:
    """Takes a stream as it arrives, and hands out the frames that are whole."""

    def __init__(self) -> None:
        self._rest = b""
        self._missing = 0  # how many bytes until the frame that has begun is whole
        self._waiting: list[bytes] = []

    def feed(self, piece: bytes) -> tuple[bytes, list[tuple[int, int]]]:
        """The bytes at hand, and where in them each whole frame starts and stops."""
        self._waiting.append(piece)
        self._missing -= len(piece)
        if self._missing > 0:
            return b"", []
        data = b"".join((self._rest, *self._waiting)) if len(self._waiting) > 1 or self._rest else piece
        self._waiting.clear()
        spans: list[tuple[int, int]] = []
        at = 0
        while len(data) - at >= 8:
            (length,) = _LENGTH.unpack_from(data, at)
            if length > MOST_BYTES:
                raise BadInput(f"A frame has at most {MOST_BYTES:,} bytes; the stream announces one of {length:,}.")
            end = at + 8 + length + (-length % 8)
            if end > len(data):
                self._missing = end - len(data)
                break
            spans.append((at + 8, at + 8 + length))
            at = end
        else:
            self._missing = 8 - (len(data) - at)
        self._rest = data[at:]
        return data, spans

    def end(self) -> None:
        """The stream has ended: nothing may be left over."""
        if self._rest or self._waiting:
            raise BadInput("The stream ends in the middle of a frame.")


def split(stream: bytes) -> Iterator[tuple[int, int]]:
    """Where each frame of a whole stream starts and stops."""
    splitter = Splitter()
    _, spans = splitter.feed(stream)
    splitter.end()
    yield from spans
