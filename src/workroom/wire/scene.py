"""Messages about what a room shows, and about what was done to it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, Strict

from workroom.domain.limits import ITEMS_PER_KIND
from workroom.wire.base import Answer, Request, Text
from workroom.wire.geometries import GeometryBody

Index = Annotated[int, Strict(), Field(ge=0, le=2_147_483_647)]
Key = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00/]*$")]
Label = Annotated[Text, Field(min_length=1, max_length=500)]


def _each_once(indices: list[int]) -> list[int]:
    return list(dict.fromkeys(indices))


Indices = Annotated[
    list[Index],
    Field(max_length=1_000_000, description="Each counts once; their order is kept."),
    AfterValidator(_each_once),
]
Group = Annotated[dict[Key, Indices], Field(max_length=ITEMS_PER_KIND)]


class Selection(Request):
    indices: Indices


class Selections(Request):
    selections: dict[Key, Indices] = Field(max_length=ITEMS_PER_KIND)


class SelectionGroups(Request):
    groups: dict[Key, Group] = Field(max_length=ITEMS_PER_KIND)


class FrameSelection(Request):
    indices: Indices | None = Field(description="null: no frames are singled out.")


class Bookmark(Request):
    label: Label


class Bookmarks(Request):
    bookmarks: dict[Annotated[str, Field(pattern=r"^(0|[1-9]\d{0,8})$")], Label] = Field(max_length=ITEMS_PER_KIND)


class Geometries(Request):
    geometries: dict[Key, GeometryBody] = Field(max_length=ITEMS_PER_KIND)


class FigureLink(Request):
    """What the points of a trace stand for: clicking one shows the frame, or selects the atom."""

    trace: int = Field(0, ge=0, le=999, description="Which trace, from 0.")
    to: Literal["frames", "atoms"]
    indices: Annotated[list[Index], Field(max_length=1_000_000)] | None = Field(
        None, description="For each point which frame or atom; left out: the point's own number."
    )
    frame: Index | None = Field(None, description="For atoms: in which frame; left out: in the one that is shown.")
    selection: Key = Field("particles", description="For atoms: the selection they are of.")


class FigureBody(Request):
    """A figure, as Plotly writes it."""

    data: list[dict[str, Any]] = Field(max_length=1_000)
    layout: dict[str, Any] = Field(default_factory=dict[str, Any])
    frames: list[dict[str, Any]] | None = Field(None, max_length=10_000)
    links: list[FigureLink] | None = Field(None, max_length=1_000)


class Figures(Request):
    figures: dict[Key, FigureBody] = Field(max_length=ITEMS_PER_KIND)


class MetadataValue(Request):
    value: Any


class Metadata(Request):
    metadata: dict[Key, Any] = Field(max_length=ITEMS_PER_KIND)


class Step(Request):
    step: Annotated[int, Strict(), Field(ge=-2_147_483_648, le=2_147_483_647, description="-1 is the last frame.")]


class StepBySocket(Step):
    room: str = Field(max_length=200)


class CurrentStep(Answer):
    step: int = Field(description="The frame that everyone in the room sees.")
    length: int = Field(description="The number of frames in the room.")


class StepSet(Answer):
    step: int


class ItemsWritten(Answer):
    """What a write has done."""

    change_id: UUID | None = Field(description="null: everything was so already.")
    revision: int = Field(description="The room's revision since.")
    keys: list[str] = Field(description="The items that are different now.")


class ChangeAuthor(Answer):
    id: UUID | None
    name: str | None


class FramesTouched(Answer):
    """What a change did to the trajectory."""

    start: int = Field(description="The first position.")
    removed: int = Field(description="How many frames.")
    added: int


class ItemTouched(Answer):
    kind: str
    key: str
    act: Literal["added", "changed", "removed"]


class Change(Answer):
    """One write in a room: who did what, when, and for which job."""

    id: UUID
    revision: int
    act: str
    label: str
    author: ChangeAuthor
    job_id: UUID | None
    extension: str | None
    parameters: Any
    machine: str | None
    at: datetime
    undo_of: UUID | None
    undone_by: UUID | None
    frames: FramesTouched | None
    values: list[ItemTouched] = Field(description="The first twenty items it touched.")
    value_count: int


class Changes(Answer):
    items: list[Change]


class UndoJob(Request):
    job_id: UUID


class Undone(Answer):
    change_id: UUID = Field(description="The change that undid it.")
    revision: int
    undone: list[UUID]
