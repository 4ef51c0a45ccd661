"""The fingerprint of a schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.schema_hash import schema_hash

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
SCHEMA = st.dictionaries(st.text(max_size=4), JSON, max_size=5)


def turned_round(value: Any) -> Any:
    """The same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: turned_round(inner) for key, inner in reversed(list(value.items()))}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list):
        return [turned_round(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value


@given(SCHEMA)
def test_the_order_of_keys_does_not_matter(schema: dict[str, Any]) -> None:
    assert schema_hash(schema) == schema_hash(turned_round(schema))


@given(SCHEMA, SCHEMA)
def test_schemas_have_the_same_hash_just_when_they_say_the_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    # repr tells True from 1, which Python calls equal and JSON does not.
    same = repr(sorted_deep(one)) == repr(sorted_deep(other))
    assert (schema_hash(one) == schema_hash(other)) == same


def sorted_deep(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sorted_deep(value[key]) for key in sorted(value)}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list):
        return [sorted_deep(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def test_the_order_of_a_list_does_matter() -> None:
    assert schema_hash({"required": ["a", "b"]}) != schema_hash({"required": ["b", "a"]})


def test_the_hash_is_sha_256_over_canonical_json() -> None:
    assert schema_hash({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert schema_hash({"b": 1, "a": "é"}) == schema_hash({"a": "é", "b": 1})


def test_what_is_not_json_has_no_hash() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        schema_hash({"x": float("nan")})
    with pytest.raises(TypeError):
        schema_hash({"x": object()})
