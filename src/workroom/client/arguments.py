"""Arguments of extensions as JSON, such that the fields of the extension get the values that the caller gave.

The schema of an extension describes JSON, so a value has the JSON form of its field: a date is a text, an array a list.
What JSON does not have, e.g. NaN or a complex number, and what only a field without a type accepts, e.g. an
`ase.Atoms`, is packed by `domain/values`; the worker restores it before it validates the arguments. A restored instance
of a class has not been validated, so only a field of the type `Any` gets it. Other fields are validated from the fields
of the instance.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from workroom.client.extension import Extension
from workroom.client.input_file import File
from workroom.domain.errors import BadInput
from workroom.domain.values.codec import TAG, is_large, is_plain_text, pack, unpack, without_classes

_MAX_DEPTH = 200  # the JSON library stops at 254
AnyExtension = TypeVar("AnyExtension", bound=Extension)


def restore(extension: type[AnyExtension], data: Mapping[str, Any]) -> AnyExtension:
    """An extension object with these arguments, validated by pydantic."""
    untyped = {
        name
        for field_name, field in extension.model_fields.items()
        if field.annotation is Any
        for name in (field_name, field.alias, field.validation_alias)
        if isinstance(name, str)
    }
    return extension.model_validate(
        {name: unpack(value if name in untyped else without_classes(value)) for name, value in data.items()}
    )


def arguments_of(extension: Extension) -> dict[str, Any]:
    """The parameters of an extension object."""
    given = {name: getattr(extension, name) for name in type(extension).model_fields}
    special = [name for name, value in given.items() if not _is_plain(value)]
    if not special:
        return extension.model_dump(mode="json")
    arguments = extension.model_dump(mode="json", exclude=set(special))
    for name in special:
        arguments[name] = _dumped(extension, name, given[name])
    try:
        restored = restore(type(extension), arguments)
    except ValidationError:
        return arguments  # the server or the worker names the field
    # The fields whose type does not restore the value from JSON.
    packed = [name for name in special if not _equal(getattr(restored, name), given[name])]
    for name in packed:
        arguments[name] = pack(given[name], f"{type(extension).__name__}.{name}")
    if packed:
        restored = restore(type(extension), arguments)
    for name in packed:
        if not _equal(getattr(restored, name), given[name]):
            raise BadInput(
                f"{type(extension).__name__}.{name} contains an instance of a class that its type does not name. "
                f"Declare the field with the class, or as Any."
            )
    return arguments


def _dumped(extension: Extension, name: str, value: Any) -> Any:
    """A parameter in the JSON form of its field."""
    try:
        return jsonable(extension.model_dump(mode="json", include={name})[name], name)
    except ValueError:  # pydantic's, for what JSON does not have: half a character, a list that contains itself
        return pack(value, f"{type(extension).__name__}.{name}")


def jsonable(value: Any, what: str, depth: int = 0) -> Any:
    """A value in the JSON form that pydantic reads, with what JSON does not have packed. BadInput if it cannot be."""
    kind = cast(type[Any], type(value))
    if _is_plain(value):
        return value
    if depth > _MAX_DEPTH:
        raise BadInput(f"{what} is nested more than {_MAX_DEPTH} levels deep, or contains itself.")
    if issubclass(kind, float) and kind.__module__ == "builtins":
        return pack(value, what)
    if kind in (list, tuple, set, frozenset) or (issubclass(kind, tuple) and hasattr(cast(Any, kind), "_fields")):
        return [jsonable(item, what, depth + 1) for item in value]
    if isinstance(value, Mapping):
        if TAG in value:
            return pack(dict(cast("Mapping[Any, Any]", value)), what)
        items = cast("Mapping[Any, Any]", value).items()
        return {_key(key, what): jsonable(item, what, depth + 1) for key, item in items}
    if isinstance(value, File):
        return value.as_value()
    if isinstance(value, BaseModel):
        return jsonable(value.model_dump(), what, depth + 1)
    if isinstance(value, enum.Enum):
        return jsonable(value.value, what)
    if kind.__module__ == "numpy" and hasattr(value, "tolist"):
        plain = value.tolist()
        return pack(value, what) if type(plain) is kind else jsonable(plain, what)
    if kind in (int, str, complex) or kind.__module__.startswith("ase."):
        return pack(value, what)
    try:
        return jsonable(to_jsonable_python(value), what, depth + 1)
    except ValueError:
        return pack(value, what)


def _key(key: Any, what: str) -> str:
    found = jsonable(key, what)
    if isinstance(found, dict | list | float):
        raise BadInput(f"{what}: {key!r} cannot be the key of an object. Use text.")
    return str(found)


def _is_plain(value: Any) -> bool:
    """Whether JSON holds the value as it is, and returns it so."""
    kind = cast(type[Any], type(value))
    if kind is str:
        return is_plain_text(value)
    if kind is int:
        return not is_large(value)
    return value is None or kind is bool or (kind is float and math.isfinite(value))


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, as far as can be told. Arrays and NaN are compared in their packed form."""
    if type(one) is not type(other):
        return False
    try:
        packed, others = pack(one), pack(other)
    except BadInput:
        return True  # its field takes care of it
    try:
        is_equal = bool(one == other)
    except (ValueError, TypeError):
        is_equal = False
    # Python calls moments equal that have other time zones.
    return packed == others or (is_equal and sorted(_moments(packed)) == sorted(_moments(others)))


def _moments(packed: Any) -> Iterator[str]:
    """The times with their zones, anywhere in packed data."""
    match packed:
        case {"~": ["datetime", moment]}:
            yield repr(moment)
        case dict() | list():
            parts = cast("dict[str, Any]", packed).values() if isinstance(packed, dict) else cast("list[Any]", packed)
            for part in parts:
                yield from _moments(part)
        case _:
            pass
