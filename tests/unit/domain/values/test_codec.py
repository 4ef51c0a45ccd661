"""Values come back as they went, or are refused."""

from __future__ import annotations

import sys
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.structures import Atoms
from tests.value_corpus import CORPUS, same

from workroom.domain.errors import BadInput
from workroom.domain.values.codec import checked_call, pack, pack_call, unpack, unpack_call
from workroom.domain.values.packed_to_plain import readable

HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()) | st.binary(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
VALUES = st.recursive(
    HASHABLE | st.floats() | st.sampled_from(list(CORPUS.values())),
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


class Held:
    pass


def test_the_corpus_has_at_least_sixty_kinds_of_values() -> None:
    print(f"{len(CORPUS)} kinds of values travel exactly")
    assert len(CORPUS) >= 60


@pytest.mark.parametrize("name", CORPUS)
def test_every_kind_comes_back_as_it_went(name: str) -> None:
    value = CORPUS[name]
    packed = as_jsonb(pack(value))
    assert same(unpack(packed), value)
    assert same(unpack(as_jsonb(checked_call({"args": [packed]}, 0)))["args"][0], value)


@pytest.mark.parametrize("name", CORPUS)
def test_every_kind_can_be_read_without_tags(name: str) -> None:
    shown = readable([as_jsonb(pack({"kept": CORPUS[name]}))])
    assert name == "dict with the tag" or b'"~"' not in orjson.dumps(shown), shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.float64(1.5), 1.5),
        (np.array([[1.5, 2], [3, 4]]), [[1.5, 2.0], [3.0, 4.0]]),
        (np.array([0.1], "f4"), [0.1]),
        (np.array([1 + 2j]), ["(1+2j)"]),
        (np.array([b"a"]), ["a"]),
        (np.array("2026-01-02", "M8[D]"), "2026-01-02"),
        (np.zeros((200, 100)), "array of 200 × 100"),
        ((1, {2}), [1, [2]]),
        (float("nan"), "nan"),
        ({1: 2}, {"1": 2}),
        (b"abc", "3 bytes"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02 03:04:00+00:00"),
        (Decimal("1.10"), "1.10"),
        (Path("/x"), "/x"),
        (Atoms("OH2"), "Atoms(OH2)"),
    ],
)
def test_values_are_read_as_people_write_them(value: Any, shown: Any) -> None:
    found = readable(pack(value))
    assert str(found) == str(shown)


def test_what_is_damaged_is_named_by_its_kind() -> None:
    assert readable({"~": ["array", ["<f8", [3], "AA=="]]}) == "(array)"
    assert readable({"~": ["unknown", 1]}) == "(unknown)"


@dataclass
class Extended:
    name: str

    def __post_init__(self) -> None:
        self.length = len(self.name)


def unset() -> Extended:
    made = Extended("a")
    del made.name, made.length
    return made


REFUSED: list[tuple[Any, str]] = [
    (object(), "Use plain values"),
    (Held(), "Use plain values"),
    (print, "Pass its name as text"),
    (iter([1]), r"Use list\(\)"),
    (sys.stdout, "Pass the path"),
    (OrderedDict(a=1), r"Use dict\(\)"),
    (np.ma.array([1], mask=[True]), "Use np.asarray"),
    (np.array(["a"], dtype=np.dtypes.StringDType()), r"Use its astype\(str\)"),
    (Fraction(10**5000, 3), "Use an int"),
    (Extended("a"), "length, which is no field"),
    (unset(), "without its field name"),
    ([{"deep": {1: Held()}}], "Use plain values"),
]


@pytest.mark.parametrize(("value", "fix"), REFUSED)
def test_what_cannot_travel_is_refused_with_the_fix(value: Any, fix: str) -> None:
    with pytest.raises(BadInput, match=f"The result contains .*{fix}"):
        pack(value, "The result")


def test_an_int_of_any_length_comes_back() -> None:
    for value in (2**20_000 - 1, -(2**20_000), 10**4_200):
        assert unpack(as_jsonb(pack(value))) == value  # beyond 4,300 digits Python writes no decimals


def test_a_class_that_others_cannot_find_is_refused() -> None:
    @dataclass
    class Local:
        x: int = 1

    with pytest.raises(BadInput, match="Define the class at the top of a module"):
        pack(Local())


HARMFUL: list[tuple[str, list[Any]]] = [
    ("dataclass", ["subprocess", "Popen", {"args": "x"}]),
    ("dataclass", ["antigravity", "Anything", {}]),
    ("model", ["tests.value_corpus", "Plain", {}]),
    ("enum", ["os", "system", "x", None]),
    ("namedtuple", ["builtins", "tuple", [1]]),
]


@pytest.mark.parametrize(("kind", "content"), HARMFUL)
def test_a_value_loads_no_module_and_makes_nothing_but_data(kind: str, content: list[Any]) -> None:
    with pytest.raises(BadInput, match="is not loaded"):
        unpack({"~": [kind, content]})
    assert "antigravity" not in sys.modules


def test_what_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadInput, match="contains itself"):
        pack(endless)


def test_a_call_from_outside_is_kept_as_this_program_would_write_it() -> None:
    assert checked_call({"args": [1e16, {"~": ["tuple", [1]]}]}, 0) == pack_call((1e16, (1,)), None, 0)
    assert checked_call({"kwargs": {"a": 1}}, 0) == {"args": [], "kwargs": {"a": 1}}


MALFORMED: list[Any] = [
    {"~": ["pickle", "x"]},
    {"~": "tuple"},
    {"~": ["set", [[1]]]},
    {"~": ["int", "x"]},
    {"~": ["bytes", "ä"]},
    {"~": 7},
    {"~": ["array", ["<f8", [2], ""]]},
    {"~": ["array", ["|O", [1], "AAAAAAAAAAA="]]},
    {"~": ["uuid", "x"]},
    {"~": ["fraction", "1e999999999"]},
    {"~": ["timedelta", [10**12, 0, 0]]},
    {"~": ["dataclass", [1, 2, {}]]},
]


@pytest.mark.parametrize("argument", MALFORMED)
def test_a_call_from_outside_that_is_none_is_refused(argument: object) -> None:
    with pytest.raises(BadInput, match="Call 3 is malformed"):
        checked_call({"args": [argument]}, 3)
