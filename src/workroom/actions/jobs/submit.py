"""Submit jobs: one, or a batch of requests in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsAssigned, JobSubmitted
from workroom.actions.extensions.arguments import takes_files
from workroom.actions.forms import input_files
from workroom.actions.jobs.add_dependencies import add_dependencies, lock_dependencies, record_met_dependencies
from workroom.actions.jobs.assign import announce_and_assign
from workroom.actions.jobs.options import JobOptions, extension_gone, validate_options
from workroom.domain import limits
from workroom.domain.errors import KeyReused, WorkroomError
from workroom.domain.file_fields import FileValue
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed, JobSummary, NewJob, Submitted

_WHAT = "The arguments"


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A request for one job; its arguments are encoded and checked."""

    extension: ExtensionRow
    arguments: Any
    text: str  # the arguments as JSON
    options: JobOptions
    files: tuple[FileValue, ...] = ()  # that the arguments name


def job_request(extension: ExtensionRow, arguments: Any, options: JobOptions) -> JobRequest:
    """Check a request as far as possible without the database."""
    validate_options(options)
    takes = takes_files(extension.schema, extension.schema_hash)
    files = input_files.files_in(extension, arguments) if takes else ()
    return JobRequest(extension, arguments, _encoded(arguments), options, files)


async def submit(engine: Engine, extension: ExtensionRow, arguments: Any, options: JobOptions) -> Submitted:
    """Submit one job, and assign it if a worker is idle. The same idempotency key returns the same job."""
    (outcome,) = await submit_batch(engine, [job_request(extension, arguments, options)])
    if isinstance(outcome, WorkroomError):
        raise outcome
    return outcome


async def submit_batch(engine: Engine, requests: Sequence[JobRequest]) -> list[Submitted | WorkroomError]:
    """Submit jobs in one transaction; a refused one does not affect the others."""

    async def work(transaction: Transaction) -> list[Submitted | WorkroomError]:
        outcomes: list[Submitted | WorkroomError] = []
        queued: set[int] = set()  # extensions with a new job that waits for a worker
        for request in requests:
            try:
                submitted, waits = await _submit_in_savepoint(transaction, request)
            except WorkroomError as error:
                # Refused by a rule, not by the database: the transaction can continue.
                outcomes.append(error)
                continue
            outcomes.append(submitted)
            if waits:
                queued.add(request.extension.id)
        assigned = await announce_and_assign(transaction, sorted(queued)) if queued else set[UUID]()
        return [
            outcome._replace(state=State.ASSIGNED)
            if isinstance(outcome, Submitted) and outcome.id in assigned
            else outcome
            for outcome in outcomes
        ]

    if len(requests) == 1 and (submitted := await _submit_assigned(engine, requests[0])) is not None:
        return [submitted]
    return await engine.transaction(work)


async def _submit_assigned(engine: Engine, request: JobRequest) -> Submitted | None:
    """Insert a job without dependencies and files as assigned to an idle worker, in one statement.

    None when it has to wait or is refused; the transaction that follows finds out which.
    """
    extension, options = request.extension, request.options
    if options.dependencies or options.run_at is not None or request.files or not engine.can_push:
        return None

    async def work(transaction: Transaction) -> Submitted | None:
        new = _new_job(request)
        assigned = await jobs.submit_assigned(transaction.connection, new, seen=options.access_snapshot)
        if assigned is None:
            return None
        transaction.record(JobSubmitted(_as_submitted(request, new.id, State.PENDING, assigned.created_at)))
        job = Claimed(new.id, 1, extension.id, False, options.room, new.tries, request.arguments, assigned.assigned_at)
        transaction.record(JobsAssigned(assigned.worker_id, (job,)))
        return Submitted(new.id, State.ASSIGNED, assigned.created_at)

    return await engine.autocommit(work)


async def _submit_in_savepoint(transaction: Transaction, request: JobRequest) -> tuple[Submitted, bool]:
    """Submit in a savepoint if the job has dependencies: their marks must be rolled back when it is refused."""
    if not request.options.dependencies:
        return await _submit(transaction, request)
    async with transaction.connection.transaction():
        return await _submit(transaction, request)


async def _submit(transaction: Transaction, request: JobRequest) -> tuple[Submitted, bool]:
    """The job, and whether it is new and waits for a worker."""
    extension, text, options = request.extension, request.text, request.options
    # With dependencies, check the idempotency key before they are marked; otherwise the statement itself checks it.
    if options.dependencies and (before := await _submitted_before(transaction, extension, text, options)) is not None:
        return before, False
    unmet, failed, met = await lock_dependencies(transaction, options.dependencies)
    needs = len(unmet.jobs) + len(unmet.postings) + len(failed.jobs) + len(failed.postings)
    if request.files:
        await input_files.lock(transaction, options.room, request.files)
    submitted = await jobs.submit(
        transaction.connection,
        _new_job(request),
        run_at=options.run_at,
        unmet_dependencies=needs,
        seen=options.access_snapshot,
    )
    if submitted is None:
        # With cached access, do not reveal the existing job; the caller re-authorises and retries.
        before = None if options.access_snapshot else await _submitted_before(transaction, extension, text, options)
        if before is None:
            raise extension_gone(extension)
        return before, False
    if request.files:
        await input_files.link(transaction, [submitted.id], [request.files])
    state = State.BLOCKED if unmet or failed else State.PENDING
    transaction.record(JobSubmitted(_as_submitted(request, submitted.id, state, submitted.created_at)))
    if unmet or failed:
        await add_dependencies(transaction, [submitted.id], unmet, failed)
    if met:
        await record_met_dependencies(transaction, submitted.id, met)
    return submitted, submitted.state == State.PENDING


def _new_job(request: JobRequest) -> NewJob:
    extension, options = request.extension, request.options
    return NewJob(
        id=new_id(),
        extension_id=extension.id,
        schema_hash=extension.schema_hash,
        submitter=options.submitter,
        arguments=request.text,
        room=options.room,
        priority=extension.priority if options.priority is None else options.priority,
        tries=options.tries or extension.tries,
        on_worker_lost=options.on_worker_lost or extension.on_worker_lost,
        retry_of=options.retry_of,
        idempotency_key=options.idempotency_key,
    )


def _as_submitted(request: JobRequest, job_id: UUID, state: State, created_at: datetime) -> JobSummary:
    """The new job as a summary, without a query."""
    extension, options = request.extension, request.options
    return JobSummary(
        id=job_id,
        extension_id=extension.id,
        scope=extension.scope,
        category=extension.category,
        name=extension.name,
        room=options.room,
        posting_id=None,
        state=state,
        priority=extension.priority if options.priority is None else options.priority,
        attempt=0,
        tries_left=options.tries or extension.tries,
        submitter=options.submitter,
        submitter_name=options.submitter_name,
        worker_id=None,
        retry_of=options.retry_of,
        created_at=created_at,
        run_at=options.run_at,
        assigned_at=None,
        started_at=None,
        finished_at=None,
        cancel_requested_at=None,
        fraction=None,
        message=None,
    )


async def _submitted_before(
    transaction: Transaction, extension: ExtensionRow, text: str, options: JobOptions
) -> Submitted | None:
    """The job that was submitted with the idempotency key, if any."""
    if options.idempotency_key is None:
        return None
    before = await jobs.find_by_key(
        transaction.connection,
        submitter=options.submitter,
        extension_id=extension.id,
        idempotency_key=options.idempotency_key,
        arguments=text,
        room=options.room,
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
