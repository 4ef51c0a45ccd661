"""Queue many jobs at once: a posting, or jobs that each stand for themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsMoved, PostingChanged, WorkAppeared
from workroom.actions.jobs.assign import assign_from, offer_work
from workroom.actions.jobs.chunks import Piece, Pieces, pieces
from workroom.actions.jobs.dependencies import await_needs, depend
from workroom.actions.jobs.options import Needs, Wish, check_wish, gone
from workroom.actions.jobs.propagate import settle_posting
from workroom.domain import ids
from workroom.domain.errors import BadInput, DatabaseBusy
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs, postings
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Moved, Submitted
from workroom.store.queue_tables.postings import NewPosting

_AT_ONCE = 10_000
_HINT_BYTES = 6_000  # more need not be tried; how many they are in the database's words is looked at there


async def post(
    engine: Engine,
    extension: ExtensionRow,
    arguments: Iterable[Any],
    wish: Wish,
    *,
    label: str = "",
    timeout_seconds: float | None = None,
    backoff_base: float | None = None,
    backoff_cap: float | None = None,
    retry_of: Sequence[UUID] = (),
    by_job: UUID | None = None,
    keyed: bool = False,
) -> UUID:
    """Write one posting and its jobs, all or none, from any iterable in bounded memory.

    The extension may be a function or any other. `retry_of` names, for each, the ended job that it does once more;
    `by_job` the job that posts. With an idempotency key used before, the posting of then is the answer. With `keyed`
    each of `arguments` is a pair of arguments and unique key: calls whose key an unfinished job of the function has
    are left out.
    """
    check_wish(wish)
    posting_id = ids.posting_id(new_id())
    priority = extension.priority if wish.priority is None else wish.priority
    tries = wish.tries or extension.tries
    on_worker_lost = wish.on_worker_lost or extension.on_worker_lost
    source = Pieces(arguments, keyed=keyed)
    new = NewPosting(
        id=posting_id,
        extension_id=extension.id,
        submitter=wish.submitter,
        room=wish.room,
        label=label,
        priority=priority,
        tries=tries,
        timeout_seconds=timeout_seconds,
        backoff_base=backoff_base,
        backoff_cap=backoff_cap,
        on_worker_lost=on_worker_lost,
        unique_key=wish.idempotency_key,
        by_job=by_job,
    )
    simple = not keyed and not wish.needs and not retry_of and wish.idempotency_key is None
    if (piece := source.only) is not None and simple:
        return await _post_at_once(engine, extension, piece, wish, new)

    async def work(transaction: Transaction) -> UUID:
        async with aclosing(source.read()) as given:
            return await write(transaction, given)

    async def write(transaction: Transaction, given: AsyncIterator[Piece]) -> UUID:
        if (before := await _posted_before(transaction, extension, wish)) is not None:
            return before
        unmet, doomed = await await_needs(transaction, wish.needs)
        needs = len(unmet.jobs) + len(unmet.postings) + len(doomed.jobs) + len(doomed.postings)
        created = await postings.create(transaction.connection, new)
        if created is None:
            raise DatabaseBusy  # somebody posts with the same key at this moment: the next try finds theirs
        transaction.note(PostingChanged(posting_id))
        if keyed:
            await jobs.hold_keys(transaction.connection, extension_id=extension.id)
        total = duplicates = 0
        made: list[UUID] = []
        async for piece in given:
            count = piece.size
            turn = await jobs.reserve_turns(
                transaction.connection,
                extension_id=extension.id,
                schema_hash=extension.schema_hash,
                priority=priority,
                submitter=wish.submitter,
                count=count,
            )
            if turn is None:
                raise gone(extension)
            where: dict[str, Any] = {
                "id_prefix": posting_id.bytes[:12],
                "first_position": total + duplicates,
                "first_turn": turn,
                "extension_id": extension.id,
                "submitter": wish.submitter,
                "posting_id": posting_id,
                "arguments": piece.arguments,
                "room": wish.room,
                "priority": priority,
                "tries": tries,
                "on_worker_lost": on_worker_lost,
                "run_at": wish.run_at,
                "unmet": needs,
            }
            if keyed:
                queued = await jobs.submit_unique(transaction.connection, keys=piece.keys, **where)
                duplicates += count - len(queued)
                count = len(queued)
            else:
                again = retry_of[total : total + count]
                await jobs.submit_many(transaction.connection, retry_of=again, **where)
                queued = list(ids.job_ids(posting_id, total, total + count)) if needs else []
            if needs:
                await depend(transaction, queued, unmet, Needs())
                made += queued
            total += count
        posting = await postings.grow(
            transaction.connection, posting_id, count=total, sealed=True, duplicates=duplicates
        )
        if posting is not None and posting.status in (State.COMPLETED, State.FAILED, State.CANCELLED):
            await settle_posting(transaction, posting)
        if doomed:
            await depend(transaction, made, Needs(), doomed)
        elif not needs:
            await offer_work(transaction, [extension.id])
            await jobs.hint(transaction.connection, [extension.id])
        return posting_id

    return await engine.atomically(work)


async def _posted_before(transaction: Transaction, extension: ExtensionRow, wish: Wish) -> UUID | None:
    if wish.idempotency_key is None:
        return None
    return await postings.find_by_key(
        transaction.connection,
        submitter=wish.submitter,
        extension_id=extension.id,
        unique_key=wish.idempotency_key,
    )


async def _post_at_once(engine: Engine, extension: ExtensionRow, piece: Piece, wish: Wish, new: NewPosting) -> UUID:
    """The same in a single statement: nobody has to be waited for between its parts."""
    if _may_go_straight(extension, piece, wish, new) and await _post_straight(engine, extension, piece, new):
        return new.id

    async def work(transaction: Transaction) -> bool | None:
        wanted = await postings.post(
            transaction.connection,
            new,
            schema_hash=extension.schema_hash,
            run_at=wish.run_at,
            count=piece.size,
            arguments=piece.arguments,
        )
        if wanted is not None:
            transaction.note(PostingChanged(new.id))
            transaction.note(WorkAppeared((extension.id,)))
        return wanted

    wanted = await engine.at_once(work)
    if wanted is None:
        raise gone(extension)
    if wanted:
        await assign_from(engine, extension.id)
    return new.id


def _may_go_straight(extension: ExtensionRow, piece: Piece, wish: Wish, new: NewPosting) -> bool:
    """A process that leaves at this moment gives back what it was sent; a job whose policy is to fail would fail."""
    return (
        piece.size == 1
        and extension.scope == "function"
        and wish.run_at is None
        and new.on_worker_lost != "fail"
        and len(piece.arguments) < _HINT_BYTES
    )


async def _post_straight(engine: Engine, extension: ExtensionRow, piece: Piece, new: NewPosting) -> bool:
    """Send a single call to a process that has nothing to do; whether there was one."""

    async def work(transaction: Transaction) -> bool:
        # The argument is what the array of one has between its brackets.
        argument = piece.arguments[1:-1]
        sent = await postings.post_straight(
            transaction.connection, new, schema_hash=extension.schema_hash, argument=argument
        )
        if sent:
            transaction.note(PostingChanged(new.id))
        return sent

    return await engine.at_once(work)


async def submit_each(engine: Engine, extension: ExtensionRow, arguments: Sequence[Any], wish: Wish) -> list[Submitted]:
    """Queue many jobs of one extension, all or none; each stands for itself, there is no posting."""
    check_wish(wish)
    if wish.idempotency_key is not None or wish.needs:
        raise BadInput("Many jobs at once take neither an idempotency key nor dependencies.")
    if not arguments or len(arguments) > _AT_ONCE:
        raise BadInput(f"Submit 1 to {_AT_ONCE:,} jobs at once, not {len(arguments):,}.")
    encoded = list(pieces(arguments))
    seed = ids.posting_id(new_id())
    made = list(ids.job_ids(seed, 0, len(arguments)))
    priority = extension.priority if wish.priority is None else wish.priority

    async def work(transaction: Transaction) -> list[Submitted]:
        turn = await jobs.reserve_turns(
            transaction.connection,
            extension_id=extension.id,
            schema_hash=extension.schema_hash,
            priority=priority,
            submitter=wish.submitter,
            count=len(made),
        )
        if turn is None:
            raise gone(extension)
        total = 0
        for count, text, _ in encoded:
            await jobs.submit_many(
                transaction.connection,
                id_prefix=seed.bytes[:12],
                first_position=total,
                first_turn=turn + total,
                extension_id=extension.id,
                submitter=wish.submitter,
                posting_id=None,
                arguments=text,
                room=wish.room,
                priority=priority,
                tries=wish.tries or extension.tries,
                on_worker_lost=wish.on_worker_lost or extension.on_worker_lost,
                run_at=wish.run_at,
                unmet=0,
            )
            total += count
        moved = [Moved(job_id, 0, extension.id, None, wish.room, State.PENDING, False) for job_id in made]
        transaction.note(JobsMoved(tuple(moved)))
        await offer_work(transaction, [extension.id])
        return [Submitted(job_id, State.PENDING, datetime.now(UTC)) for job_id in made]

    return await engine.atomically(work)
