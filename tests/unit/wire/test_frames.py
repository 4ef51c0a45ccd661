# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Whatever goes into a frame comes out the same, and nothing else gets in."""

from __future__ import annotations

import math
import struct
from contextlib import suppress
from typing import Any, cast

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from workroom.domain.errors import BadInput
from workroom.wire.frames import DTYPES, FrameReader, Splitter, decode, encode, framed, split
from workroom.wire.frames.dtypes import DEEPEST, MOST_BYTES, MOST_ITEMS

dtypes = st.sampled_from([dtype for name, dtype in DTYPES.items() if not name.startswith("<U")])
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
keys = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)
arrays = dtypes.flatmap(
    lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
) | npst.arrays(
    "<U5",
    npst.array_shapes(min_dims=1, max_dims=2, max_side=3),
    elements=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
)
scalars = dtypes.flatmap(lambda dtype: npst.arrays(dtype, ())).map(lambda array: array[()])
plain = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | texts
    | st.binary(max_size=20)
    | arrays
    | scalars
    | st.complex_numbers()
)
nested = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(texts | st.sampled_from(["!", "dtype"]), inner, max_size=4)
        | st.dictionaries(st.integers() | st.tuples(texts), inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=12,
)


def same(one: Any, other: Any) -> bool:
    """Equal in value, type, dtype, shape and order; NaN equals itself."""
    if isinstance(one, np.ndarray | np.generic):
        return (
            isinstance(other, np.ndarray | np.generic)
            and isinstance(one, np.ndarray) == isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    if type(one) is complex:
        return type(other) is np.complex128 and np.array(one).tobytes() == other.tobytes()
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return struct.pack("d", one) == struct.pack("d", other) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


@given(st.dictionaries(keys, nested, max_size=6))
@settings(max_examples=150, deadline=None)
def test_what_goes_in_comes_out_the_same(values: dict[str, Any]) -> None:
    frame = encode(values)
    assert same(values, decode(frame))
    cast(Any, msgpack).unpackb(frame, strict_map_key=False)  # it is plain msgpack, for everybody


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), nested, max_size=4), max_size=5))
def test_one_reader_reads_frames_however_they_differ(frames: list[dict[str, Any]]) -> None:
    reader = FrameReader()
    for values in frames:
        assert same(values, reader.read(encode(values)))
        layout = reader.layout(encode(values))
        assert list(layout) == list(values)
        for key, value in values.items():
            if isinstance(value, np.ndarray | np.generic):
                array = cast(Any, value)
                assert layout[key] == {"dtype": array.dtype.newbyteorder("<").str, "shape": list(array.shape)}


@given(st.dictionaries(keys, arrays, max_size=6))
def test_arrays_are_views_that_start_at_multiples_of_eight(values: dict[str, np.ndarray[Any, Any]]) -> None:
    frame = bytearray(encode(values))
    begin = np.frombuffer(frame, np.uint8).ctypes.data
    for array in decode(frame).values():
        if array.size:
            assert (array.ctypes.data - begin) % 8 == 0
            assert 0 <= array.ctypes.data - begin < len(frame)
            array[...] = np.zeros((), array.dtype)
    assert all(not array.any() for array in decode(frame).values() if array.dtype.kind != "U")


