"""Chat messages of a room, written by users or posted by the server about failed jobs."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import ChatDeleted, ChatPosted
from workroom.domain.errors import BadInput, NotFound
from workroom.store.queue_tables.job_rows import Transition
from workroom.store.room_tables import chat
from workroom.store.room_tables.chat import ChatRow

_LONGEST_MESSAGE = 20_000


async def post(engine: Engine, room: str, author: UUID, text: str) -> ChatRow:
    """Post a message."""
    _check(text)

    async def work(transaction: Transaction) -> ChatRow:
        message = await chat.insert(transaction.connection, id=new_id(), room=room, author=author, text=text)
        transaction.record(ChatPosted((message,)))
        return message

    return await engine.transaction(work)


async def edit(engine: Engine, room: str, author: UUID, message_id: UUID, text: str) -> ChatRow:
    """Edit a message; only its author may."""
    _check(text)

    async def work(transaction: Transaction) -> ChatRow:
        message = await chat.edit(transaction.connection, id=message_id, room=room, author=author, text=text)
        if message is None:
            raise _no_such_message()
        transaction.record(ChatPosted((message,)))
        return message

    return await engine.transaction(work)


async def delete(engine: Engine, room: str, author: UUID, message_id: UUID, *, any_author: bool) -> None:
    """Delete a message of the author, or of any author for owners of the room."""

    async def work(transaction: Transaction) -> None:
        if not await chat.delete(
            transaction.connection, id=message_id, room=room, author=author, any_author=any_author
        ):
            raise _no_such_message()
        transaction.record(ChatDeleted(room, message_id))

    await engine.transaction(work)


def _check(text: str) -> None:
    if not text.strip() or len(text) > _LONGEST_MESSAGE or "\x00" in text:
        raise BadInput(f"A message has 1 to {_LONGEST_MESSAGE:,} characters, none of them NUL.")


def _no_such_message() -> NotFound:
    return NotFound("There is no such message of yours in this room.")


async def messages(engine: Engine, room: str, *, before: UUID | None = None, limit: int = 100) -> list[ChatRow]:
    """The messages of a room, newest first."""
    async with engine.database.connection() as connection:
        return await chat.messages(connection, room=room, before=before, limit=limit)


async def post_failures(transaction: Transaction, failed: Sequence[Transition]) -> None:
    """Post a message about each failed job in the room of the job."""
    posted = await chat.insert_failures(
        transaction.connection, ids=[new_id() for _ in failed], job_ids=[job.id for job in failed]
    )
    if posted:
        transaction.record(ChatPosted(tuple(posted)))
