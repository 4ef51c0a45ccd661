"""Queue jobs, one at a time or as many as were asked for at the same moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsAssigned, JobSubmitted
from workroom.actions.jobs.assign import announce_and_assign
from workroom.actions.jobs.dependencies import add_dependencies, lock_dependencies
from workroom.actions.jobs.options import JobOptions, extension_gone, validate_options
from workroom.domain import limits
from workroom.domain.errors import KeyReused, WorkroomError
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed, JobSummary, NewJob, Submitted

_WHAT = "The arguments"


@dataclass(frozen=True, slots=True)
class JobRequest:
    """One job that somebody asks for; its arguments are encoded and checked."""

    extension: ExtensionRow
    arguments: Any
    text: str  # the arguments as JSON
    options: JobOptions


def job_request(extension: ExtensionRow, arguments: Any, wish: JobOptions) -> JobRequest:
    """What can be refused without asking the database is refused here."""
    validate_options(wish)
    return JobRequest(extension, arguments, _encoded(arguments), wish)


async def submit(engine: Engine, extension: ExtensionRow, arguments: Any, wish: JobOptions) -> Submitted:
    """Queue one job, and hand it to an idle worker if there is one. The same idempotency key gives the same job."""
    (outcome,) = await submit_batch(engine, [job_request(extension, arguments, wish)])
    if isinstance(outcome, WorkroomError):
        raise outcome
    return outcome


async def submit_batch(engine: Engine, wanted: Sequence[JobRequest]) -> list[Submitted | WorkroomError]:
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
                handed |= await announce_and_assign(transaction, [extension_id], most=count)
        return [
            one._replace(state=State.ASSIGNED) if isinstance(one, Submitted) and one.id in handed else one
            for one in outcomes
        ]

    if len(wanted) == 1 and (handed := await _submit_assigned(engine, wanted[0])) is not None:
        return [handed]
    return await engine.transaction(work)


async def _submit_assigned(engine: Engine, one: JobRequest) -> Submitted | None:
    """Hand a job that waits for nothing to a worker that is idle, in one statement, a transaction by itself.

    None when it has to wait or is refused, which is found out by trying the longer way.
    """
    extension, wish = one.extension, one.options
    if wish.dependencies or wish.run_at is not None or not engine.can_push:
        return None

    async def work(transaction: Transaction) -> Submitted | None:
        new = _new_job(one)
        handed = await jobs.submit_assigned(transaction.connection, new, seen=wish.access_snapshot)
        if handed is None:
            return None
        transaction.record(JobSubmitted(_as_submitted(one, new.id, State.PENDING, handed.created_at)))
        job = Claimed(new.id, 1, extension.id, False, wish.room, new.tries, one.arguments, handed.assigned_at)
        transaction.record(JobsAssigned(handed.worker_id, (job,)))
        return Submitted(new.id, State.ASSIGNED, handed.created_at)

    return await engine.autocommit(work)


async def _submit_or_leave_nothing(transaction: Transaction, one: JobRequest) -> tuple[Submitted, bool]:
    """Only what a job needs is marked before it can be refused; the marks must not outlast a refusal."""
    if not one.options.dependencies:
        return await _submit(transaction, one)
    async with transaction.connection.transaction():
        return await _submit(transaction, one)


async def _submit(transaction: Transaction, one: JobRequest) -> tuple[Submitted, bool]:
    """The job, and whether it is new and waits for a worker."""
    extension, text, wish = one.extension, one.text, one.options
    # Looked for first where marks on others would be made; otherwise the statement sees to it that nothing comes of it.
    if wish.dependencies and (before := await _submitted_before(transaction, extension, text, wish)) is not None:
        return before, False
    unmet, doomed = await lock_dependencies(transaction, wish.dependencies)
    needs = len(unmet.jobs) + len(unmet.postings) + len(doomed.jobs) + len(doomed.postings)
    submitted = await jobs.submit(
        transaction.connection, _new_job(one), run_at=wish.run_at, unmet_dependencies=needs, seen=wish.access_snapshot
    )
    if submitted is None:
        # Whoever was only remembered to be allowed here is not told of earlier jobs: they are looked at again first.
        before = None if wish.access_snapshot else await _submitted_before(transaction, extension, text, wish)
        if before is None:
            raise extension_gone(extension)
        return before, False
    state = State.BLOCKED if unmet or doomed else State.PENDING
    transaction.record(JobSubmitted(_as_submitted(one, submitted.id, state, submitted.created_at)))
    if unmet or doomed:
        await add_dependencies(transaction, [submitted.id], unmet, doomed)
    return submitted, submitted.state == State.PENDING


def _new_job(one: JobRequest) -> NewJob:
    extension, wish = one.extension, one.options
    return NewJob(
        id=new_id(),
        extension_id=extension.id,
        schema_hash=extension.schema_hash,
        submitter=wish.submitter,
        arguments=one.text,
        room=wish.room,
        priority=extension.priority if wish.priority is None else wish.priority,
        tries=wish.tries or extension.tries,
        on_worker_lost=wish.on_worker_lost or extension.on_worker_lost,
        retry_of=wish.retry_of,
        idempotency_key=wish.idempotency_key,
    )


def _as_submitted(one: JobRequest, job_id: UUID, state: State, created_at: datetime) -> JobSummary:
    """The job as it came into the world, from what is known without looking."""
    extension, wish = one.extension, one.options
    return JobSummary(
        id=job_id,
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
        created_at=created_at,
        run_at=wish.run_at,
        assigned_at=None,
        started_at=None,
        finished_at=None,
        cancel_requested_at=None,
        fraction=None,
        message=None,
    )


async def _submitted_before(
    transaction: Transaction, extension: ExtensionRow, text: str, wish: JobOptions
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


def _encoded(arguments: Any) -> str:
    encoded = encode(arguments, _WHAT)
    check_size(encoded, _WHAT, limits.ARGUMENT_BYTES)
    return encoded.decode()
