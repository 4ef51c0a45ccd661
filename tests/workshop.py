"""Factories for tests, named by the state of what they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from workroom.actions.assign import claim
from workroom.actions.engine import Engine, new_id
from workroom.actions.events import Event
from workroom.actions.register import ExtensionSpec, Welcome, WorkerSpec, attach, register_extensions, register_worker
from workroom.actions.report import report
from workroom.actions.submit import Needs, Wish, submit
from workroom.domain.errors import Conflict
from workroom.domain.outcomes import Failed, Outcome, Report, Started
from workroom.domain.states import State
from workroom.store import extensions, jobs, people
from workroom.store.extensions import ExtensionRow
from workroom.store.jobs import Claimed, JobRow

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
            await people.create_room(
                connection, name="lab", owner_id=workshop.person, description="", visibility="public"
            )
        engine.announce = workshop.events.extend
        return workshop

    async def another_person(self, name: str) -> UUID:
        return await _person(self.engine, name)

    async def extension(self, name: str = "Relax", **settings: Any) -> ExtensionRow:
        spec = ExtensionSpec("modifiers", name, settings.pop("schema", SCHEMA), room=self.room, **settings)
        registered = (await register_extensions(self.engine, [spec]))[0]
        async with self.engine.database.connection() as connection:
            row = await extensions.get(connection, registered.id)
        assert row is not None
        return row

    async def worker(self, *offered: ExtensionRow, kind: str = "pool", capacity: int = 1) -> Worker:
        welcome: Welcome = await register_worker(
            self.engine,
            WorkerSpec(kind, [spec_of(row) for row in offered], account_id=self.person, capacity=capacity),
        )
        worker = Worker(self, welcome.worker_id, welcome.incarnation)
        if kind == "remote":
            await attach(self.engine, worker.id, worker.incarnation)
        return worker

    async def pending_job(self, extension: ExtensionRow, arguments: Any = None, **wish: Any) -> UUID:
        submitter = wish.pop("submitter", self.person)
        made = await submit(
            self.engine, extension, {} if arguments is None else arguments, Wish(submitter, self.room, **wish)
        )
        return made.id

    async def blocked_job(self, extension: ExtensionRow, *needed: UUID, **wish: Any) -> UUID:
        return await self.pending_job(extension, needs=Needs(jobs=needed), **wish)

    async def assigned_job(self, extension: ExtensionRow, worker: Worker, **wish: Any) -> Claimed:
        await self.pending_job(extension, **wish)
        return (await worker.claim())[0]

    async def running_job(self, extension: ExtensionRow, worker: Worker, **wish: Any) -> Claimed:
        job = await self.assigned_job(extension, worker, **wish)
        assert await worker.say(job, Started()) is None
        return job

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
    )


def failure(message: str = "it broke") -> Failed:
    return Failed({"type": "ValueError", "message": message, "traceback": "…"})


async def _person(engine: Engine, name: str) -> UUID:
    person = new_id()
    async with engine.database.connection() as connection:
        await people.create_account(connection, id=person, name=name, role="user", password_hash=None)
    return person
