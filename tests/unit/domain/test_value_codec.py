"""Values come back as they went, or are refused."""

from __future__ import annotations

import enum
from datetime import date
from typing import Any, cast

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.errors import BadInput
from workroom.domain.value_codec import checked_call, pack, pack_call, unpack, unpack_call

HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()) | st.binary(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
VALUES = st.recursive(
    HASHABLE | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.just("~") | HASHABLE, inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.sets(HASHABLE, max_size=3)
    ),
    max_leaves=12,
)


def as_jsonb(data: Any) -> Any:
    """What jsonb does to JSON: keys are sorted, and numbers are decimal, without exponents and without -0."""
    text = orjson.dumps(data)
    assert b"\\u0000" not in text
    return orjson.loads(orjson.dumps(_plain_numbers(orjson.loads(text)), option=orjson.OPT_SORT_KEYS))


def _plain_numbers(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _plain_numbers(one) for key, one in cast("dict[str, Any]", data).items()}
    if isinstance(data, list):
        return [_plain_numbers(one) for one in cast("list[Any]", data)]
    if isinstance(data, float):
        return int(data) if "e" in repr(data) and data.is_integer() else data or 0.0
    return data


def same(one: Any, other: Any) -> bool:
    """Equal, of the same types all the way down, and NaN is NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, (list, tuple)):
        return len(cast("list[Any]", one)) == len(other) and all(map(same, cast("list[Any]", one), other))
    if isinstance(one, dict):
        return same_in_any_order(list(cast("dict[Any, Any]", one).items()), list(other.items()))
    if isinstance(one, (set, frozenset)):
        return same_in_any_order(list(cast("set[Any]", one)), list(other))
    return one == other


def same_in_any_order(some: list[Any], others: list[Any]) -> bool:
    return len(some) == len(others) and all(any(same(one, other) for other in others) for one in some)


@given(VALUES)
def test_every_value_comes_back_as_it_went(value: Any) -> None:
    assert same(unpack(as_jsonb(pack(value))), value)


@given(st.lists(VALUES, max_size=3), st.dictionaries(st.text(), VALUES, max_size=3))
def test_every_call_comes_back_as_it_went(args: list[Any], kwargs: dict[str, Any]) -> None:
    back = unpack_call(as_jsonb(pack_call(tuple(args), kwargs, 0)))
    assert same(back, (tuple(args), kwargs))


def test_what_is_plain_stays_readable() -> None:
    plain = {"path": "a.png", "sizes": [1, 2.5, None, True]}
    assert pack(plain) == plain


class Colour(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize("value", [object(), date(2026, 1, 1), Colour.RED, 1j, [{"deep": {1: Colour.RED}}]])
def test_what_would_come_back_different_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="cannot be stored without loss"):
        pack(value)


def test_what_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadInput, match="contains itself"):
        pack(endless)


def test_a_call_from_outside_is_kept_as_this_program_would_write_it() -> None:
    assert checked_call({"args": [1e16, {"~": ["tuple", [1]]}]}, 0) == pack_call((1e16, (1,)), None, 0)
    assert checked_call({"kwargs": {"a": 1}}, 0) == {"args": [], "kwargs": {"a": 1}}


@pytest.mark.parametrize(
    "argument",
    [
        {"~": ["pickle", "x"]},
        {"~": "tuple"},
        {"~": ["set", [[1]]]},
        {"~": ["int", "x"]},
        {"~": ["bytes", "ä"]},
        {"~": 7},
    ],
)
def test_a_call_from_outside_that_is_none_is_refused(argument: object) -> None:
    with pytest.raises(BadInput, match="Call 3 is malformed"):
        checked_call({"args": [argument]}, 3)
