"""Queue many jobs at once: a posting, or jobs that each stand for themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

from workroom.actions.aftermath import settle_posting
from workroom.actions.assign import offer_work
from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsMoved, PostingChanged
from workroom.actions.needs import await_needs, depend
from workroom.actions.wishes import Needs, Wish, check_wish, gone
from workroom.domain import ids, limits
from workroom.domain.errors import BadInput, DatabaseBusy, Unavailable
from workroom.domain.states import State
from workroom.store import jobs, postings
from workroom.store.extensions import ExtensionRow
from workroom.store.job_rows import Moved, Submitted

# Arguments travel to the database in pieces of this many jobs: large enough to be quick, small enough for memory.
_PIECE = 10_000
_WHAT = "The arguments"
_PIECE_BYTES = 16_000_000


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
) -> UUID:
    """Write one posting and its jobs, all or none, from any iterable in bounded memory.

    The extension may be a function or any other. `retry_of` names, for each, the ended job that it does once more;
    `by_job` the job that posts. With an idempotency key used before, the posting of then is the answer.
    """
    check_wish(wish)
    posting_id = ids.posting_id(new_id())
    priority = extension.priority if wish.priority is None else wish.priority
    tries = wish.tries or extension.tries
    on_worker_lost = wish.on_worker_lost or extension.on_worker_lost
    source = _Source(arguments)

    async def work(transaction: Transaction) -> UUID:
        if (before := await _posted_before(transaction, extension, wish)) is not None:
            return before
        unmet, doomed = await await_needs(transaction, wish.needs)
        needs = len(unmet.jobs) + len(unmet.postings) + len(doomed.jobs) + len(doomed.postings)
        created = await postings.create(
            transaction.connection,
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
        if created is None:
            raise DatabaseBusy  # somebody posts with the same key at this moment: the next try finds theirs
        transaction.note(PostingChanged(posting_id))
        total = 0
        for count, text in _pieces(source.read()):
            turn = await jobs.reserve_turns(
                transaction.connection,
                extension_id=extension.id,
                priority=priority,
                submitter=wish.submitter,
                count=count,
            )
            if turn is None:
                raise gone(extension)
            await jobs.submit_many(
                transaction.connection,
                id_prefix=posting_id.bytes[:12],
                first_position=total,
                first_turn=turn,
                extension_id=extension.id,
                submitter=wish.submitter,
                posting_id=posting_id,
                arguments=text,
                room=wish.room,
                priority=priority,
                tries=tries,
                on_worker_lost=on_worker_lost,
                run_at=wish.run_at,
                unmet=needs,
                retry_of=retry_of[total : total + count],
            )
            if needs:
                made = list(ids.job_ids(posting_id, total, total + count))
                await depend(transaction, made, unmet, Needs())
            total += count
        posting = await postings.grow(transaction.connection, posting_id, count=total, sealed=True)
        if posting is not None and posting.status in (State.COMPLETED, State.FAILED, State.CANCELLED):
            await settle_posting(transaction, posting)
        if doomed:
            await depend(transaction, list(ids.job_ids(posting_id, 0, total)), Needs(), doomed)
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


async def submit_each(engine: Engine, extension: ExtensionRow, arguments: Sequence[Any], wish: Wish) -> list[Submitted]:
    """Queue many jobs of one extension, all or none; each stands for itself, there is no posting."""
    check_wish(wish)
    if wish.idempotency_key is not None or wish.needs:
        raise BadInput("Many jobs at once take neither an idempotency key nor dependencies.")
    if not arguments or len(arguments) > _PIECE:
        raise BadInput(f"Submit 1 to {_PIECE:,} jobs at once, not {len(arguments):,}.")
    pieces = list(_pieces(arguments))
    seed = ids.posting_id(new_id())
    made = list(ids.job_ids(seed, 0, len(arguments)))
    priority = extension.priority if wish.priority is None else wish.priority

    async def work(transaction: Transaction) -> list[Submitted]:
        turn = await jobs.reserve_turns(
            transaction.connection,
            extension_id=extension.id,
            priority=priority,
            submitter=wish.submitter,
            count=len(made),
        )
        if turn is None:
            raise gone(extension)
        total = 0
        for count, text in pieces:
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


class _Source:
    """Where a posting's arguments come from. A transaction that collided reads them again; a generator cannot be."""

    def __init__(self, arguments: Iterable[Any]) -> None:
        self._arguments = arguments
        self._used_up = False

    def read(self) -> Iterable[Any]:
        if self._used_up:
            raise Unavailable(
                "The database was busy with the same rows, and the arguments can be read only once. Post again."
            )
        self._used_up = iter(self._arguments) is self._arguments
        return self._arguments


def _encoded_pieces(piece: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """A piece as JSON with its length; large arguments make several of it: the database takes so much at once."""
    encoded = encode(piece, _WHAT)
    if len(encoded) > limits.ARGUMENT_BYTES:
        # Only now is it worth looking whether a single one is too large.
        for arguments in piece:
            check_size(encode(arguments, _WHAT), _WHAT, limits.ARGUMENT_BYTES)
    if len(encoded) > _PIECE_BYTES and len(piece) > 1:
        half = len(piece) // 2
        yield from _encoded_pieces(piece[:half])
        yield from _encoded_pieces(piece[half:])
    else:
        yield len(piece), encoded.decode()


def _pieces(arguments: Iterable[Any]) -> Iterator[tuple[int, str]]:
    rest = iter(arguments)
    while piece := list(islice(rest, _PIECE)):
        yield from _encoded_pieces(piece)
