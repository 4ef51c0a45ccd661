"""Writes a mapping as a frame.

The header of an array is the same in every frame of a trajectory, so headers are cached.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgpack
import numpy as np

from workroom.domain.errors import BadInput
from workroom.wire.frames.dtypes import ARRAY, DEEPEST, DTYPES, LONGEST_KEY, LONGEST_TEXT, MOST_BYTES, MOST_KEYS, TAG

Array = np.ndarray[Any, Any]
Default = Callable[[Any], Any]

_MAX_CACHED = 10_000
_pack = cast(Callable[[Any], bytes], msgpack.Packer(autoreset=True).pack)  # pyright: ignore[reportUnknownMemberType]
_plain = frozenset({type(None), bool, float, str, bytes})
_header_cache: dict[tuple[str, np.dtype[Any], tuple[int, ...], int], bytes] = {}


def encode(values: Mapping[str, Any], default: Default | None = None) -> bytes:
    """The frame. `default` converts a value of an unsupported type into a supported one."""
    if len(values) > MOST_KEYS:
        raise BadInput(f"A frame has at most {MOST_KEYS:,} keys; this one has {len(values):,}.")
    header = _map_header(len(values))
    parts: list[Any] = [header]
    at = len(header)
    for key, value in values.items():
        if type(value) is np.ndarray:
            prefix = _header_cache.get((key, value.dtype, value.shape, at & 7)) or _prefix(key, value, at)
            parts.append(prefix)
            parts.append(value if value.flags.c_contiguous and value.dtype.isnative else _plainly(value))
            at += len(prefix) + value.nbytes
        else:
            name = _key(key)
            parts.append(name)
            at = _Writer(parts, key, default).put(value, at + len(name), 0)
    if at > MOST_BYTES:
        raise BadInput(f"A frame has at most {MOST_BYTES:,} bytes; this one has {at:,}.")
    return b"".join(parts)


class _Writer:
    """Appends one value to the parts of a frame."""

    def __init__(self, parts: list[Any], key: str, default: Default | None) -> None:
        self._parts = parts
        self._key = key
        self._default = default

    def put(self, value: Any, at: int, depth: int) -> int:
        """Append a value at offset `at`, and return the offset after it."""
        kind = cast(type[Any], type(value))
        if kind in _plain:
            return self._add(_scalar(value, self._key), at)
        if kind is int:
            if -(2**63) <= value < 2**64:
                return self._add(_pack(value), at)
            return self._map({TAG: "int", "value": str(value)}, at, depth)
        if depth >= DEEPEST:
            raise BadInput(f"{self._key!r} is nested more than {DEEPEST} levels deep, or contains itself.")
        if isinstance(value, np.ndarray | np.generic | complex):
            return self._array(np.asarray(value), at)
        if isinstance(value, list):
            return self._list(cast(list[Any], value), at, depth)
        if isinstance(value, tuple):
            return self._map({TAG: "tuple", "items": list(cast(tuple[Any], value))}, at, depth)
        if isinstance(value, dict):
            return self._dict(cast(dict[Any, Any], value), at, depth)
        if self._default is not None:
            return self._replaced(value, at, depth)
        raise _unfit(self._key, value)

    def _replaced(self, value: Any, at: int, depth: int) -> int:
        assert self._default is not None
        replaced = self._default(value)
        if replaced is None:
            raise _unfit(self._key, value)
        if isinstance(replaced, dict):
            return self._map(cast(dict[str, Any], replaced), at, depth)
        return self.put(replaced, at, depth + 1)

    def _add(self, part: bytes, at: int) -> int:
        self._parts.append(part)
        return at + len(part)

    def _array(self, array: Array, at: int) -> int:
        prefix = _array_header(self._key, array, at)
        self._parts += prefix, _plainly(array)
        return at + len(prefix) + _little(self._key, array.dtype).itemsize * array.size

    def _list(self, items: list[Any], at: int, depth: int) -> int:
        at = self._add(_list_header(len(items)), at)
        for item in items:
            at = self.put(item, at, depth + 1)
        return at

    def _dict(self, items: dict[Any, Any], at: int, depth: int) -> int:
        if all(type(name) is str for name in items) and TAG not in items and ARRAY not in items:
            return self._map(items, at, depth)
        return self._map({TAG: "dict", "items": [list(pair) for pair in items.items()]}, at, depth)

    def _map(self, items: dict[str, Any], at: int, depth: int) -> int:
        at = self._add(_map_header(len(items)), at)
        for name, item in items.items():
            at = self._add(_scalar(name, self._key), at)
            at = self.put(item, at, depth + 1)
        return at


def _prefix(key: str, array: Array, at: int) -> bytes:
    """Everything from a key to the content of its array."""
    name = _key(key)
    prefix = name + _array_header(key, array, at + len(name))
    if array.dtype.isnative:
        if len(_header_cache) >= _MAX_CACHED:
            _header_cache.clear()
        _header_cache[key, array.dtype, array.shape, at & 7] = prefix
    return prefix


def _array_header(key: str, array: Array, at: int) -> bytes:
    dtype = _little(key, array.dtype)
    size = dtype.itemsize * array.size
    before = b"".join(
        (
            b"\x84\xa5dtype",
            _pack(dtype.str),
            b"\xa5shape",
            _list_header(array.ndim),
            *map(_pack, array.shape),
            b"\xa3pad\xc4",
        )
    )
    after = b"\xa5bytes" + _bytes_header(size)
    pad = -(at + len(before) + 1 + len(after)) % 8
    return before + bytes([pad]) + bytes(pad) + after


def _little(key: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype as frames have it."""
    found = DTYPES.get("<U1" if dtype.str == "<U0" else dtype.newbyteorder("<").str)
    if found is None:
        hint = f"text of at most {LONGEST_TEXT} characters" if dtype.kind == "U" else "numbers, booleans or text"
        raise TypeError(f"{key!r} is an array of {dtype}, which a frame cannot hold: use {hint}.")
    return found


def _plainly(array: Array) -> Array:
    """The array in the byte order and memory order of frames."""
    return np.ascontiguousarray(array, dtype=_little("", array.dtype))


def _key(key: Any) -> bytes:
    if type(key) is not str or not 0 < len(key) <= LONGEST_KEY or "\0" in key:
        raise BadInput(f"{key!r:.100} is no key: it takes text of 1 to {LONGEST_KEY} characters, without NUL.")
    return _scalar(key, key)


def _scalar(value: Any, key: str) -> bytes:
    try:
        return _pack(value)
    except UnicodeEncodeError:
        raise BadInput(f"{key!r:.100} has text with a character that does not exist (a lone surrogate).") from None


def _unfit(key: str, value: Any) -> TypeError:
    kind = cast(type[Any], type(value))
    return TypeError(
        f"{key!r} holds a {kind.__module__}.{kind.__qualname__}, which a frame cannot hold: use numbers, text, lists, "
        "dicts or numpy arrays."
    )


def _map_header(length: int) -> bytes:
    return bytes([0x80 | length]) if length < 16 else struct.pack(">BI", 0xDF, length)


def _list_header(length: int) -> bytes:
    return bytes([0x90 | length]) if length < 16 else struct.pack(">BI", 0xDD, length)


def _bytes_header(size: int) -> bytes:
    if size < 2**8:
        return struct.pack(">BB", 0xC4, size)
    return struct.pack(">BH", 0xC5, size) if size < 2**16 else struct.pack(">BI", 0xC6, size)
