"""Frames as mappings of views, or only what they consist of.

Frames of a trajectory look alike: what came before each value in one is expected in the next, and compared at once
instead of being taken apart again. Whatever differs is read step by step, and expected from then on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workroom.domain.errors import BadInput
from workroom.wire.frames.kinds import LONGEST_KEY, MOST_KEYS, Layout
from workroom.wire.frames.parser import ArrayHead, Parser, Restore, malformed


class _Expected(NamedTuple):
    """What comes before a value, and what the value is."""

    prefix: bytes  # the key; for an array everything up to its content
    key: str
    array: ArrayHead | None


class FrameReader:
    """Reads the frames of one stream."""

    def __init__(self, restore: Restore = dict) -> None:
        self._restore = restore
        self._expected: list[_Expected] = []
        self._signature: tuple[Any, ...] | None = None
        self._layout: Layout = {}

    def read(self, data: bytes | bytearray, start: int = 0, stop: int | None = None) -> dict[str, Any]:
        """The values of the frame between start and stop. Arrays are views: writable where the data is."""
        parser = Parser(data, start, len(data) if stop is None else stop, self._restore)
        values: dict[str, Any] = {}
        for place in range(parser.map_length()):
            expected, value = self._next(parser, place)
            if expected.array is not None:
                value = expected.array.view(data, parser.skip(expected.array.size))
            values[expected.key] = value
        self._check_end(parser, len(values))
        return values

    def layout(self, data: bytes | bytearray, start: int = 0, stop: int | None = None) -> Layout:
        """What the frame consists of. Frames that are alike get the same object."""
        parser = Parser(data, start, len(data) if stop is None else stop, self._restore)
        signature: list[Any] = []
        for place in range(parser.map_length()):
            expected, value = self._next(parser, place)
            if expected.array is not None:
                expected.array.check(data, parser.skip(expected.array.size))
                signature.append(expected)
            else:
                signature += expected.key, type(value)
        found = tuple(signature)
        if found != self._signature:
            layout = self._described(found)
            self._check_end(parser, len(layout))
            self._signature, self._layout = found, layout
        elif parser.at != parser.stop:
            raise malformed("it does not end where it should")
        return self._layout

    def _next(self, parser: Parser, place: int) -> tuple[_Expected, Any]:
        """What the next value is; the value itself, unless it is an array, which is left to be taken."""
        if place < len(self._expected):
            expected = self._expected[place]
            if parser.data.startswith(expected.prefix, parser.at):
                at = parser.at + len(expected.prefix)
                if expected.array is None:
                    parser.at = at
                    if not parser.array_follows():
                        return expected, parser.value(0)
                    parser.at = at - len(expected.prefix)
                elif (at - parser.start) & 7 == 0:
                    parser.at = at
                    return expected, None
        return self._unexpected(parser, place)

    def _unexpected(self, parser: Parser, place: int) -> tuple[_Expected, Any]:
        if place >= MOST_KEYS:
            raise BadInput(f"A frame has at most {MOST_KEYS:,} keys.")
        began = parser.at
        key = parser.text()
        if not 0 < len(key) <= LONGEST_KEY or "\0" in key:
            raise malformed(f"a key takes text of 1 to {LONGEST_KEY} characters, without NUL")
        array, value = None, None
        prefix_ends = parser.at
        if parser.array_follows():
            array = parser.array_head()
            prefix_ends = parser.at
        else:
            value = parser.value(0)
        expected = _Expected(bytes(parser.data[began:prefix_ends]), key, array)
        del self._expected[place + 1 :]
        self._expected[place:] = [expected]
        return expected, value

    @staticmethod
    def _described(signature: tuple[Any, ...]) -> Layout:
        layout: Layout = {}
        parts = iter(signature)
        for part in parts:
            if isinstance(part, _Expected):
                assert part.array is not None
                entry = {"dtype": part.array.dtype.str, "shape": list(part.array.shape)}
                key = part.key
            else:
                key, entry = part, {"type": _NAMES.get(kind := next(parts), kind.__name__)}
            if key in layout:
                raise malformed(f"{key!r:.100} comes twice")
            layout[key] = entry
        return layout

    @staticmethod
    def _check_end(parser: Parser, keys: int) -> None:
        if parser.at != parser.stop:
            raise malformed("it does not end where it should")
        if keys != parser.keys:
            raise malformed("a key comes twice")


_NAMES = {type(None): "none"}


def decode(frame: bytes | bytearray) -> dict[str, Any]:
    """The values of one frame."""
    return FrameReader().read(frame)
