"""Messages about rooms, their members, and the links into them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from workroom.domain.rooms.rights import Rights
from workroom.wire.base import Answer, Request, Text

Visibility = Literal["public", "private"]
Description = Annotated[Text, Field(max_length=10_000)]
RoomName = Annotated[str, Field(min_length=1, max_length=100, examples=["my-room"])]


class NewRoom(Request):
    name: RoomName
    description: Description = ""
    visibility: Visibility = Field("public", description="A private room does not exist for those who are no members.")


class RoomChange(Request):
    """What is to change; what is left out stays."""

    description: Description | None = None
    visibility: Visibility | None = None
    locked: bool | None = Field(None, description="In a locked room only its owners change anything.")


class Duplicate(Request):
    name: RoomName


class Room(Answer):
    """A room, as somebody sees it."""

    name: str
    description: str
    visibility: Visibility
    locked: bool
    owner_id: UUID | None
    owner: str | None = Field(description="The name of whoever made it.")
    created_at: datetime
    updated_at: datetime
    rights: Rights = Field(description="What the one who asks may do here.")


class Member(Answer):
    id: UUID
    name: str
    rights: Rights
    creator: bool = Field(description="Made the room, and owns it for good.")
    added_at: datetime


class Members(Answer):
    items: list[Member]


class Grant(Request):
    """What a member may do."""

    rights: Rights


class NewLink(Request):
    rights: Literal[Rights.READ, Rights.WRITE] = Rights.READ
    expires_in_seconds: float | None = Field(None, gt=0, le=31_536_000, description="Left out: never.")


class Link(Answer):
    id: UUID
    rights: Rights
    created_by: UUID | None
    created_at: datetime
    expires_at: datetime | None


class MadeLink(Link):
    """A new link with its secret, which is not shown again."""

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
    """Somebody comes by a link."""

    link: str = Field(min_length=1, max_length=200)
