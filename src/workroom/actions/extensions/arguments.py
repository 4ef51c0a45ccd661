"""Validate arguments against the schema of an extension, before a job is queued.

Schemas come from workers and are not trusted: references may only point inside the schema, so that the server fetches
nothing, and patterns have a time limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

import jsonschema
import regex
from jsonschema import Draft202012Validator, validators
from jsonschema.protocols import Validator
from referencing import Registry

from workroom.domain.errors import BadInput, InvalidArguments

_PATTERN_SECONDS = 0.1
_MOST_FAULTS = 20
_DEEPEST = 100
_MOST_CACHED = 2_000


def check_arguments(schema: dict[str, Any], schema_hash: str, arguments: Any) -> None:
    """Raise InvalidArguments with the path of each error."""
    validator = _validators.get(schema_hash)
    if validator is None:
        validator = _cache_validator(schema_hash, schema)
    try:
        faults = list(validator.iter_errors(arguments))
    except RecursionError:
        raise BadInput("The arguments are nested too deeply.") from None
    except _SlowPattern as error:
        raise InvalidArguments(str(error)) from None
    if faults:
        faults.sort(key=lambda fault: list(map(str, fault.path)))
        listed = [{"path": _path(fault), "message": fault.message[:500]} for fault in faults[:_MOST_FAULTS]]
        raise InvalidArguments(f"{listed[0]['path'] or 'data'}: {listed[0]['message']}", errors=listed)


def check_schema(name: str, schema: dict[str, Any]) -> None:
    """Raise BadInput for an invalid schema, one with outside references, or one that is nested too deeply."""
    for depth, key, value in _walk(schema):
        if depth > _DEEPEST:
            raise BadInput(f"The schema of {name} is nested too deeply.")
        if key in ("$ref", "$dynamicRef") and isinstance(value, str) and not value.startswith("#"):
            raise BadInput(
                f"The schema of {name} refers to {value[:100]!r}. Only references inside the schema (#…) are allowed."
            )
        if key == "pattern" and isinstance(value, str):
            _compiled(value)
    try:
        Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise BadInput(f"The schema of {name} is no JSON schema: {error.message[:300]}") from None


class _SlowPattern(Exception):
    pass


def _walk(value: Any, depth: int = 0) -> Iterator[tuple[int, str, Any]]:
    if depth > _DEEPEST + 1:
        return
    if isinstance(value, dict):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield depth, str(key), inner  # pyright: ignore[reportUnknownArgumentType]
            yield from _walk(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _walk(inner, depth + 1)


@lru_cache(maxsize=1_000)
def _compiled(pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise BadInput(f"The pattern {pattern[:100]!r} is no regular expression: {error}.") from None


def _searches(pattern: str, text: str) -> bool:
    try:
        return _compiled(pattern).search(text, timeout=_PATTERN_SECONDS) is not None
    except TimeoutError:
        raise _SlowPattern(f"The pattern {pattern[:100]!r} takes too long on this value.") from None


def _pattern(validator: Validator, pattern: str, instance: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
    if isinstance(instance, str) and not _searches(pattern, instance):
        yield jsonschema.ValidationError(f"{instance[:100]!r} does not match {pattern[:100]!r}")


def _pattern_properties(
    validator: Any, patterns: dict[str, Any], instance: Any, schema: Any
) -> Iterator[jsonschema.ValidationError]:
    if isinstance(instance, dict):
        for pattern, inner in patterns.items():
            for key, value in instance.items():  # pyright: ignore[reportUnknownVariableType]
                if _searches(pattern, str(key)):  # pyright: ignore[reportUnknownArgumentType]
                    yield from validator.descend(value, inner, path=key, schema_path=pattern)


_Bounded: Any = cast(Any, validators).extend(
    Draft202012Validator, {"pattern": _pattern, "patternProperties": _pattern_properties}
)


_validators: dict[str, Validator] = {}  # by the schema's hash, which the server computed


def _cache_validator(schema_hash: str, schema: dict[str, Any]) -> Validator:
    if len(_validators) >= _MOST_CACHED:
        _validators.clear()
    validator = _validators[schema_hash] = _Bounded(schema, registry=Registry[Any]())
    return validator


def _path(fault: jsonschema.ValidationError) -> str:
    return "data" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault.absolute_path)
