"""The browser reads what Python writes: `web/src/lib/frames/python.frames` is a stream made here, and read by vitest.

Run this file as a module to make it again: `python -m tests.unit.wire.test_frames_in_the_browser`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from workroom.wire.frames import decode, encode, framed, split

STREAM = Path(__file__).parents[3] / "web" / "src" / "lib" / "frames" / "python.frames"


def frames() -> list[dict[str, Any]]:
    water: dict[str, Any] = {
        "arrays.numbers": np.array([8, 1, 1]),
        "arrays.positions": np.array([[0.0, 0.0, 0.0], [0.96, 0.0, 0.0], [-0.24, 0.93, 0.0]]),
        "cell": np.diag([10.0, 11.0, 12.0]),
        "pbc": np.array([True, False, True]),
        "info.note": "näive 水",
        "info.nothing": None,
        "info.count": -7,
        "info.large": 2**53 + 1,
        "info.ratio": 0.125,
        "info.yes": True,
        "info.list": [1, "two", [3.5, None]],
        "info.map": {"a": 1, "b": {"c": [True]}},
        "info.bytes": b"\x00\xff",
    }
    every = ["|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"]
    kinds: dict[str, Any] = {f"arrays.{dtype[1:]}": np.array([0, 1, 3]).astype(dtype) for dtype in every}
    kinds["arrays.text"] = np.array(["CA", "HB2", ""])
    kinds["arrays.empty"] = np.zeros((0, 3))
    kinds["info.scalar"] = np.array(2.5)
    return [water, kinds, {}]


def stream() -> bytes:
    return b"".join(bytes(part) for frame in frames() for part in framed(encode(frame)))


def test_the_stream_the_browser_is_tested_with_is_what_python_writes() -> None:
    assert STREAM.read_bytes() == stream()


def test_python_reads_it_too() -> None:
    whole = STREAM.read_bytes()
    read = [decode(whole[start:stop]) for start, stop in split(whole)]
    assert len(read) == 3
    assert read[0]["info.note"] == "näive 水"
    assert np.array_equal(read[0]["arrays.positions"], frames()[0]["arrays.positions"])


if __name__ == "__main__":
    STREAM.write_bytes(stream())
