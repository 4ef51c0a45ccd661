"""Queue jobs: one, or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

from workroom.actions.aftermath import settle, settle_posting
from workroom.actions.assign import offer_work
from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsAssigned, JobsMoved, JobSubmitted
from workroom.domain import ids, limits
from workroom.domain.errors import BadInput, KeyReused, NotFound, TooLarge, Unavailable, WorkroomError
from workroom.domain.fair import HIGHEST_PRIORITY, LOWEST_PRIORITY
from workroom.domain.states import State
from workroom.store import jobs, postings
from workroom.store.extensions import ExtensionRow
from workroom.store.jobs import Claimed, JobSummary, Moved, Submitted

# Arguments travel to the database in pieces of this many jobs: large enough to be quick, small enough for memory.
_PIECE = 10_000
_WHAT = "The arguments"
_PIECE_BYTES = 16_000_000


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
    submitter_name: str | None = None  # where it is at hand: saves others a look


@dataclass(frozen=True, slots=True)
class Asked:
    """One job that somebody asks for; its arguments are encoded and checked."""

    extension: ExtensionRow
    arguments: Any
    text: str  # the arguments as JSON
    wish: Wish


def asked(extension: ExtensionRow, arguments: Any, wish: Wish) -> Asked:
    """What can be refused without asking the database is refused here."""
    _check(wish)
    return Asked(extension, arguments, _encoded(arguments), wish)


async def submit(engine: Engine, extension: ExtensionRow, arguments: Any, wish: Wish) -> Submitted:
    """Queue one job, and hand it to an idle worker if there is one. The same idempotency key gives the same job."""
    (outcome,) = await submit_together(engine, [asked(extension, arguments, wish)])
    if isinstance(outcome, WorkroomError):
        raise outcome
    return outcome


async def submit_together(engine: Engine, wanted: Sequence[Asked]) -> list[Submitted | WorkroomError]:
    """Queue jobs that people asked for at the same moment, in one transaction; one that is refused spoils no other."""

    async def work(transaction: Transaction) -> list[Submitted | WorkroomError]:
        outcomes: list[Submitted | WorkroomError] = []
        fresh: Counter[int] = Counter()
        for one in wanted:
            try:
                submitted, waits = await _submit_or_leave_nothing(transaction, one)
            except WorkroomError as error:
                # Refused by a rule, not by the database: the transaction goes on.
                outcomes.append(error)
                continue
            outcomes.append(submitted)
            fresh[one.extension.id] += waits
        handed: set[UUID] = set()
        for extension_id, count in fresh.items():
            if count:
                handed |= await offer_work(transaction, [extension_id], most=count)
        return [
            one._replace(state=State.ASSIGNED) if isinstance(one, Submitted) and one.id in handed else one
            for one in outcomes
        ]

    if len(wanted) == 1 and not wanted[0].wish.needs:
        return [await _submit_alone(engine, wanted[0])]
    return await engine.atomically(work)


async def _submit_alone(engine: Engine, one: Asked) -> Submitted | WorkroomError:
    """A job that stands alone and depends on nothing is written by one statement, a transaction by itself."""
    try:
        submitted, waits = await engine.at_once(lambda transaction: _submit(transaction, one))
    except WorkroomError as error:
        return error
    if waits:
        # The job is safe by now: should nobody be found for it here, it is found by the next one who looks.
        with suppress(WorkroomError):
            extension_id = one.extension.id
            if submitted.id in await engine.atomically(lambda tx: offer_work(tx, [extension_id], most=1)):
                return submitted._replace(state=State.ASSIGNED)
    return submitted


async def _submit_or_leave_nothing(transaction: Transaction, one: Asked) -> tuple[Submitted, bool]:
    """Only what a job needs is marked before it can be refused; the marks must not outlast a refusal."""
    if not one.wish.needs:
        return await _submit(transaction, one)
    async with transaction.connection.transaction():
        return await _submit(transaction, one)


async def _submit(transaction: Transaction, one: Asked) -> tuple[Submitted, bool]:
    """The job, and whether it is new and waits for a worker."""
    extension, text, wish = one.extension, one.text, one.wish
    # Looked for first, so that a repetition takes no turn away from its submitter.
    if (before := await _submitted_before(transaction, extension, text, wish)) is not None:
        return before, False
    unmet, doomed = await _await(transaction, wish.needs)
    submitted = await jobs.submit(
        transaction.connection,
        id=new_id(),
        extension_id=extension.id,
        schema_hash=extension.schema_hash,
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
    if submitted is None and (just_now := await _submitted_before(transaction, extension, text, wish)) is not None:
        return just_now, False
    if submitted is None:
        raise _gone(extension)
    transaction.note(JobSubmitted(_as_submitted(one, submitted, State.BLOCKED if unmet or doomed else State.PENDING)))
    if submitted.worker_id is not None:
        tries = wish.tries or extension.tries
        job = Claimed(submitted.id, 1, extension.id, False, wish.room, tries, one.arguments, submitted.assigned_at)
        transaction.note(JobsAssigned(submitted.worker_id, (job,)))
    if unmet or doomed:
        await _depend(transaction, [submitted.id], unmet, doomed)
    return submitted, submitted.state == State.PENDING


def _as_submitted(one: Asked, submitted: Submitted, state: State) -> JobSummary:
    """The job as it came into the world, from what is known without looking."""
    extension, wish = one.extension, one.wish
    return JobSummary(
        id=submitted.id,
        extension_id=extension.id,
        scope=extension.scope,
        category=extension.category,
        name=extension.name,
        room=wish.room,
        posting_id=None,
        state=state,
        priority=extension.priority if wish.priority is None else wish.priority,
        attempt=0,
        tries_left=wish.tries or extension.tries,
        submitter=wish.submitter,
        submitter_name=wish.submitter_name,
        worker_id=None,
        retry_of=wish.retry_of,
        created_at=submitted.created_at,
        run_at=wish.run_at,
        assigned_at=None,
        started_at=None,
        finished_at=None,
        cancel_requested_at=None,
        fraction=None,
        message=None,
    )


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
) -> UUID:
    """Write one posting and its jobs, all or none, from any iterable in bounded memory.

    `retry_of` names, for each, the ended job that it does once more.
    """
    _check(wish)
    if wish.idempotency_key is not None:
        raise BadInput("A posting takes no idempotency key.")
    posting_id = ids.posting_id(new_id())
    priority = extension.priority if wish.priority is None else wish.priority
    tries = wish.tries or extension.tries
    on_worker_lost = wish.on_worker_lost or extension.on_worker_lost
    source = _Source(arguments)

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
        for count, text in _pieces(source.read()):
            turn = await jobs.reserve_turns(
                transaction.connection,
                extension_id=extension.id,
                priority=priority,
                submitter=wish.submitter,
                count=count,
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
                await _depend(transaction, made, unmet, Needs())
            total += count
        posting = await postings.grow(transaction.connection, posting_id, count=total, sealed=True)
        if posting is not None and posting.status in (State.COMPLETED, State.FAILED, State.CANCELLED):
            await settle_posting(transaction, posting)
        if doomed:
            await _depend(transaction, list(ids.job_ids(posting_id, 0, total)), Needs(), doomed)
        elif not needs:
            await offer_work(transaction, [extension.id])
            await jobs.hint(transaction.connection, [extension.id])
        return posting_id

    return await engine.atomically(work)


async def submit_each(engine: Engine, extension: ExtensionRow, arguments: Sequence[Any], wish: Wish) -> list[Submitted]:
    """Queue many jobs of one extension, all or none; each stands for itself, there is no posting."""
    _check(wish)
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
            raise _gone(extension)
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


async def _await(transaction: Transaction, needs: Needs) -> tuple[Needs, Needs]:
    """What of these needs is still to come, and what has ended badly; what has completed is no need any more."""
    if not needs:
        return needs, needs
    found = await jobs.await_needs(
        transaction.connection, jobs=sorted({*needs.jobs}), postings=sorted({*needs.postings})
    )
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


async def _submitted_before(
    transaction: Transaction, extension: ExtensionRow, text: str, wish: Wish
) -> Submitted | None:
    """The job that the idempotency key stands for, if there is one."""
    if wish.idempotency_key is None:
        return None
    before = await jobs.find_by_key(
        transaction.connection,
        submitter=wish.submitter,
        extension_id=extension.id,
        idempotency_key=wish.idempotency_key,
        arguments=text,
        room=wish.room,
    )
    if before is None:
        return None
    if not before.same:
        raise KeyReused(jobId=str(before.id))
    return Submitted(before.id, before.state, before.created_at)


def _gone(extension: ExtensionRow) -> NotFound:
    return NotFound(f"The extension {extension.category}/{extension.name} is no longer offered by any worker.")


def _check(wish: Wish) -> None:
    if wish.priority is not None and not LOWEST_PRIORITY <= wish.priority <= HIGHEST_PRIORITY:
        raise BadInput(f"priority must be {LOWEST_PRIORITY} to {HIGHEST_PRIORITY}, not {wish.priority}.")
    if wish.tries is not None and not 1 <= wish.tries <= 100:
        raise BadInput(f"tries must be 1 to 100, not {wish.tries}.")
    key = wish.idempotency_key
    if key is not None and not (1 <= len(key) <= limits.KEY_LENGTH and "\0" not in key):
        raise BadInput(f"An idempotency key has 1 to {limits.KEY_LENGTH} characters, and no NUL.")
    if len(wish.needs.jobs) + len(wish.needs.postings) > limits.DEPENDENCIES_PER_JOB:
        raise TooLarge(f"A job can depend on at most {limits.DEPENDENCIES_PER_JOB} others.")


def _encoded(arguments: Any) -> str:
    encoded = encode(arguments, _WHAT)
    check_size(encoded, _WHAT, limits.ARGUMENT_BYTES)
    return encoded.decode()


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
