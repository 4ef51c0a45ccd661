"""Chat: what is said in a room."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, status
from pydantic import Field

from workroom.actions.rooms import chat
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import Context
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import jobs
from workroom.wire.base import Request

router = make_router("/api/rooms/{room}/chat", tag="chat")


class Saying(Request):
    text: str = Field(min_length=1, max_length=20_000)


@router.get("", summary="What was said, newest first")
async def messages(
    context: Context, access: Reader, before: UUID | None = None, limit: Annotated[int, Query(ge=1, le=500)] = 100
) -> dict[str, Any]:
    rows = await chat.messages(context.engine, access.room, before=before, limit=limit)
    return {"items": [jobs.chat(row) for row in rows]}


@router.post("", status_code=status.HTTP_201_CREATED, summary="Say something")
async def say(context: Context, access: Writer, body: Saying) -> dict[str, Any]:
    return jobs.chat(await chat.post(context.engine, access.room, access.principal.account_id, body.text))


@router.patch("/{id}", summary="Say it differently", responses=error_responses(403, 404, 409))
async def edit(context: Context, access: Writer, id: UUID, body: Saying) -> dict[str, Any]:
    """Only who said it may; everybody sees that it was edited."""
    return jobs.chat(await chat.edit(context.engine, access.room, access.principal.account_id, id, body.text))


@router.delete(
    "/{id}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Take it back",
    responses=error_responses(403, 404, 409),
)
async def take_back(context: Context, access: Writer, id: UUID) -> None:
    """Who said it may, and the owners of the room."""
    await chat.delete(
        context.engine, access.room, access.principal.account_id, id, any_author=access.rights is Rights.OWN
    )
