"""`@choices`: a method of an extension answers which values a field can have.

The form of the extension asks a worker while the person fills it in. The server does not hold a job to the answer: the
values may have changed since, so `run` has to check what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from workroom.domain.errors import BadInput, TooLarge

MOST_CHOICES = 1_000
_MARK = "__workroom_choices__"
Method = Callable[[dict[str, Any], Any], Any]


@dataclass(frozen=True, slots=True)
class Choices:
    """Which field a method answers for, and the fields whose values change the answer."""

    field: str
    depends_on: tuple[str, ...]
    method: Method


def choices(field: str, *, depends_on: Sequence[str] = ()) -> Callable[[Method], Method]:
    """Mark a static method of an extension that answers the choices of a field.

    The method gets the present values of the form, which need not be valid, and the room, which it can only read. It
    returns values, or pairs of value and label. The form asks again when a field of `depends_on` changes:

        @staticmethod
        @choices("site", depends_on=["element"])
        def sites(values, vis):
            return [i for i, atom in enumerate(vis.atoms) if atom.symbol == values["element"]]
    """
    if isinstance(depends_on, str):
        raise TypeError(f"depends_on is a list of field names: write [{depends_on!r}].")

    def mark(method: Method) -> Method:
        setattr(method, _MARK, Choices(field, tuple(depends_on), method))
        return method

    return mark


def choices_in(extension: type) -> dict[str, Choices]:
    """The marked methods of a class and its bases, by field."""
    found: dict[str, Choices] = {}
    for base in reversed(extension.__mro__):
        for member in vars(base).values():
            marked = getattr(getattr(member, "__func__", None), _MARK, None)
            if isinstance(marked, Choices):
                found[marked.field] = marked
    return found


def check_choices(extension: type, fields: Iterable[str]) -> None:
    """Raise TypeError for a method that is not static, or names a field which the class does not have."""
    known = set(fields)
    for name, member in vars(extension).items():
        if hasattr(member, _MARK) and not isinstance(member, staticmethod):
            raise TypeError(f"{extension.__name__}.{name} is no static method: write @staticmethod above @choices.")
    for one in choices_in(extension).values():
        for name in (one.field, *one.depends_on):
            if name not in known:
                raise TypeError(f"@choices in {extension.__name__} names {name!r}, which is not a field of it.")


def with_choices(extension: type, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, with a mark at each field whose choices are asked for."""
    for one in choices_in(extension).values():
        schema["properties"][one.field]["choices"] = {"dependsOn": list(one.depends_on)}
    return schema


def answer(extension: type, field: str, values: Mapping[str, Any], vis: Any) -> list[dict[str, Any]]:
    """Call the method of a field, and return its answer as JSON."""
    one = choices_in(extension).get(field)
    if one is None:
        raise BadInput(f"{extension.__name__} answers no choices for {field!r}.")
    found: list[dict[str, Any]] = []
    for item in one.method(dict(values), vis):
        value, label = cast("tuple[Any, Any]", item) if isinstance(item, tuple) else (item, item)
        if hasattr(value, "item"):
            value = value.item()  # a number of NumPy
        if not isinstance(value, str | int | float | bool):
            raise BadInput(f"A choice is a text or a number, or a pair of that and a label, not {item!r}.")
        found.append({"value": value, "label": str(label)})
        if len(found) > MOST_CHOICES:
            raise TooLarge(f"More than {MOST_CHOICES:,} choices. Let another field narrow them, with depends_on.")
    return found
