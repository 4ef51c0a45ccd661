"""The reference page of the Python API, from signatures and docstrings."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from typing import Any, cast

from pydantic import BaseModel

import workroom
import workroom.geometries
import workroom.testing
from workroom.domain.errors import WorkroomError

_GROUPS = {
    "Rooms": ["Room", "AsyncRoom"],
    "Jobs and extensions": ["JobHandle", "AsyncJobHandle", "Extension", "Category", "File", "FileLimits", "choices"],
    "Functions and postings": ["job", "Function", "Registry", "Posting", "PostedCall", "CallOutcome"],
    "Pools": ["ClusterPool", "ClusterProcess"],
}
_OTHER_MODULES = {
    "Geometries": (workroom.geometries, "What the viewer draws. `room.geometries[name]` takes and gives these models."),
    "Tests of extensions and functions": (
        workroom.testing,
        "Rooms without a server, and servers that are thrown away.",
    ),
}
# Made by methods, not by programs: how they are made is no part of the interface.
_NOT_CONSTRUCTED = {
    "JobHandle",
    "AsyncJobHandle",
    "Function",
    "Posting",
    "PostedCall",
    "CallOutcome",
    "ThrowAwayServer",
}
# Used between parts of the client, and no part of the interface.
INTERNAL = {
    "access",
    "after_undo",
    "as_value",
    "fetch",
    "fetch_json",
    "flush_writes",
    "follow_frames",
    "frames_changed",
    "frames_version",
    "inner",
    "live",
    "of_upload",
    "open_batch",
    "open_upload",
    "params_of",
    "place",
    "portal",
    "send_all",
    "send_now",
    "tell_what_is_offered",
    "worker",
    "write",
    "write_headers",
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
        "All names are imported from `workroom`, except those of the last two sections. Errors are on",
        "[a page of their own](errors.md), and are imported from `workroom`, too. `AsyncRoom` and `AsyncJobHandle`",
        "have the same methods as coroutines. What is a property that can be set in `Room`, as `room.step`, is a pair",
        "of methods in `AsyncRoom`: `await room.get_step()` and `await room.set_step(3)`.",
    ]
    for group, names in _GROUPS.items():
        lines += ["", f"## {group}"]
        for name in names:
            lines += _entry(name, getattr(workroom, name))
    for group, (module, about) in _OTHER_MODULES.items():
        lines += ["", f"## {group}", "", f"Imported from `{module.__name__}`. {about}"]
        for name in module.__all__:
            lines += _entry(name, getattr(module, name))
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
    if inspect.isclass(what) and issubclass(what, BaseModel) and what is not workroom.Extension:
        yield _prose(what)
        yield from _fields(what)
        return
    if (inspect.isfunction(what) or what is thing) and name not in _NOT_CONSTRUCTED:
        yield from ["```text", f"{name}{_signature(what)}", "```", ""]
    yield _prose(what)
    if inspect.isfunction(what):
        return
    rows = [(shown, member) for shown, member in _members(what)]
    if rows:
        yield from ["", "| | |", "| --- | --- |"]
        yield from (f"| `{shown}` | {_summary(member)} |" for shown, member in rows)


def _fields(model: type[BaseModel]) -> Iterator[str]:
    yield from ["", "| field | default | unit | meaning |", "| --- | --- | --- | --- |"]
    for name, field in model.model_fields.items():
        default = "" if field.is_required() else f"`{field.get_default(call_default_factory=True)!r}`"
        extra: Any = field.json_schema_extra or {}
        unit: str = extra.get("unit", "")
        yield f"| `{name}` | {default} | {unit} | {field.description or ''} |"


def _members(what: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that Workroom itself defines and describes, in the order of their names."""
    for name in sorted(dir(what), key=str.lower):
        member: Any = inspect.getattr_static(what, name)
        owner = next((base for base in what.__mro__ if name in vars(base)), object)
        if not owner.__module__.startswith("workroom") or (name.startswith("_") and name not in _OPERATORS):
            continue
        if name in INTERNAL:
            continue
        member = getattr(member, "__func__", member)  # of a class method or static method
        if not (inspect.isfunction(member) or isinstance(member, property)) or not member.__doc__:
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
