"""Chat: the messages of a room."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from workroom.actions.accounts.audit import record_admin_act
from workroom.actions.rooms import chat
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Reader, Writer
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import jobs
from workroom.store.room_tables.chat import ChatRow
from workroom.wire.chat import ChatMessage, ChatMessages, ChatText

router = make_router("/api/rooms/{room}/chat", tag="chat")


@router.get("", summary="Chat messages, newest first")
async def messages(
    context: Context, access: Reader, before: UUID | None = None, limit: Annotated[int, Query(ge=1, le=500)] = 100
) -> ChatMessages:
    rows = await chat.messages(context.engine, access.room, before=before, limit=limit)
    return ChatMessages(items=[_to_response(row) for row in rows])


@router.post("", status_code=status.HTTP_201_CREATED, summary="Send a message", responses=error_responses(429))
async def send(context: Context, access: Writer, body: ChatText) -> ChatMessage:
    context.chat_limit.hit(str(access.principal.account_id))
    return _to_response(await chat.post(context.engine, access.room, access.principal.account_id, body.text))


@router.patch("/{id}", summary="Edit a message", responses=error_responses(403, 404, 409))
async def edit(context: Context, access: Writer, id: UUID, body: ChatText) -> ChatMessage:
    """Only the author may edit a message. It is marked as edited."""
    context.chat_limit.hit(str(access.principal.account_id))
    return _to_response(await chat.edit(context.engine, access.room, access.principal.account_id, id, body.text))


@router.delete(
    "/{id}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Delete a message",
    responses=error_responses(403, 404, 409),
)
async def delete(context: Context, access: Writer, id: UUID) -> None:
    """The author and the owners of the room may delete a message."""
    await chat.delete(
        context.engine, access.room, access.principal.account_id, id, any_author=access.rights is Rights.OWN
    )
    if access.principal.is_admin:
        await record_admin_act(context.engine, access.principal.account_id, "chat.delete", access.room, id=str(id))


def _to_response(row: ChatRow) -> ChatMessage:
    return ChatMessage.model_validate(jobs.chat(row))
