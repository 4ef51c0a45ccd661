"""Parses JSON without rounding integers: the JSON library reads those of more than 64 bits as floats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import orjson

from workroom.domain.errors import BadInput
from workroom.domain.values.codec import is_large, pack

# Fewer digits fit 64 bits. The second parser is slower by several times, so it reads only what may have such integers.
_MANY_DIGITS = re.compile(rb"[0-9]{19}")


def parse(content: bytes | str, large: Callable[[int], Any] = lambda value: value) -> Any:
    """The value of a JSON text; `large` converts integers of more than 64 bits. Raises orjson.JSONDecodeError."""
    found = orjson.loads(content)  # also checks what the second parser accepts: NaN, half a character
    written = content if isinstance(content, bytes) else content.encode()
    if not _MANY_DIGITS.search(written):
        return found

    def integer(digits: str) -> Any:
        value = int(digits)  # of 309 digits at most: the first parser refuses more
        return large(value) if is_large(value) else value

    return json.loads(written, parse_int=integer)


def parse_packed(content: bytes | str) -> Any:
    """Like `parse`, with large integers in their packed form."""
    return parse(content, pack)


def parse_64_bits(content: bytes | str) -> Any:
    """Like `parse`, for the body of a request; BadInput for a larger integer, since its type is not known here."""
    return parse(content, _refuse)


def _refuse(value: int) -> Any:
    shown = str(value)
    shown = shown if len(shown) <= 40 else shown[:40] + "…"
    raise BadInput(f'{shown} has more than 64 bits. Write {{"~": ["int", "{shown}"]}}, or text.')
