"""Retry of an ended job by a person: a new job with the same arguments."""

from __future__ import annotations

from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.extensions.arguments import check_arguments
from workroom.actions.extensions.resolve import find_extension
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.submit import submit
from workroom.domain.errors import NotFound, WrongState
from workroom.domain.jobs.states import FINAL
from workroom.store.queue_tables import extensions, jobs
from workroom.store.queue_tables.job_rows import Submitted


async def retry_job(engine: Engine, job_id: UUID, by: UUID) -> Submitted:
    """Submit an ended job again, as a new job with `retry_of`."""
    async with engine.database.connection() as connection:
        before = await jobs.get(connection, job_id)
        extension = None if before is None else await extensions.get(connection, before.extension_id)
    if before is None or extension is None:
        raise NotFound(f"There is no job {job_id}.")
    if before.state not in FINAL:
        raise WrongState(f"The job is {before.state}: only an ended job can be retried.", state=before.state)
    options = JobOptions(
        submitter=by,
        room=before.room,
        priority=before.priority,
        tries=before.tries,
        on_worker_lost=before.on_worker_lost,
        retry_of=job_id,
    )
    current = await find_extension(engine, before.room, extension.category, extension.name, extension.scope)
    await check_arguments(current.schema, current.schema_hash, before.arguments)
    return await submit(engine, current, before.arguments, options)
