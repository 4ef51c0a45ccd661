"""`Room` and `AsyncRoom` have the same methods, but for those that are named here, each with its reason."""

from __future__ import annotations

import inspect

from docs.render_python import INTERNAL, python

from workroom import AsyncJobHandle, AsyncRoom, JobHandle, Room

_A_PROPERTY = "a property that can be set in Room is a pair of methods in AsyncRoom"
_AN_OPERATOR = "an operator of Room (`room[i]`, `len(room)`, `del room[i]`) is a method of AsyncRoom"
_OF_A_JOB = "of the room in a running job, which is a Room"
_OF_A_VIEW = "in Room a method of `room.jobs` or `room.chat`"

ONLY_ROOM = {
    "atoms": _A_PROPERTY,
    "cancelled": _OF_A_JOB,
    "frame_selection": _A_PROPERTY,
    "name": "an attribute of an AsyncRoom object",
    "progress": _OF_A_JOB,
    "selection": _A_PROPERTY,
    "step": _A_PROPERTY,
}
ONLY_ASYNC_ROOM = {
    "arrange": "Room has `sort` and `reverse`, and slices can be assigned",
    "delete": _AN_OPERATOR,
    "edit": _OF_A_VIEW,
    "frame": _AN_OPERATOR,
    "frames": _AN_OPERATOR,
    "get_atoms": _A_PROPERTY,
    "get_frame_selection": _A_PROPERTY,
    "get_selection": _A_PROPERTY,
    "get_step": _A_PROPERTY,
    "job": _OF_A_VIEW,
    "length": _AN_OPERATOR,
    "open": "a Room is open from its construction on",
    "set_atoms": _A_PROPERTY,
    "set_frame_selection": _A_PROPERTY,
    "set_selection": _A_PROPERTY,
    "set_step": _A_PROPERTY,
    "state": "length, step and revision in one request; Room has `len(room)` and `room.step`",
    "take_back": _OF_A_VIEW,
}
ONLY_JOB_HANDLE = {
    "name": "an attribute of an AsyncJobHandle object",
    "status": "asks the server, which a property awaits",
}
ONLY_ASYNC_JOB_HANDLE = {"is_done": "JobHandle has `status`, which asks the server"}


def _public(what: type) -> set[str]:
    return {name for name in dir(what) if not name.startswith("_")} - INTERNAL


def test_room_and_async_room_differ_only_where_there_is_a_reason() -> None:
    assert _public(Room) - _public(AsyncRoom) == ONLY_ROOM.keys()
    assert _public(AsyncRoom) - _public(Room) == ONLY_ASYNC_ROOM.keys()
    assert _public(JobHandle) - _public(AsyncJobHandle) == ONLY_JOB_HANDLE.keys()
    assert _public(AsyncJobHandle) - _public(JobHandle) == ONLY_ASYNC_JOB_HANDLE.keys()


def test_every_public_method_is_described() -> None:
    described = {name for name in _public(AsyncRoom) if inspect.getdoc(inspect.getattr_static(AsyncRoom, name))}
    assert _public(AsyncRoom) - described == set()


def test_the_reference_names_no_internals_and_all_modules_of_the_interface() -> None:
    page = python()
    rows = {line.split("`")[1].partition("(")[0] for line in page.splitlines() if line.startswith("| `")}
    assert rows & INTERNAL == set()
    for name in ("LocalRoom", "run_extension", "throw_away_server", "Arrows", "ColourBy", "Isosurface"):
        assert f"### `{name}`" in page
