"""Factories for tests, named by the state of what they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine, new_id
from workroom.actions.events import Event
from workroom.actions.extensions.register import ExtensionSpec, register_extensions
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.report import report
from workroom.actions.jobs.rescue import expire_workers, remove_idle_extensions
from workroom.actions.jobs.submit import submit
from workroom.actions.workers.lifecycle import Registration, WorkerSpec, attach, register_worker
from workroom.domain.errors import Conflict
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Report, Started, Succeeded
from workroom.domain.jobs.states import State
from workroom.domain.jobs.worker_loss import HEARD_BY_DATABASE, HEARD_BY_SERVER
from workroom.store import accounts
from workroom.store.queue_tables import extensions, jobs
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed, JobRow
from workroom.store.room_tables import rooms

# Counters of extensions and of postings beside what a look at every job gives. Right only while nothing was pruned.
MISCOUNTED = """
    WITH counted AS (
        SELECT extension_id, count(*) FILTER (WHERE state = 'blocked') AS blocked,
               count(*) FILTER (WHERE state = 'pending') AS pending,
               count(*) FILTER (WHERE state IN ('assigned', 'running')) AS active,
               count(*) FILTER (WHERE state = 'completed') AS completed,
               count(*) FILTER (WHERE state = 'failed') AS failed,
               count(*) FILTER (WHERE state = 'cancelled') AS cancelled
        FROM job GROUP BY extension_id
    ), recorded AS (
        SELECT extension_id, sum(blocked) AS blocked, sum(pending) AS pending, sum(active) AS active,
               sum(completed) AS completed, sum(failed) AS failed, sum(cancelled) AS cancelled
        FROM job_count GROUP BY extension_id
    ), ended AS (
        SELECT posting_id, count(*) AS total, count(*) FILTER (WHERE state = 'completed') AS completed,
               count(*) FILTER (WHERE state = 'failed') AS failed,
               count(*) FILTER (WHERE state = 'cancelled') AS cancelled
        FROM job WHERE posting_id IS NOT NULL GROUP BY posting_id
    )
    SELECT 'extension', extension_id::text, to_jsonb(counted), to_jsonb(recorded)
    FROM counted FULL JOIN recorded USING (extension_id)
    WHERE (coalesce(counted.blocked, 0), coalesce(counted.pending, 0), coalesce(counted.active, 0),
           coalesce(counted.completed, 0), coalesce(counted.failed, 0), coalesce(counted.cancelled, 0))
          IS DISTINCT FROM
          (coalesce(recorded.blocked, 0), coalesce(recorded.pending, 0), coalesce(recorded.active, 0),
           coalesce(recorded.completed, 0), coalesce(recorded.failed, 0), coalesce(recorded.cancelled, 0))
    UNION ALL
    SELECT 'posting', posting.id::text, to_jsonb(ended), to_jsonb(posting)
    FROM posting LEFT JOIN ended ON ended.posting_id = posting.id
    WHERE (coalesce(ended.total, 0), coalesce(ended.completed, 0), coalesce(ended.failed, 0),
           coalesce(ended.cancelled, 0))
          IS DISTINCT FROM (posting.total, posting.completed, posting.failed, posting.cancelled)
       OR (posting.finished_at IS NOT NULL) IS DISTINCT FROM
          (posting.sealed AND posting.completed + posting.failed + posting.cancelled = posting.total)
