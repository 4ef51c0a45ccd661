"""A strict msgpack parser with limits. Arrays are not copied."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from workroom.domain.errors import BadInput
from workroom.domain.values.hash_collisions import check_hashes
from workroom.wire.frames.dtypes import ARRAY, DEEPEST, DTYPES, MOST_BYTES, MOST_DIMENSIONS, MOST_ITEMS, MOST_KEYS, TAG

_LAST_CHARACTER = 0x10FFFF
_NUMBERS = {
    0xCA: struct.Struct(">f"),
    0xCB: struct.Struct(">d"),
    0xCC: struct.Struct(">B"),
    0xCD: struct.Struct(">H"),
    0xCE: struct.Struct(">I"),
    0xCF: struct.Struct(">Q"),
    0xD0: struct.Struct(">b"),
    0xD1: struct.Struct(">h"),
    0xD2: struct.Struct(">i"),
    0xD3: struct.Struct(">q"),
}
_ONE, _TWO, _FOUR = struct.Struct(">B"), struct.Struct(">H"), struct.Struct(">I")
_TEXTS = {0xD9: _ONE, 0xDA: _TWO, 0xDB: _FOUR}
_BYTES = {0xC4: _ONE, 0xC5: _TWO, 0xC6: _FOUR}
_LISTS = {0xDC: _TWO, 0xDD: _FOUR}
_MAPS = {0xDE: _TWO, 0xDF: _FOUR}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
Restore = Callable[[dict[str, Any]], Any]  # converts a map with a tag that the parser does not know
_ARRAY_FOLLOWS = b"\x84\xa5dtype"


def malformed(why: str) -> BadInput:
    return BadInput(f"The frame is malformed: {why}.")


class ArrayHead(NamedTuple):
    """The header of an array: everything but its content."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    size: int  # in bytes

    def view(self, data: bytes | bytearray, at: int) -> Any:
        self.check(data, at)
        view = np.ndarray(self.shape, self.dtype, data, at)
        return view if self.shape else view[()]

    def check(self, data: bytes | bytearray, at: int) -> None:
        """Check that text has valid code points only: NumPy raises on others when they are read."""
        if self.dtype.kind == "U" and self.size:
            characters = np.frombuffer(data, "<u4", self.size // 4, at)
            if int(characters.max()) > _LAST_CHARACTER:
                raise malformed("an array of text has a character that does not exist")


class Parser:
    """Reads values at the position `at`, and advances it."""

    def __init__(self, data: bytes | bytearray, start: int, stop: int, restore: Restore, at: int | None = None) -> None:
        self._restore = restore
        self.data = data
        self.start = start
        self.stop = stop
        self.at = start if at is None else at
        self._items = 0  # how many values were read

    def map_length(self) -> int:
        """Read the header of the frame: its number of keys."""
        head = self._byte()
        if 0x80 <= head <= 0x8F:
            keys = head & 0x0F
        elif head in _MAPS:
            keys = self._number(_MAPS[head])
        else:
            raise malformed("it is not a map")
        if keys > MOST_KEYS:
            raise BadInput(f"A frame has at most {MOST_KEYS:,} keys.")
        return keys

    def skip(self, size: int) -> int:
        """Advance by `size` bytes, and return where they begin."""
        at = self.at
        if at + size > self.stop:
            raise malformed("it ends too early")
        self.at = at + size
        return at

    def text(self) -> str:
        head = self._byte()
        if 0xA0 <= head <= 0xBF:
            size = head & 0x1F
        elif head in _TEXTS:
            size = self._number(_TEXTS[head])
        else:
            raise malformed("a key is not text")
        return self._text(size)

    def array_follows(self) -> bool:
        return self.data.startswith(_ARRAY_FOLLOWS, self.at)

    def array_head(self) -> ArrayHead:
        """Read the header of an array."""
        self.skip(len(_ARRAY_FOLLOWS))
        name = self.text()
        dtype = DTYPES.get(name)
        if dtype is None:
            raise malformed(f"{name!r:.40} is no dtype that a frame may have")
        self._expect(b"\xa5shape", "shape")
        shape = self._shape()
        self._expect(b"\xa3pad", "pad")
        self.skip(self._bytes_length())
        self._expect(b"\xa5bytes", "bytes")
        size = self._bytes_length()
        if size != prod(shape) * dtype.itemsize:
            raise malformed(f"an array of {name} and shape {list(shape)} does not have {size:,} bytes")
        if (self.at - self.start) & 7:
            raise malformed("the content of an array does not begin at a multiple of 8: its padding is wrong")
        if self.at + size > self.stop:
            raise malformed("it ends too early")
        return ArrayHead(dtype, shape, size)

    def value(self, depth: int) -> Any:
        """Whatever comes next."""
        self._items += 1
        if self._items > MOST_ITEMS:
            raise BadInput(f"A frame has at most {MOST_ITEMS:,} values that are not in arrays.")
        head = self._byte()
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 0x100
        if head <= 0x8F:
            return self._map(head & 0x0F, depth)
        if head <= 0x9F:
            return self._list(head & 0x0F, depth)
        if head <= 0xBF:
            return self._text(head & 0x1F)
        if head in _NUMBERS:
            return self._number(_NUMBERS[head])
        if head in _CONSTANTS:
            return _CONSTANTS[head]
        if head in _TEXTS:
            return self._text(self._number(_TEXTS[head]))
        if head in _BYTES:
            size = self._number(_BYTES[head])
            at = self.skip(size)
            return bytes(self.data[at : at + size])
        if head in _LISTS:
            return self._list(self._number(_LISTS[head]), depth)
        if head in _MAPS:
            return self._map(self._number(_MAPS[head]), depth)
        raise malformed(f"the byte {head:#x} begins nothing that a frame may have")

    def _list(self, length: int, depth: int) -> list[Any]:
        self._check_depth(depth)
        return [self.value(depth + 1) for _ in range(length)]

    def _map(self, length: int, depth: int) -> Any:
        self._check_depth(depth)
        if length == 4 and self.data.startswith(_ARRAY_FOLLOWS, self.at - 1):
            self.at -= 1
            head = self.array_head()
            return head.view(self.data, self.skip(head.size))
        items: dict[str, Any] = {}
        for _ in range(length):
            name = self.text()
            if name in items:
                raise malformed(f"{name!r:.100} occurs twice in a map")
            items[name] = self.value(depth + 1)
        if ARRAY in items:
            raise malformed("an array has the keys dtype, shape, pad and bytes, in this order")
        return _resolve_tag(items, self._restore) if TAG in items else items

    def _check_depth(self, depth: int) -> None:
        if depth >= DEEPEST:
            raise BadInput(f"The frame is nested more than {DEEPEST} levels deep.")

    def _shape(self) -> tuple[int, ...]:
        head = self._byte()
        length = head & 0x0F
        if not 0x90 <= head <= 0x9F or length > MOST_DIMENSIONS:
            raise malformed(f"a shape is a list of at most {MOST_DIMENSIONS} numbers")
        shape = tuple(self.value(0) for _ in range(length))
        if any(type(size) is not int or size < 0 for size in shape):
            raise malformed("a shape consists of whole numbers")
        # Also of an array without items: NumPy cannot make one whose other dimensions are larger than memory.
        if prod(max(1, size) for size in shape) > MOST_BYTES:
            raise malformed(f"the shape {list(shape)} is larger than a frame")
        return shape

    def _bytes_length(self) -> int:
        kind = _BYTES.get(self._byte())
        if kind is None:
            raise malformed("the content of an array is not binary data")
        return self._number(kind)

    def _expect(self, text: bytes, name: str) -> None:
        if not self.data.startswith(text, self.at):
            raise malformed(f"an array lacks {name!r} in its place")
        self.at += len(text)

    def _byte(self) -> int:
        at = self.at
        if at >= self.stop:
            raise malformed("it ends too early")
        self.at = at + 1
        return self.data[at]

    def _number(self, kind: struct.Struct) -> Any:
        return kind.unpack_from(self.data, self.skip(kind.size))[0]

    def _text(self, size: int) -> str:
        at = self.skip(size)
        try:
            return self.data[at : at + size].decode()
        except UnicodeDecodeError:
            raise malformed("a text is not UTF-8") from None


def _resolve_tag(items: dict[str, Any], restore: Restore) -> Any:
    """The value that a map with a tag represents."""
    match items:
        case {"!": "tuple", "items": list()}:
            return tuple(items["items"])
        case {"!": "int", "value": str(digits)} if digits.lstrip("-").isdecimal() and len(digits) < 4_000:
            return int(digits)
        case {"!": "dict", "items": list()}:
            return _dict(items["items"])
        case {"!": str()}:
            return restore(items)
        case _:
            raise malformed("the key '!' of a map must be the name of a type")


def _dict(pairs: list[Any]) -> dict[Any, Any]:
    try:
        check_hashes(key for key, _ in pairs)
        return dict(pairs)
    except (TypeError, ValueError):
        raise malformed("a dict is a list of pairs whose keys can be hashed") from None
