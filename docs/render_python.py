"""The reference page of the Python API, from signatures and docstrings."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from typing import Any, cast

import workroom
from workroom.domain.errors import WorkroomError

_GROUPS = {
    "Rooms": ["Room", "AsyncRoom"],
    "Jobs and extensions": ["JobHandle", "AsyncJobHandle", "Extension", "Category", "File", "FileLimits", "choices"],
    "Functions and postings": ["job", "Function", "Registry", "Posting", "PostedCall", "CallOutcome"],
    "Pools": ["ClusterPool", "ClusterProcess"],
}
_OPERATORS = {"__getitem__": "room[…]", "__setitem__": "room[…] = …", "__delitem__": "del room[…]", "__call__": "…()"}


def python() -> str:
    grouped = {name for names in _GROUPS.values() for name in names}
    others = [
        name
        for name in dir(workroom)
        if name not in grouped and name[0].isupper() and not _is_error(getattr(workroom, name))
    ]
    assert others == [], f"no group has {others}"
    lines = [
        "# Python",
        "",
        "All names are imported from `workroom`. Errors are on [a page of their own](errors.md), and are imported from",
        "`workroom`, too. `AsyncRoom` and `AsyncJobHandle` have the same methods as coroutines.",
    ]
    for group, names in _GROUPS.items():
        lines += ["", f"## {group}"]
        for name in names:
            lines += _entry(name, getattr(workroom, name))
    return "\n".join(lines) + "\n"


def _is_error(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, WorkroomError)


def _entry(name: str, thing: Any) -> Iterator[str]:
    is_described = inspect.isclass(cast(object, thing)) or inspect.isfunction(cast(object, thing))
    what: Any = thing if is_described else type(cast(object, thing))
    yield from ["", f"### `{name}`", ""]
    if inspect.isclass(what) and issubclass(what, enum.Enum):
        yield f"{_summary(what)} One of {', '.join(f'`{name}.{one.name}`' for one in what)}."
        return
    if inspect.isfunction(what) or what is thing:
        yield from ["```text", f"{name}{_signature(what)}", "```", ""]
    yield _prose(what)
    if inspect.isfunction(what):
        return
    rows = [(shown, member) for shown, member in _members(what)]
    if rows:
        yield from ["", "| | |", "| --- | --- |"]
        yield from (f"| `{shown}` | {_summary(member)} |" for shown, member in rows)


def _members(what: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that Workroom itself defines and describes, in the order of their names."""
    for name in sorted(dir(what), key=str.lower):
        member: Any = inspect.getattr_static(what, name)
        owner = next((base for base in what.__mro__ if name in vars(base)), object)
        if not owner.__module__.startswith("workroom") or (name.startswith("_") and name not in _OPERATORS):
            continue
        member = getattr(member, "__func__", member)  # of a class method or static method
        if not (inspect.isfunction(member) or isinstance(member, property)) or not inspect.getdoc(member):
            continue
        if isinstance(member, property):
            yield name, member
        else:
            yield f"{_OPERATORS.get(name) or name + _signature(member)}".replace("|", "\\|"), member


def _signature(what: Any) -> str:
    """Without annotations: the page is read by people; editors show the types."""
    found = inspect.signature(what)
    own = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in found.parameters.items()
        if name not in ("self", "cls")
    ]
    text = str(found.replace(parameters=own, return_annotation=inspect.Signature.empty))
    text = re.sub(r"<[^<>]*?'([^']*)'[^<>]*>", r"'\1'", text)  # members of enumerations
    return re.sub(r"<[^<>]*>", "…", text)


def _prose(what: Any) -> str:
    return inspect.getdoc(what) or ""


def _summary(what: Any) -> str:
    return " ".join(_prose(what).partition("\n\n")[0].split()).replace("|", "\\|")
