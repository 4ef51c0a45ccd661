"""Validates values against JSON schemas with a budget of steps and time.

Schemas come from workers and are not trusted. A small schema can ask for any amount of work: references that double at
each level, patterns that backtrack, comparisons of all items with each other. So each keyword is paid from the budget
before it runs, patterns get the time that is left, and no keyword takes more than linear time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice
from typing import Any, cast

import jsonschema
import orjson
import regex
from jsonschema import Draft202012Validator, validators
from jsonschema_specifications import REGISTRY as SPECIFICATIONS
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from workroom.domain.errors import BadInput
from workroom.domain.values.codec import is_packed

MOST_FAULTS = 20
_MESSAGE_LENGTH = 500
_SHOWN_NAMES = 5
_MOST_CACHED_SCHEMAS = 500
_ITEMS_PER_STEP = 8  # items of a list or map that count as one step
_CHARACTERS_PER_STEP = 1_000
_STEPS_PER_CLOCK_READING = 32
LONGEST_PATTERN = 1_000
_DEEPEST_PATTERN = 50

Fault = dict[str, str]  # `path` and `message`
Schema = dict[str, Any]


class OverBudget(Exception):
    """The validation needs more steps or more time than it was given."""


class Budget:
    """The steps and the seconds of processor time that one validation may take."""

    def __init__(self, *, steps: int, seconds: float) -> None:
        self._steps = steps
        self._deadline = time.thread_time() + seconds
        self._next_reading = steps  # the clock is read again when fewer steps are left

    def spend(self, steps: int) -> None:
        self._steps -= steps
        if self._steps >= self._next_reading:
            return
        if self._steps < 0 or time.thread_time() > self._deadline:
            raise OverBudget
        self._next_reading = self._steps - _STEPS_PER_CLOCK_READING

    def seconds_left(self) -> float:
        left = self._deadline - time.thread_time()
        if left <= 0:
            raise OverBudget
        return left


_budget: ContextVar[Budget] = ContextVar("budget")


def faults_of(schema: Schema, schema_hash: str, value: Any, budget: Budget) -> list[Fault]:
    """The first faults of a value, sorted by path. Raises OverBudget."""
    validator = _validators.get(schema_hash)
    if validator is None:
        validator = _cache_validator(schema_hash, schema)
    return _faults(validator, value, budget)


def faults_of_schema(schema: Any, budget: Budget) -> list[Fault]:
    """The first faults of a schema, judged by the schema of schemas. Raises OverBudget."""
    return _faults(_metaschema(), schema, budget)


def _faults(validator: Any, value: Any, budget: Budget) -> list[Fault]:
    """The faults, except those of packed values such as NaN, which JSON does not have: the worker validates them."""
    token = _budget.set(budget)
    try:
        faults = (fault for fault in cast(Iterator[Any], validator.iter_errors(value)) if not is_packed(fault.instance))
        found: list[Any] = list(islice(faults, MOST_FAULTS))
    except (OverBudget, BadInput, MemoryError):
        raise
    except RecursionError:
        raise BadInput("The value and its schema are nested too deeply.") from None
    except Exception as error:
        # A schema that was stored before schemas were judged: an unknown type, or a reference to nothing.
        raise BadInput(
            f"The schema of the extension cannot be used ({type(error).__name__}). Register it anew."
        ) from None
    finally:
        _budget.reset(token)
    found.sort(key=lambda fault: list(map(str, fault.path)))
    return [{"path": _path(fault), "message": fault.message[:_MESSAGE_LENGTH]} for fault in found]


def _path(fault: jsonschema.ValidationError) -> str:
    return "data" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault.absolute_path)


@lru_cache(maxsize=1_000)
def compiled(pattern: str) -> regex.Pattern[str]:
    """The pattern, or BadInput. Long and deeply nested patterns are refused: compiling them takes stack and time."""
    shown = repr(pattern[:100])
    if len(pattern) > LONGEST_PATTERN:
        raise BadInput(f"The pattern {shown} is longer than {LONGEST_PATTERN:,} characters.")
    depth = deepest = 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST_PATTERN:
        raise BadInput(f"The pattern {shown} is nested more than {_DEEPEST_PATTERN} levels deep.")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError, ValueError) as error:
        raise BadInput(f"The pattern {shown} is no regular expression: {error}.") from None


def _searches(pattern: str, text: str) -> bool:
    budget = _budget.get()
    budget.spend(1 + len(text) // _CHARACTERS_PER_STEP)
    try:
        return compiled(pattern).search(text, timeout=budget.seconds_left()) is not None
    except TimeoutError:
        raise OverBudget from None


Faults = Iterator[jsonschema.ValidationError]


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Faults:
    if isinstance(value, str) and not _searches(pattern, value):
        yield jsonschema.ValidationError(f"{value[:100]!r} does not match {pattern[:100]!r}")


def _pattern_properties(validator: Any, patterns: dict[str, Any], value: Any, schema: Any) -> Faults:
    if isinstance(value, dict):
        items = cast(dict[str, Any], value)
        for pattern, inner in patterns.items():
            for key, item in items.items():
                if _searches(pattern, key):
                    yield from validator.descend(item, inner, path=key, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, value: Any, schema: Any) -> Faults:
    """As in the library, which searches with patterns that no time limit can stop."""
    if not isinstance(value, dict):
        return
    items = cast(dict[str, Any], value)
    listed, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [
        name for name in items if name not in listed and not any(_searches(pattern, name) for pattern in patterns)
    ]
    if isinstance(allowed, dict):
        for name in extras:
            yield from validator.descend(items[name], allowed, path=name)
    elif not allowed and extras:
        shown = ", ".join(repr(name[:100]) for name in sorted(extras)[:_SHOWN_NAMES])
        more = ", …" if len(extras) > _SHOWN_NAMES else ""
        verb = "was" if len(extras) == 1 else "were"
        yield jsonschema.ValidationError(f"Additional properties are not allowed ({shown}{more} {verb} unexpected)")


def _items(validator: Any, inner: Any, value: Any, schema: Any) -> Faults:
    """As in the library, which makes a validator for each item: this one judges all of them."""
    if inner is False:
        yield from _LIBRARY["items"](validator, inner, value, schema)
    elif isinstance(value, list):
        items = cast(list[Any], value)
        of_items = validator.evolve(schema=inner)
        for position in range(len(schema.get("prefixItems", ())), len(items)):
            for fault in of_items.iter_errors(items[position]):
                fault.path.appendleft(position)
                yield fault


def _unique_items(validator: Any, wanted: Any, value: Any, schema: Any) -> Faults:
    """Compares normalised items in a set. The library compares each item with all others."""
    if not wanted or not isinstance(value, list):
        return
    seen: set[bytes] = set()
    for position, item in enumerate(cast(list[Any], value)):
        normalised = orjson.dumps(_normalised(item, _budget.get()), option=orjson.OPT_SORT_KEYS)
        if normalised in seen:
            yield jsonschema.ValidationError(f"has non-unique elements: item {position} occurs before")
            return
        seen.add(normalised)


def _normalised(value: Any, budget: Budget) -> Any:
    """A value that is written the same way as all values that equal it: 1.0 becomes 1, which is not true."""
    budget.spend(1)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if isinstance(value, list):
        return [_normalised(item, budget) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        return {name: _normalised(item, budget) for name, item in cast(dict[str, Any], value).items()}
    return value


def _paid(keyword: Callable[..., Any]) -> Callable[..., Any]:
    """The keyword, paid from the budget before it runs."""

    def run(validator: Any, wanted: Any, value: Any, schema: Any) -> Any:
        steps = 1
        if isinstance(wanted, list | dict):
            steps += len(cast(list[Any], wanted)) // _ITEMS_PER_STEP
        if isinstance(value, list | dict):
            steps += len(cast(list[Any], value)) // _ITEMS_PER_STEP
        elif isinstance(value, str):
            steps += len(value) // _CHARACTERS_PER_STEP
        _budget.get().spend(steps)
        return keyword(validator, wanted, value, schema)

    return run


_LIBRARY: Mapping[str, Callable[..., Any]] = cast(Any, Draft202012Validator).VALIDATORS
_KEYWORDS: Mapping[str, Callable[..., Any]] = {
    name: _paid(keyword)
    for name, keyword in {
        **_LIBRARY,
        "items": _items,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
    }.items()
}
_Bounded: Any = cast(Any, validators).extend(Draft202012Validator, _KEYWORDS)


_validators: dict[str, Any] = {}  # by the schema's hash, which the server computed


def _cache_validator(schema_hash: str, schema: Schema) -> Any:
    if len(_validators) >= _MOST_CACHED_SCHEMAS:
        _validators.clear()
    # With `$id` the references of the schema would count from there. Within the schema, `judge_schema` refuses both.
    plain = _without_dialect({key: value for key, value in schema.items() if key != "$id"})
    validator = _validators[schema_hash] = _Bounded(plain, registry=Registry[Any]())
    return validator


def _without_dialect(schema: Schema) -> Schema:
    """The schema without `$schema`, with which the library would change to its own validator, which has no budget."""
    return {key: value for key, value in schema.items() if key != "$schema"}


@lru_cache(maxsize=1)
def _metaschema() -> Any:
    root = _without_dialect(cast(Any, Draft202012Validator).META_SCHEMA)
    parts = [
        (uri, DRAFT202012.create_resource(_without_dialect(cast(Schema, resource.contents))))
        for uri, resource in SPECIFICATIONS.items()
        if uri.startswith(root["$id"].removesuffix("schema"))
    ]
    return _Bounded(root, registry=Registry[Any]().with_resources(parts).crawl())
