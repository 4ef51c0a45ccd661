"""Items of a room (selections, bookmarks, geometries, figures, metadata): requests and responses; changes and undo."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, Strict

from workroom.domain.limits import ITEMS_PER_KIND
from workroom.wire.base import Answer, Request, Text, Timestamp
from workroom.wire.geometries import GeometryBody

Index = Annotated[int, Strict(), Field(ge=0, le=2_147_483_647)]
Key = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00/]*$")]
Label = Annotated[Text, Field(min_length=1, max_length=500)]


def _without_duplicates(indices: list[int]) -> list[int]:
    return list(dict.fromkeys(indices))


Indices = Annotated[
    list[Index],
    Field(max_length=1_000_000, fail_fast=True, description="Duplicates are removed; the order is kept."),
    AfterValidator(_without_duplicates),
]
Group = Annotated[dict[Key, Indices], Field(max_length=ITEMS_PER_KIND)]


class Selection(Request):
    indices: Indices


class Selections(Request):
    selections: dict[Key, Indices] = Field(max_length=ITEMS_PER_KIND)


class SelectionGroups(Request):
    groups: dict[Key, Group] = Field(max_length=ITEMS_PER_KIND)


class FrameSelection(Request):
    indices: Indices | None = Field(description="null: no frames are selected.")


class Bookmark(Request):
    label: Label


class Bookmarks(Request):
    bookmarks: dict[Annotated[str, Field(pattern=r"^(0|[1-9]\d{0,8})$")], Label] = Field(max_length=ITEMS_PER_KIND)


class Geometries(Request):
    geometries: dict[Key, GeometryBody] = Field(max_length=ITEMS_PER_KIND)


class FigureLink(Request):
    """Links the points of a trace to frames or atoms: a click shows the frame, or selects the atom."""

    trace: int = Field(0, ge=0, le=999, description="The index of the trace, from 0.")
    to: Literal["frames", "atoms"]
    indices: Annotated[list[Index | None], Field(max_length=1_000_000, fail_fast=True)] | None = Field(
        None,
        description="The frame or atom of each point, null for a point without one; omitted: the index of the point.",
    )
    frame: Index | None = Field(None, description="For atoms: the frame; omitted: the current frame.")
    selection: Key = Field("particles", description="For atoms: the selection that a click changes.")


class FigureBody(Request):
    """A Plotly figure."""

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
    step_revision: int = Field(description="Raised by one whenever the step is set.")


class ItemsWritten(Answer):
    """The result of a write."""

    change_id: UUID | None = Field(description="null: nothing changed.")
    revision: int = Field(description="The revision of the room after the write.")
    keys: list[str] = Field(description="The changed items.")


class ChangeAuthor(Answer):
    id: UUID | None
    name: str | None


class FramesTouched(Answer):
    """The effect of a change on the trajectory."""

    start: int = Field(description="The first position, as it was just before the change.")
    removed: int = Field(description="The number of frames.")
    added: int
    last_now: int | None = Field(
        description="The present position of the last added frame that is still there; null: none is."
    )


class ItemTouched(Answer):
    kind: str
    key: str
    act: Literal["added", "changed", "removed"]


class Change(Answer):
    """One write to a room: the author, the time, the job and what it changed."""

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
    values: list[ItemTouched] = Field(description="The first twenty changed items.")
    value_count: int


class Changes(Answer):
    items: list[Change]


class UndoJob(Request):
    job_id: UUID


class Undone(Answer):
    change_id: UUID = Field(description="The change that undid it.")
    revision: int
    undone: list[UUID]


class RoomSelectionGroups(Answer):
    groups: dict[str, dict[str, list[int]]] = Field(description="By group and selection, the selected indices.")


class RoomSelections(RoomSelectionGroups):
    selections: dict[str, list[int]] = Field(description="By selection, the selected indices; `particles` are atoms.")
    authors: dict[str, str | None] = Field(description="By selection, the user who set it last; null: a former user.")
    group_authors: dict[str, str | None] = Field(description="By group, the user who set it last; null: a former user.")


class SelectedFrames(Answer):
    indices: list[int] | None = Field(description="null: no frames are selected.")


class RoomBookmarks(Answer):
    bookmarks: dict[str, str] = Field(description="By frame index, the label.")


class GeometryInfo(Answer):
    """A geometry with all fields of its type, defaults included."""

    type: str = Field(examples=["spheres"])
    data: dict[str, Any] = Field(description="The fields of this type, as `geometries/schemas` describes them.")


class NamedGeometry(GeometryInfo):
    key: str


class RoomGeometries(Answer):
    geometries: dict[str, GeometryInfo]


class GeometrySchemas(Answer):
    schemas: dict[str, dict[str, Any]] = Field(description="By geometry type, the JSON schema of its `data`.")


class ItemName(Answer):
    """An item without its value."""

    key: str
    revision: int = Field(description="The room's revision when the item was last set.")
    updated_by: str | None
    updated_at: Timestamp


class FigureNames(Answer):
    items: list[ItemName]


class FigureInfo(Answer):
    """A Plotly figure."""

    key: str
    revision: int = Field(description="The room's revision when the figure was last set.")
    data: list[dict[str, Any]]
    layout: dict[str, Any]
    frames: list[dict[str, Any]] | None = Field(None, description="Left out when the figure has none.")
    links: list[FigureLink] | None = Field(None, description="Left out when the figure has none.")


class RoomMetadata(Answer):
    metadata: dict[str, Any]


class MetadataEntry(Answer):
    key: str
    value: Any
