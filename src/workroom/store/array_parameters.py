"""Binary arrays as statement parameters.

The driver encodes a list item by item, which for a batch of reports costs as much as running the statement. These
classes know the type of their items and encode them in one call.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format

_UUID, _INT4, _INT8, _FLOAT4 = 2950, 23, 20, 700
_UUID_ARRAY, _INT4_ARRAY, _INT8_ARRAY, _FLOAT4_ARRAY = 2951, 1007, 1016, 1021


class Uuids(list[UUID]):
    """Goes to the database as `uuid[]`."""


class Integers(list[int]):
    """Goes to the database as `integer[]`."""


class Longs(list[int]):
    """Goes to the database as `bigint[]`."""


class Reals(list[float]):
    """Goes to the database as `real[]`; NaN stands for a missing value."""


def reals(values: Sequence[float | None]) -> Reals:
    return Reals([_MISSING if value is None else value for value in values])


_MISSING = float("nan")


def _header(item_type: int, length: int) -> bytes:
    # dimensions, whether any is null, the items' type, then length and lower bound of the one dimension
    return struct.pack(">iiiii", 1, 0, item_type, length, 1) if length else struct.pack(">iii", 0, 0, item_type)


class _UuidsDumper(Dumper):
    format, oid = Format.BINARY, _UUID_ARRAY

    def dump(self, obj: Uuids) -> bytes:
        size = b"\x00\x00\x00\x10"
        return _header(_UUID, len(obj)) + b"".join([size + item.bytes for item in obj])


class _IntegersDumper(Dumper):
    format, oid = Format.BINARY, _INT4_ARRAY

    def dump(self, obj: Integers) -> bytes:
        return _header(_INT4, len(obj)) + _four_byte_items("i", obj)


class _LongsDumper(Dumper):
    format, oid = Format.BINARY, _INT8_ARRAY

    def dump(self, obj: Longs) -> bytes:
        sized = [8] * (2 * len(obj))
        sized[1::2] = obj
        return _header(_INT8, len(obj)) + struct.pack(">" + "iq" * len(obj), *sized)


class _RealsDumper(Dumper):
    format, oid = Format.BINARY, _FLOAT4_ARRAY

    def dump(self, obj: Reals) -> bytes:
        return _header(_FLOAT4, len(obj)) + _four_byte_items("f", obj)


def _four_byte_items(code: str, items: Sequence[float]) -> bytes:
    sized: list[float] = [4] * (2 * len(items))
    sized[1::2] = items
    return struct.pack(">" + ("i" + code) * len(items), *sized)


def register(connection: AsyncConnection[Any]) -> None:
    """Register the encoders of these classes on a connection."""
    connection.adapters.register_dumper(Uuids, _UuidsDumper)
    connection.adapters.register_dumper(Integers, _IntegersDumper)
    connection.adapters.register_dumper(Longs, _LongsDumper)
    connection.adapters.register_dumper(Reals, _RealsDumper)
