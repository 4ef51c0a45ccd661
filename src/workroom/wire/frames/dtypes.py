"""The dtypes of a frame, and its limits."""

from __future__ import annotations

from typing import Any

import numpy as np

MEDIA_TYPE = "application/vnd.workroom.frames"

TAG = "!"  # the key of a map that represents a type msgpack does not have
ARRAY = "dtype"  # the first key of a map that is an array

MOST_BYTES = 128 * 1024 * 1024  # of one frame
MOST_KEYS = 1_000
LONGEST_KEY = 200
DEEPEST = 32
MOST_ITEMS = 100_000  # values other than arrays, in one frame
MOST_DIMENSIONS = 8
LONGEST_TEXT = 256  # in an array of text, where each item has the size of the longest

_NUMBERS = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16")
DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(name) for name in (*_NUMBERS, *(f"<U{length}" for length in range(1, LONGEST_TEXT + 1)))
}

# By key of the frame: `{"dtype", "shape"}` of an array, or `{"type"}` of another value.
Layout = dict[str, dict[str, Any]]
