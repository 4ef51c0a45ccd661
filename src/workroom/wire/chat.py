"""Messages about a room's chat."""

from __future__ import annotations

from uuid import UUID

from pydantic import Field

from workroom.wire.base import Answer, Request, Timestamp


class ChatText(Request):
    text: str = Field(min_length=1, max_length=20_000)


class ChatMessage(Answer):
    """One chat message; the event `chat:message` carries the same fields."""

    id: UUID
    room: str
    user_id: UUID | None = Field(description="The author; null for a notice that the server wrote.")
    user: str | None
    job_id: UUID | None = Field(description="The job that the message is about, or that wrote it.")
    text: str
    created_at: Timestamp
    edited_at: Timestamp | None
    edited: bool


class ChatMessages(Answer):
    items: list[ChatMessage]
