"""Messages about rooms, members, share links and presence."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from workroom.domain.rooms.rights import ExtensionsFrom, Rights
from workroom.wire.base import Answer, Request, Text

Visibility = Literal["public", "private"]
Description = Annotated[Text, Field(max_length=10_000)]
_EXTENSIONS_FROM = (
    "Who may offer extensions while the room is public: its members, users with a password, or everyone (`guests`). "
    "In a private room only members may."
)
RoomName = Annotated[str, Field(min_length=1, max_length=100, examples=["my-room"])]


class NewRoom(Request):
    name: RoomName
    description: Description = ""
    visibility: Visibility = Field("public", description="Only members see a private room.")
    extensions_from: ExtensionsFrom = Field(ExtensionsFrom.MEMBERS, description=_EXTENSIONS_FROM)


class RoomChange(Request):
    """Fields to change. Omitted fields do not change."""

    description: Description | None = None
    visibility: Visibility | None = None
    locked: bool | None = Field(None, description="In a locked room only owners may write.")
    archived: bool | None = Field(None, description="The web app lists archived rooms only on request.")
    extensions_from: ExtensionsFrom | None = Field(None, description=_EXTENSIONS_FROM)


class Duplicate(Request):
    name: RoomName


class Room(Answer):
    """A room, with the rights of the caller."""

    name: str
    description: str
    visibility: Visibility
    locked: bool
    extensions_from: ExtensionsFrom = Field(description="Who may offer extensions while the room is public.")
    owner_id: UUID | None
    owner: str | None = Field(description="The name of the creator.")
    created_at: datetime
    updated_at: datetime
    rights: Rights = Field(description="The rights of the caller.")
    archived: bool = False


class ListedRoom(Room):
    """A room in a list, with what is in it."""

    frames: int
    atoms: int | None = Field(description="Of the first frame.")
    bytes: int
    changed_at: datetime = Field(description="Of the last change in the room, or of its settings.")
    thumbnail_at: datetime | None = Field(description="When its thumbnail was made; null: it has none.")


class Member(Answer):
    id: UUID
    name: str
    rights: Rights
    creator: bool = Field(description="The creator always owns the room.")
    added_at: datetime


class Members(Answer):
    items: list[Member]


class Grant(Request):
    """The rights of a member."""

    rights: Rights


class NewLink(Request):
    rights: Literal[Rights.READ, Rights.WRITE] = Rights.READ
    expires_in_seconds: float | None = Field(
        None, gt=0, le=31_536_000, description="Omitted: the link does not expire."
    )


class Link(Answer):
    id: UUID
    rights: Rights
    created_by: UUID | None
    created_at: datetime
    expires_at: datetime | None


class MadeLink(Link):
    """A new link with its secret. It is not shown again."""

    link: str


class Links(Answer):
    items: list[Link]


class PersonPresent(Answer):
    id: UUID
    name: str
    sockets: int = Field(description="Open connections of this person in the room.")


class Presence(Answer):
    """The people connected to a room; the event `presence:changed` carries the same fields."""

    room: str
    people: list[PersonPresent] = Field(description="The first hundred by name.")
    total: int = Field(description="The number of connected people.")


class Join(Request):
    """The share link to join with."""

    link: str = Field(min_length=1, max_length=200)
