"""What is said: by people in rooms, and by jobs while they run."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import ChatDeleted, ChatPosted, LinesLogged, ProgressMade
from workroom.domain.errors import AttemptLost, BadInput, NotFound
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.job_rows import LogLine, Transition
from workroom.store.room_tables import chat
from workroom.store.room_tables.chat import ChatRow

LINES_KEPT = 1_000
_LONGEST_LINE = 2_000
_LONGEST_MESSAGE = 20_000


async def post(engine: Engine, room: str, author: UUID, text: str) -> ChatRow:
    """Say something in a room."""
    _check(text)

    async def work(transaction: Transaction) -> ChatRow:
        message = await chat.say(transaction.connection, id=new_id(), room=room, author=author, text=text)
        transaction.record(ChatPosted((message,)))
        return message

    return await engine.transaction(work)


async def edit(engine: Engine, room: str, author: UUID, message_id: UUID, text: str) -> ChatRow:
    """Say it differently; only who said it may."""
    _check(text)

    async def work(transaction: Transaction) -> ChatRow:
        message = await chat.edit(transaction.connection, id=message_id, room=room, author=author, text=text)
        if message is None:
            raise _no_such_message()
        transaction.record(ChatPosted((message,)))
        return message

    return await engine.transaction(work)


async def delete(engine: Engine, room: str, author: UUID, message_id: UUID, *, anybodys: bool) -> None:
    """Delete a message: one's own, or, for owners of the room, anybody's."""

    async def work(transaction: Transaction) -> None:
        if not await chat.delete(transaction.connection, id=message_id, room=room, author=author, anybodys=anybodys):
            raise _no_such_message()
        transaction.record(ChatDeleted(room, message_id))

    await engine.transaction(work)


def _check(text: str) -> None:
    if not text.strip() or len(text) > _LONGEST_MESSAGE or "\x00" in text:
        raise BadInput(f"A message has 1 to {_LONGEST_MESSAGE:,} characters, none of them NUL.")


def _no_such_message() -> NotFound:
    return NotFound("There is no such message of yours in this room.")


async def messages(engine: Engine, room: str, *, before: UUID | None = None, limit: int = 100) -> list[ChatRow]:
    """What was said in a room, newest first."""
    async with engine.database.connection() as connection:
        return await chat.messages(connection, room=room, before=before, limit=limit)


async def post_failures(transaction: Transaction, failed: Sequence[Transition]) -> None:
    """Say in their rooms which jobs have failed, and why."""
    posted = await chat.insert_failures(
        transaction.connection, ids=[new_id() for _ in failed], job_ids=[job.id for job in failed]
    )
    if posted:
        transaction.record(ChatPosted(tuple(posted)))


async def log(engine: Engine, worker_id: UUID, job_id: UUID, attempt: int, lines: Sequence[str]) -> None:
    """Keep lines that a job printed; the last thousand stay."""
    clean = [line.replace("\x00", "�")[:_LONGEST_LINE] for line in lines][-LINES_KEPT:]

    async def work(transaction: Transaction) -> None:
        first = await jobs.append_log(
            transaction.connection, id=job_id, worker_id=worker_id, attempt=attempt, lines=clean, keep=LINES_KEPT
        )
        if first is None:
            raise AttemptLost(jobId=str(job_id), attempt=attempt)
        transaction.record(LinesLogged(job_id, attempt, first, tuple(clean)))

    await engine.transaction(work)


async def read_log(engine: Engine, job_id: UUID, *, after: int = 0, limit: int = LINES_KEPT) -> list[LogLine]:
    """The lines of a job after a given one."""
    async with engine.database.connection() as connection:
        return await jobs.read_log(connection, job_id, after=after, limit=limit)


async def progress(
    engine: Engine, worker_id: UUID, job_id: UUID, attempt: int, *, fraction: float | None, message: str = ""
) -> None:
    """Note how far a job is."""
    if fraction is not None and not 0 <= fraction <= 1:
        raise BadInput(f"fraction must be 0 to 1, not {fraction}.")
    async with engine.database.connection() as connection:
        noted = await jobs.progress(
            connection,
            id=job_id,
            worker_id=worker_id,
            attempt=attempt,
            fraction=fraction,
            message=message.replace("\x00", "�")[:1_000],
        )
    if noted is None:
        raise AttemptLost(jobId=str(job_id), attempt=attempt)
    engine.announce([ProgressMade(job_id, attempt, fraction, message[:1_000])])