@given(st.lists(st.binary(max_size=40), max_size=8), st.data())
def test_a_stream_gives_back_its_frames_however_it_is_cut(frames: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(part for frame in frames for part in framed(frame))
    assert [stream[start:stop] for start, stop in split(stream)] == frames
    splitter, found, rest = Splitter(), list[bytes](), stream
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        at_hand, spans = splitter.feed(rest[:size])
        found += [at_hand[start:stop] for start, stop in spans]
        rest = rest[size:]
    splitter.end()
    assert found == frames
    for start, _ in split(stream):
        assert start % 8 == 0


def test_arrays_that_are_not_laid_out_plainly_are_written_plainly() -> None:
    for array in (
        np.arange(12.0).reshape(3, 4).T,
        np.arange(10)[::-2],
        np.arange(4, dtype=">f4"),
        np.asfortranarray(np.eye(3)),
    ):
        found = decode(encode({"a": array, "nested": {"b": [array]}}))
        for one in (found["a"], found["nested"]["b"][0]):
            assert (one == array).all() and one.shape == array.shape and one.flags.c_contiguous


@pytest.mark.parametrize(
    "value",
    [
        np.array([object()]),
        np.array([b"x"]),
        np.array(["x" * 257]),
        np.datetime64("now"),
        {1, 2},
        object(),
        np.longdouble(1),
    ],
)
def test_what_a_frame_cannot_hold_is_refused_by_name(value: Any) -> None:
    with pytest.raises(TypeError, match=r"info\.thing"):
        encode({"info.thing": value})
    with pytest.raises(TypeError, match=r"info\.thing"):
        encode({"info.thing": {"deep": [value]}})


def test_limits_are_said_before_anything_is_sent() -> None:
    loop: list[Any] = []
    loop.append(loop)
    for values in (
        {"a": loop},
        {"": 1},
        {"a\0b": 1},
        {"k" * 201: 1},
        {str(number): 1 for number in range(1001)},
        {"a": "\ud800"},
        {"a": np.zeros(MOST_BYTES // 8 + 1)},
    ):
        with pytest.raises(BadInput):
            encode(values)


def packed(value: Any) -> bytes:
    return cast(Any, msgpack).packb(value)


def array(dtype: Any = "<f8", shape: Any = (1,), content: Any = b"\0" * 8, **more: Any) -> bytes:
    """A frame with one array, padded as it should be."""
    frame = b""
    for pad in range(8):
        frame = packed({"a": {"dtype": dtype, "shape": shape, "pad": bytes(pad), "bytes": content} | more})
        if len(content) > 0 and frame.endswith(content) and (len(frame) - len(content)) % 8 == 0:
            return frame
    return frame


def bombs() -> dict[str, bytes]:
    deep = b"\x81\xa1a" + b"\x91" * (DEEPEST + 1) + b"\xc0"
    return {
        "nothing": b"",
        "no map": packed([1]),
        "not msgpack": b"\xc1",
        "cut off": encode({"a": np.arange(9)})[:-1],
        "too long": encode({"a": np.arange(9)}) + b"\0",
        "an object dtype": array("|O8"),
        "a pickle's dtype": array("O"),
        "a void dtype": array("|V8"),
        "big endian": array(">f8"),
        "a dtype that is none": array("<f9"),
        "text too wide": array("<U257", (0,), b""),
        "a huge shape": array("<f8", (2**40, 2**40), b"\0" * 8),
        "a shape that overflows to zero": array("<f8", (2**32, 2**32), b""),
        "a negative shape": array("<f8", (-1,), b"\0" * 8),
        "a shape of text": array("<f8", ("1",), b"\0" * 8),
        "a shape of floats": array("<f8", (1.0,), b"\0" * 8),
        "too many dimensions": array("<f8", (1,) * 9, b"\0" * 8),
        "too few bytes": array("<f8", (2,), b"\0" * 8),
        "text instead of bytes": packed({"a": {"dtype": "<f8", "shape": [1], "pad": b"", "bytes": "12345678"}}),
        "other keys in an array": array(extra=1),
        "wrong padding": packed({"abc": {"dtype": "<f8", "shape": [1], "pad": b"", "bytes": bytes(8)}}),
        "characters that do not exist": array("<U1", (2,), b"\xff" * 8),
        "too deep": deep,
        "a key of numbers": packed({1: 2}),
        "a key twice": b"\x82\xa1a\x01\xa1a\x02",
        "a key twice within": b"\x81\xa1a\x82\xa1b\x01\xa1b\x02",
        "broken UTF-8": b"\x81\xa1a\xa2\xff\xff",
        "an extension type": packed({"a": msgpack.ExtType(1, b"x")}),
        "a time stamp": packed({"a": msgpack.Timestamp(1)}),
        "a list of four thousand million": b"\x81\xa1a\xdd\xff\xff\xff\xff",
        "a map of four thousand million": b"\xdf\xff\xff\xff\xff",
        "bytes of four thousand million": b"\x81\xa1a\xc6\xff\xff\xff\xff",
        "a million items": b"\x81\xa1a" + packed([None] * (MOST_ITEMS + 1)),
        "a tag that is no text": packed({"a": {"!": 1}}),
        "a dict that cannot be hashed": packed({"a": {"!": "dict", "items": [[[], 1]]}}),
    }


@pytest.mark.parametrize("name", bombs())
def test_malformed_frames_are_refused(name: str) -> None:
    frame = bombs()[name]
    for read in (FrameReader().read, FrameReader().layout):
        with pytest.raises(BadInput):
            read(frame)


@given(st.binary(max_size=200) | st.dictionaries(keys, nested, max_size=3).map(encode), st.data())
@settings(max_examples=150, deadline=None)
def test_garbage_is_refused_and_never_anything_else(frame: bytes, data: st.DataObject) -> None:
    """Any byte of a frame may be another: it is read, or refused with an error of ours."""
    broken = bytearray(frame)
    for _ in range(data.draw(st.integers(0, 3)) if broken else 0):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    reader = FrameReader()
    for expected in (None, frame):
        if expected is not None and frame:
            try:
                reader.read(expected)
            except BadInput:
                return
        for read in (reader.read, reader.layout):
            with suppress(BadInput):
                read(bytes(broken))


@pytest.mark.parametrize("length", [2**63, MOST_BYTES + 1])
def test_a_stream_that_announces_too_much_is_refused_at_once(length: int) -> None:
    with pytest.raises(BadInput):
        Splitter().feed(struct.pack("<Q", length))


def test_a_stream_that_ends_early_is_refused() -> None:
    stream = b"".join(framed(encode({"a": 1})))
    for size in range(1, len(stream)):
        with pytest.raises(BadInput):
            list(split(stream[:size]))
