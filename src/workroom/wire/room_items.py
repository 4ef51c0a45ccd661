"""Responses that list the items of a room: selections, bookmarks, geometries, figures and metadata."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from workroom.wire.base import Answer, Timestamp
from workroom.wire.scene import FigureLink


class RoomSelectionGroups(Answer):
    groups: dict[str, dict[str, list[int]]] = Field(description="By group and selection, the selected indices.")


class RoomSelections(RoomSelectionGroups):
    selections: dict[str, list[int]] = Field(description="By selection, the selected indices; `particles` are atoms.")


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
