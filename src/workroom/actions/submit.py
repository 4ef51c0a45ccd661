"""Queue jobs: one, or many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.aftermath import settle, settle_posting
from workroom.actions.assign import hand_out
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsMoved
from workroom.domain import ids, limits
from workroom.domain.errors import BadInput, KeyReused, NotFound, TooLarge
from workroom.domain.fair import HIGHEST_PRIORITY, LOWEST_PRIORITY
from workroom.domain.states import State
from workroom.store import jobs, postings
from workroom.store.extensions import ExtensionRow
from workroom.store.jobs import Moved, Submitted

# Arguments travel to the database in pieces of this many jobs: large enough to be quick, small enough for memory.
_PIECE = 10_000


@dataclass(frozen=True, slots=True)
class Needs:
    """What must complete before a job may run."""

    jobs: tuple[UUID, ...] = ()
    postings: tuple[UUID, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.jobs or self.postings)


@dataclass(frozen=True, slots=True)
class Wish:
    """How a job is to be run; what is left out is as the extension says."""

    submitter: UUID
    room: str | None = None
    priority: int | None = None
    tries: int | None = None
    on_worker_lost: str | None = None
    run_at: datetime | None = None
    needs: Needs = Needs()
    idempotency_key: str | None = None
    retry_of: UUID | None = None


async def submit(engine: Engine, extension: ExtensionRow, arguments: Any, wish: Wish) -> Submitted:
    """Queue one job, and hand it to an idle worker if there is one. The same idempotency key gives the same job."""
    text = _encoded(arguments)
    _check(wish)

    async def work(transaction: Transaction) -> Submitted:
        unmet, doomed = await _await(transaction, wish.needs)
        submitted = await jobs.submit(
            transaction.connection,
            id=new_id(),
            extension_id=extension.id,
            submitter=wish.submitter,
            arguments=text,
            room=wish.room,
            priority=extension.priority if wish.priority is None else wish.priority,
            tries=wish.tries or extension.tries,
            on_worker_lost=wish.on_worker_lost or extension.on_worker_lost,
            run_at=wish.run_at,
            unmet=len(unmet.jobs) + len(unmet.postings) + len(doomed.jobs) + len(doomed.postings),
            retry_of=wish.retry_of,
            idempotency_key=wish.idempotency_key,
        )
        if submitted is None:
            return await _already_there(transaction, extension, text, wish)
        job = Moved(submitted.id, 0, extension.id, None, wish.room, submitted.state, False)
        transaction.note(JobsMoved((job,)))
        if unmet or doomed:
            await _depend(transaction, [submitted.id], unmet, doomed)
        elif submitted.state == State.PENDING and (wish.run_at is None):
            await hand_out(transaction, [extension.id])
        return submitted

    return await engine.atomically(work)


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
) -> UUID:
    """Write one posting and its jobs, all or none, from any iterable in bounded memory."""
    _check(wish)
    if wish.idempotency_key is not None:
        raise BadInput("A posting takes no idempotency key.")
    posting_id = ids.posting_id(new_id())
    priority = extension.priority if wish.priority is None else wish.priority
    tries = wish.tries or extension.tries
    on_worker_lost = wish.on_worker_lost or extension.on_worker_lost

    async def work(transaction: Transaction) -> UUID:
        unmet, doomed = await _await(transaction, wish.needs)
        needs = len(unmet.jobs) + len(unmet.postings) + len(doomed.jobs) + len(doomed.postings)
        await postings.create(
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
        )
        total = 0
        for piece in _pieces(arguments):
            turn = await jobs.reserve_turns(
                transaction.connection,
                extension_id=extension.id,
                priority=priority,
                submitter=wish.submitter,
                count=len(piece),
            )
            if turn is None:
                raise _gone(extension)
            await jobs.submit_many(
                transaction.connection,
                id_prefix=posting_id.bytes[:12],
                first_position=total,
                first_turn=turn,
                extension_id=extension.id,
                submitter=wish.submitter,
                posting_id=posting_id,
                arguments=_encoded_piece(piece),
                room=wish.room,
                priority=priority,
                tries=tries,
                on_worker_lost=on_worker_lost,
                run_at=wish.run_at,
                unmet=needs,
            )
            if needs:
                made = list(ids.job_ids(posting_id, total, total + len(piece)))
                await _depend(transaction, made, unmet, Needs())
            total += len(piece)
        posting = await postings.grow(transaction.connection, posting_id, count=total, sealed=True)
        if posting is not None and posting.status in (State.COMPLETED, State.FAILED, State.CANCELLED):
            await settle_posting(transaction, posting)
        if doomed:
            await _depend(transaction, list(ids.job_ids(posting_id, 0, total)), Needs(), doomed)
        elif not needs and wish.run_at is None:
            await hand_out(transaction, [extension.id])
        return posting_id

    return await engine.atomically(work)


async def _await(transaction: Transaction, needs: Needs) -> tuple[Needs, Needs]:
    """What of these needs is still to come, and what has ended badly; what has completed is no need any more."""
    if not needs:
        return needs, needs
    found = await jobs.await_needs(transaction.connection, jobs=sorted(needs.jobs), postings=sorted(needs.postings))
    missing = ({*needs.jobs} | {*needs.postings}) - {need.id for need in found}
    if missing:
        raise NotFound(f"There is no job or posting {min(missing)} to depend on.", missing=sorted(map(str, missing)))

    def having(*states: str) -> Needs:
        chosen = [need for need in found if need.state in states]
        return Needs(
            tuple(need.id for need in chosen if need.kind == "job"),
            tuple(need.id for need in chosen if need.kind == "posting"),
        )

    return having("unfinished"), having(State.FAILED, State.CANCELLED)


async def _depend(transaction: Transaction, made: Sequence[UUID], unmet: Needs, doomed: Needs) -> None:
    """Write down what new jobs wait for; those that wait for something ended badly fall at once."""
    await jobs.depend(
        transaction.connection,
        ids=made,
        jobs=unmet.jobs + doomed.jobs,
        postings=unmet.postings + doomed.postings,
    )
    if doomed:
        fallen = await jobs.abandon(transaction.connection, jobs=doomed.jobs, postings=doomed.postings)
        await settle(transaction, fallen)


async def _already_there(transaction: Transaction, extension: ExtensionRow, text: str, wish: Wish) -> Submitted:
    """The job that the idempotency key stands for; otherwise the extension has just been removed."""
    if wish.idempotency_key is not None:
        before = await jobs.find_by_key(
            transaction.connection,
            submitter=wish.submitter,
            extension_id=extension.id,
            idempotency_key=wish.idempotency_key,
            arguments=text,
            room=wish.room,
        )
        if before is not None:
            if not before.same:
                raise KeyReused(jobId=str(before.id))
            return Submitted(before.id, before.state, before.created_at)
    raise _gone(extension)


def _gone(extension: ExtensionRow) -> NotFound:
    return NotFound(f"The extension {extension.category}/{extension.name} is no longer offered by any worker.")


def _check(wish: Wish) -> None:
    if wish.priority is not None and not LOWEST_PRIORITY <= wish.priority <= HIGHEST_PRIORITY:
        raise BadInput(f"priority must be {LOWEST_PRIORITY} to {HIGHEST_PRIORITY}, not {wish.priority}.")
    if wish.tries is not None and not 1 <= wish.tries <= 100:
        raise BadInput(f"tries must be 1 to 100, not {wish.tries}.")
    if len(wish.needs.jobs) + len(wish.needs.postings) > limits.DEPENDENCIES_PER_JOB:
        raise TooLarge(f"A job can depend on at most {limits.DEPENDENCIES_PER_JOB} others.")


def _encoded(arguments: Any) -> str:
    return _text(arguments, limits.ARGUMENT_BYTES)


def _encoded_piece(piece: Sequence[Any]) -> str:
    text = _text(piece, None)
    if len(text) > limits.ARGUMENT_BYTES:
        # Only now is it worth looking whether a single one is too large.
        for arguments in piece:
            _encoded(arguments)
    return text


def _text(value: Any, largest: int | None) -> str:
    try:
        encoded = orjson.dumps(value)
    except TypeError as error:
        raise BadInput(f"The arguments cannot be written as JSON: {error}.") from None
    if largest is not None and len(encoded) > largest:
        raise TooLarge(f"The arguments take {len(encoded):,} bytes; at most {largest:,} are allowed.")
    if b"\\u0000" in encoded:
        raise BadInput("The arguments contain the character NUL, which cannot be stored. Remove it.")
    return encoded.decode()


def _pieces(arguments: Iterable[Any]) -> Iterable[list[Any]]:
    rest = iter(arguments)
    while piece := list(islice(rest, _PIECE)):
        yield piece
