"""Chat messages of a room."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.wire.base import Answer


class ChatMessage(Answer):
    """A chat message, written by a user or created for a failed job."""

    id: UUID
    room: str
    user_id: UUID | None
    user: str | None = None
    job_id: UUID | None
    text: str
    created_at: datetime
    edited_at: datetime | None
