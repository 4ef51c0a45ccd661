"""Retry of ended jobs by a person: new jobs with the same arguments."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.extensions.arguments import check_arguments
from workroom.actions.extensions.resolve import find_extension
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.submit import JobRequest, job_request, submit_batch
from workroom.actions.quotas.admission import admit_jobs
from workroom.domain.errors import NotFound, WorkroomError, WrongState
from workroom.domain.jobs.states import FINAL
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import RetriedJob, Submitted

# Jobs of one transaction; their arguments are in memory together.
_CHUNK = 100


async def retry_job(engine: Engine, job_id: UUID, by: UUID) -> Submitted:
    """Submit an ended job again, as a new job with `retry_of`."""
    (outcome,) = await retry_jobs(engine, [job_id], by)
    if isinstance(outcome, WorkroomError):
        raise outcome
    return outcome


async def retry_jobs(engine: Engine, job_ids: Sequence[UUID], by: UUID) -> list[Submitted | WorkroomError]:
    """Submit ended jobs again; a refused one does not affect the others."""
    outcomes: list[Submitted | WorkroomError] = []
    extensions: dict[tuple[str | None, int], ExtensionRow] = {}
    for start in range(0, len(job_ids), _CHUNK):
        outcomes += await _retry_chunk(engine, job_ids[start : start + _CHUNK], by, extensions)
    return outcomes


async def _retry_chunk(
    engine: Engine, job_ids: Sequence[UUID], by: UUID, extensions: dict[tuple[str | None, int], ExtensionRow]
) -> list[Submitted | WorkroomError]:
    async with engine.database.connection() as connection:
        found = {job.id: job for job in await jobs.retried(connection, job_ids)}
    outcomes: dict[UUID, Submitted | WorkroomError] = {}
    requests: dict[UUID, JobRequest] = {}
    for job_id in job_ids:
        try:
            requests[job_id] = await _check(engine, job_id, found.get(job_id), by, extensions)
        except WorkroomError as error:
            outcomes[job_id] = error
    if requests:
        outcomes |= zip(requests, await submit_batch(engine, list(requests.values())), strict=True)
    return [outcomes[job_id] for job_id in job_ids]


async def _check(
    engine: Engine,
    job_id: UUID,
    before: RetriedJob | None,
    by: UUID,
    extensions: dict[tuple[str | None, int], ExtensionRow],
) -> JobRequest:
    """The request for the new job, checked as if it were submitted by the person."""
    if before is None:
        raise NotFound(f"There is no job {job_id}.")
    if before.state not in FINAL:
        raise WrongState(f"The job is {before.state}: only an ended job can be retried.", state=before.state)
    key = before.room, before.extension_id
    if key not in extensions:
        extensions[key] = await find_extension(engine, before.room, before.category, before.name, before.scope)
    await check_arguments(extensions[key].schema, extensions[key].schema_hash, before.arguments)
    await admit_jobs(engine, by, before.room)
    options = JobOptions(
        submitter=by,
        room=before.room,
        priority=before.priority,
        tries=before.tries,
        on_worker_lost=before.on_worker_lost,
        retry_of=job_id,
    )
    return job_request(extensions[key], before.arguments, options)
