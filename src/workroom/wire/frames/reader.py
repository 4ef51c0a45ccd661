"""Reads frames as mappings of views, or only their layout.

Consecutive frames of a trajectory usually have the same layout. The reader keeps the bytes before each value of the
last frame and compares them in one step. Only a frame that differs is parsed value by value.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from workroom.wire.frames.dtypes import LONGEST_KEY, Layout
from workroom.wire.frames.parser import ArrayHead, Parser, Restore, malformed


class _Expected(NamedTuple):
    """The bytes before a value, and the type of the value."""

    prefix: bytes  # the key; for an array also its header
    length: int  # of the prefix
    key: str
    kind: type[Any] | None  # of a value other than an array, or of a scalar array
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    size: int
    text: ArrayHead | None  # of an array of text, whose content is checked


class FrameReader:
    """Reads the frames of one stream. `restore` converts maps with unknown tags."""

    def __init__(self, restore: Restore = dict) -> None:
        self._restore = restore
        self._begin = b""
        self._expected: list[_Expected] = []
        self._layout: Layout = {}

    def read(self, data: bytes | bytearray, start: int = 0, stop: int | None = None) -> dict[str, Any]:
        """The values of the frame between start and stop. Arrays are views, writable if the data is."""
        stop = len(data) if stop is None else stop
        if self._expected and data.startswith(self._begin, start):
            values: dict[str, Any] = {}
            at = start + len(self._begin)
            for prefix, length, key, kind, dtype, shape, size, text in self._expected:
                if not data.startswith(prefix, at):
                    break
                at += length
                if kind is not None:
                    parser = Parser(data, start, stop, self._restore, at)
                    values[key] = parser.value(0)
                    at = parser.at
                elif at + size > stop or (at - start) & 7:
                    break
                else:
                    if text is not None:
                        text.check(data, at)
                    values[key] = np.ndarray(shape, dtype, data, at)
                    at += size
            else:
                if at == stop:
                    return values
        return self._parse(data, start, stop)

    def layout(self, data: bytes | bytearray, start: int = 0, stop: int | None = None) -> Layout:
        """The layout of the frame. Frames with the same layout return the same object."""
        stop = len(data) if stop is None else stop
        if self._expected and data.startswith(self._begin, start):
            at = start + len(self._begin)
            for prefix, length, _, kind, _, _, size, text in self._expected:
                if not data.startswith(prefix, at):
                    break
                at += length
                if kind is not None:
                    parser = Parser(data, start, stop, self._restore, at)
                    if type(parser.value(0)) is not kind or kind in _KINDS_OF_ANY_SHAPE:
                        break
                    at = parser.at
                elif at + size > stop or (at - start) & 7:
                    break
                else:
                    if text is not None:
                        text.check(data, at)
                    at += size
            else:
                if at == stop:
                    return self._layout
        self._parse(data, start, stop)
        return self._layout

    def _parse(self, data: bytes | bytearray, start: int, stop: int) -> dict[str, Any]:
        parser = Parser(data, start, stop, self._restore)
        values: dict[str, Any] = {}
        expected: list[_Expected] = []
        layout: Layout = {}
        count = parser.map_length()
        begin = bytes(data[start : parser.at])
        for _ in range(count):
            entry_start = parser.at
            key = parser.text()
            if not 0 < len(key) <= LONGEST_KEY or "\0" in key:
                raise malformed(f"a key takes text of 1 to {LONGEST_KEY} characters, without NUL")
            if key in values:
                raise malformed(f"{key!r:.100} occurs twice")
            head = _NO_ARRAY
            prefix_end = parser.at
            if parser.array_follows():
                head = parser.array_head()
                layout[key] = {"dtype": head.dtype.str, "shape": list(head.shape)}
                if head.shape:
                    prefix_end = parser.at
                values[key] = head.view(data, parser.skip(head.size))
            else:
                values[key] = parser.value(0)
                layout[key] = {"type": _type_name(values[key])}
            prefix = bytes(data[entry_start:prefix_end])
            kind = None if head.shape else cast(type[Any], type(values[key]))
            text = head if head.dtype.kind == "U" else None
            expected.append(_Expected(prefix, len(prefix), key, kind, *head, text))
        if parser.at != stop:
            raise malformed("it does not end where it should")
        self._begin, self._expected = begin, expected
        if layout != self._layout or list(layout) != list(self._layout):
            self._layout = layout
        return values


_NO_ARRAY = ArrayHead(np.dtype("<f8"), (), 0)
_KINDS_OF_ANY_SHAPE = frozenset({np.ndarray, np.str_})


def _type_name(value: Any) -> str:
    return "none" if value is None else type(value).__name__


def decode(frame: bytes | bytearray) -> dict[str, Any]:
    """The values of one frame."""
    return FrameReader().read(frame)
