"""Encode values of requests and reports as JSON that PostgreSQL can store."""

from __future__ import annotations

import re
from typing import Any

import orjson

from workroom.domain.errors import BadInput, TooLarge

# The escape of NUL. An escaped backslash before a plain "u0000" is not one.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def encode(value: Any, what: str) -> bytes:
    """The value as JSON; raises BadInput when it is not JSON or contains NUL, which jsonb cannot store."""
    try:
        encoded = orjson.dumps(value)
    except TypeError as error:
        raise BadInput(f"{what} cannot be written as JSON: {error}.") from None
    if b"\\u0000" in encoded and _NUL.search(encoded):
        raise BadInput(f"{what} contains the character NUL, which cannot be stored. Remove it.")
    return encoded


def check_size(encoded: bytes, what: str, largest: int) -> None:
    if len(encoded) > largest:
        raise TooLarge(f"{what} takes {len(encoded):,} bytes; at most {largest:,} are allowed.")