"""

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}


@dataclass
class Worker:
    """A registered worker, as a test sees it."""

    workshop: Workshop
    id: UUID
    incarnation: int

    async def claim(self, limit: int = 1) -> list[Claimed]:
        return await claim(self.workshop.engine, self.id, limit)

    async def say(self, job: Claimed, outcome: Outcome, *, short: bool = False) -> Conflict | None:
        """Report one outcome; the refusal, if any."""
        times = {"waited_ms": 1.0, "ran_ms": 2.0} if short else {}
        refused = await report(self.workshop.engine, self.id, [Report(job.id, job.attempt, outcome, **times)])
        return refused.get(job.id)

    async def finish(self, *done: Claimed, result: Any = None) -> None:
        """Report jobs as run and succeeded, all in one."""
        reports = [Report(job.id, job.attempt, Succeeded(result), 1.0, 2.0) for job in done]
        assert await report(self.workshop.engine, self.id, reports) == {}

    async def is_lost(self) -> None:
        """Its lease ends, and that is noticed; what it held is not dealt with yet."""
        await self.workshop.sql("UPDATE worker SET lease_until = now() - interval '1 second' WHERE id = %s", self.id)
        assert self.id in await self.workshop.lost_workers()


@dataclass
class Workshop:
    engine: Engine
    person: UUID
    room: str
    events: list[Event] = field(default_factory=list[Event])

    @classmethod
    async def furnish(cls, engine: Engine) -> Workshop:
        workshop = cls(engine, person=await _person(engine, "ada"), room="lab")
        async with engine.database.connection() as connection:
            await rooms.create(connection, name="lab", owner_id=workshop.person, description="", visibility="public")
        engine.announce = workshop.events.extend
        await workshop.heartbeats_arrive()
        return workshop

    async def heartbeats_arrive(self) -> None:
        """Heartbeats could arrive for hours, and nothing stops them during the test."""
        await self.sql(
            """INSERT INTO heartbeat_window SELECT kind, '-infinity', 'infinity'
               FROM unnest(%s::text[]) AS kind""",
            [*HEARD_BY_SERVER, *HEARD_BY_DATABASE],
        )

    async def lost_workers(self) -> list[UUID]:
        """What a server that leads the upkeep declares lost."""
        return await expire_workers(self.engine, [*HEARD_BY_SERVER, *HEARD_BY_DATABASE])

    async def another_person(self, name: str) -> UUID:
        return await _person(self.engine, name)

    async def extension(self, name: str = "Relax", **settings: Any) -> ExtensionRow:
        spec = ExtensionSpec("modifiers", name, settings.pop("schema", SCHEMA), room=self.room, **settings)
        registered = (await register_extensions(self.engine, [spec]))[0]
        async with self.engine.database.connection() as connection:
            row = await extensions.get(connection, registered.id)
        assert row is not None
        return row

    async def removed(self, *gone: ExtensionRow) -> None:
        """These extensions have been offline for their time and are removed."""
        ids = [row.id for row in gone]
        await self.sql("UPDATE extension SET offline_since = now() - interval '10 years' WHERE id = ANY (%s)", ids)
        assert {one.id for one in await remove_idle_extensions(self.engine, ids)} == {*ids}

    async def worker(self, *offered: ExtensionRow, kind: str = "pool", capacity: int = 1, **more: Any) -> Worker:
        welcome: Registration = await register_worker(
            self.engine,
            WorkerSpec(kind, [spec_of(row) for row in offered], account_id=self.person, capacity=capacity, **more),
        )
        worker = Worker(self, welcome.worker_id, welcome.incarnation)
        if kind == "remote":
            await attach(self.engine, worker.id, worker.incarnation, "socket")
        return worker

    async def pending_job(self, extension: ExtensionRow, arguments: Any = None, **options: Any) -> UUID:
        submitter = options.pop("submitter", self.person)
        made = await submit(
            self.engine, extension, {} if arguments is None else arguments, JobOptions(submitter, self.room, **options)
        )
        return made.id

    async def blocked_job(self, extension: ExtensionRow, *needed: UUID, **options: Any) -> UUID:
        return await self.pending_job(extension, dependencies=Dependencies(jobs=needed), **options)

    async def assigned_job(self, extension: ExtensionRow, worker: Worker, **options: Any) -> Claimed:
        await self.pending_job(extension, **options)
        return (await worker.claim())[0]

    async def running_job(self, extension: ExtensionRow, worker: Worker, **options: Any) -> Claimed:
        job = await self.assigned_job(extension, worker, **options)
        assert await worker.say(job, Started()) is None
        return job

    async def completed_job(self, extension: ExtensionRow, worker: Worker, **options: Any) -> Claimed:
        job = await self.running_job(extension, worker, **options)
        assert await worker.say(job, Succeeded()) is None
        return job

    async def failed_job(self, extension: ExtensionRow, worker: Worker, **options: Any) -> Claimed:
        job = await self.running_job(extension, worker, tries=1, **options)
        assert await worker.say(job, failure()) is None
        return job

    async def cancelled_job(self, extension: ExtensionRow, worker: Worker, **options: Any) -> Claimed:
        job = await self.running_job(extension, worker, **options)
        assert await worker.say(job, Cancelled()) is None
        return job

    async def sql(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What no action does: look into a table, or let time pass."""
        async with self.engine.database.connection() as connection:
            cursor = await connection.execute(query.encode(), values)
            return await cursor.fetchall() if cursor.description else []

    async def record(self, job_id: UUID) -> dict[str, Any]:
        """Every column of a job."""
        return (await self.sql("SELECT to_jsonb(job) FROM job WHERE id = %s", job_id))[0][0]

    async def time_passes(self, job_id: UUID) -> None:
        """A job's start time, or the end of its back-off, comes."""
        await self.sql(
            "UPDATE job SET run_at = now() - interval '1 second' WHERE id = %s AND run_at IS NOT NULL", job_id
        )

    async def confirmation_is_overdue(self) -> None:
        """Every assignment, and every connection of a worker, is of long ago."""
        await self.sql("UPDATE job SET assigned_at = assigned_at - interval '10 years' WHERE state = 'assigned'")
        await self.sql("UPDATE worker SET attached_at = attached_at - interval '10 years'")

    async def miscounted(self) -> list[tuple[Any, ...]]:
        """Where a counter differs from what it counts: nowhere, if all is well."""
        return await self.sql(MISCOUNTED)

    async def job(self, job_id: UUID) -> JobRow:
        async with self.engine.database.connection() as connection:
            row = await jobs.get(connection, job_id)
        assert row is not None
        return row

    async def state(self, job_id: UUID) -> State:
        return State((await self.job(job_id)).state)


def spec_of(row: ExtensionRow) -> ExtensionSpec:
    return ExtensionSpec(
        row.category,
        row.name,
        row.schema,
        row.scope,
        row.room,
        row.concurrency,
        row.timeout_seconds,
        row.tries,
        row.backoff_base,
        row.backoff_cap,
        row.on_worker_lost,
        row.priority,
        row.breaker_failures,
        row.breaker_seconds,
        row.resources or {},
    )


def failure(message: str = "it broke") -> Failed:
    return Failed({"type": "ValueError", "message": message, "traceback": "…"})


async def _person(engine: Engine, name: str) -> UUID:
    person = new_id()
    async with engine.database.connection() as connection:
        await accounts.create(connection, id=person, name=name, role="user", password_hash=None)
    return person
