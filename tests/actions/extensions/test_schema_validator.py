"""The validator with a budget finds the same faults as the library, and stops when its budget is spent."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from workroom.actions.extensions import arguments, validation_process
from workroom.actions.extensions.schema_check import judge_schema
from workroom.actions.extensions.schema_validator import Budget, OverBudget, faults_of
from workroom.domain.errors import BadInput, InvalidArguments
from workroom.domain.schema_hash import schema_hash

TREE = {"properties": {"n": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#"}}}}
CASES: list[tuple[dict[str, Any], list[Any]]] = [
    ({}, [1, None, {}]),
    ({"type": "object", "required": ["a"], "additionalProperties": False, "properties": {"a": {}}}, [{}, {"b": 1}]),
    ({"properties": {"a": {"minimum": 1}}, "patternProperties": {"^x": {"type": "string"}}}, [{"a": 0, "xy": 1}]),
    ({"patternProperties": {"^x": {}}, "additionalProperties": {"type": "null"}}, [{"x": 1}, {"y": 1}, {"y": None}]),
    ({"uniqueItems": True}, [[1, 1.0], [1, True], [0, False], [[1], [1.0]], [{"a": 1}, {"a": 1}], ["1", 1], [-0.0, 0]]),
    ({"$ref": "#/$defs/a",
      "$defs": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/b"}]}, "b": {"const": 3}}}, [3, 4]),
    ({"oneOf": [{"minimum": 2}, {"maximum": 3}], "not": {"const": 7}}, [1, 2, 5, 7]),
    ({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}, ["a", "ab", 1, 2]),
    ({"contains": {"type": "string"}, "minContains": 2, "prefixItems": [{"const": "x"}]}, [["x"], ["y", "z"]]),
    ({"dependentSchemas": {"a": {"required": ["b"]}}, "propertyNames": {"maxLength": 1}}, [{"a": 1}, {"ab": 1}]),
    ({"properties": {"a": {}}, "unevaluatedProperties": False}, [{"a": 1}, {"b": 1}]),
    ({"items": False, "prefixItems": [True]}, [[1], [1, 2]]),
    ({"$dynamicRef": "#n", "$defs": {"n": {"$dynamicAnchor": "n", "type": "number"}}}, [1, "x"]),
    (TREE, [{"children": [{"n": 1, "children": [{"n": "x"}]}]}, {"children": 1}]),
]  # fmt: skip


def generous() -> Budget:
    return Budget(steps=1_000_000, seconds=60)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_the_faults_are_those_of_the_library(number: int) -> None:
    schema, values = CASES[number]
    judge_schema("Case", schema, generous())
    library: Any = Draft202012Validator(schema)
    for value in values:
        found = faults_of(schema, schema_hash(schema), value, generous())
        places = ["data" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in fault.path)
                  for fault in library.iter_errors(value)]  # fmt: skip
        assert sorted(fault["path"] for fault in found) == sorted(places), value


def test_a_validation_stops_when_its_steps_or_its_time_are_spent() -> None:
    schema = {"items": {"type": "integer"}}
    with pytest.raises(OverBudget):
        faults_of(schema, "items", [1] * 1_000, Budget(steps=500, seconds=60))
    slow = {"pattern": r"^(\w|\w\w)+\d$"}
    started = time.process_time()
    with pytest.raises(OverBudget):
        faults_of(slow, "pattern", "a" * 60, Budget(steps=500, seconds=0.05))
    assert time.process_time() - started < 2


@pytest.fixture
async def processes() -> Any:
    yield
    await arguments.stop_processes()


@pytest.mark.usefixtures("processes")
async def test_a_process_answers_survives_a_bomb_and_is_replaced_when_it_is_killed() -> None:
    large = ["x" * 60_000]
    schema = {"items": {"type": "string"}}
    await arguments.check_arguments(schema, "large", large)
    with pytest.raises(InvalidArguments) as refused:
        await arguments.check_arguments(schema, "large", [*large, 1])
    assert refused.value.detail["errors"][0]["path"] == "data[1]"
    with pytest.raises(InvalidArguments, match="takes too long"):
        await arguments.check_arguments({"pattern": r"^(\w|\w\w)+\d$"}, "slow", "a" * 60)
    pool = arguments._pool()  # pyright: ignore[reportPrivateUsage]
    for process in pool._idle:  # pyright: ignore[reportPrivateUsage]
        process.kill()
        await process.wait()
    await arguments.check_arguments(schema, "large", large)


@pytest.mark.usefixtures("processes")
async def test_a_process_that_never_answers_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation_process, "_LONGEST_SECONDS", 0.0)
    with pytest.raises(InvalidArguments, match="takes too long"):
        await arguments.check_arguments({}, "any", "x" * 60_000)
    monkeypatch.undo()
    await arguments.check_arguments({}, "any", "x" * 60_000)


@pytest.mark.usefixtures("processes")
async def test_what_a_validation_quotes_does_not_fill_the_memory() -> None:
    """Each of the thousand messages quotes the value of 900 kB."""
    schema = {"anyOf": [{"type": "integer", "maxItems": number} for number in range(1_000)]}
    with pytest.raises((InvalidArguments, BadInput)):
        await asyncio.wait_for(arguments.check_arguments(schema, "quotes", ["x" * 900_000]), 60)
