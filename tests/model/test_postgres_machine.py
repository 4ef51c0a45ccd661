"""The same random play on PostgreSQL and on the model, step by step; after each, both say the same of every job.

The connections of the pool take turns, so that consecutive steps see each other only through what was committed.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any, ClassVar
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.model.machine import EXTENSIONS, QueueMachine
from tests.model.queue import Need, Said
from tests.workshop import Workshop, failure

from workroom.actions.engine import Engine
from workroom.actions.extensions import register as extension_registration
from workroom.actions.extensions.register import ExtensionSpec
from workroom.actions.extensions.remove import remove_extension
from workroom.actions.jobs import report as reporting
from workroom.actions.jobs import rescue as rescuing
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.schedule import promote_due
from workroom.actions.jobs.submit import submit
from workroom.actions.workers import lifecycle as registering
from workroom.actions.workers.lifecycle import WorkerSpec
from workroom.domain.errors import WorkroomError
from workroom.domain.ids import job_ids
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.outcomes import Cancelled, Outcome, Report, Started, Succeeded
from workroom.store.database import Database
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow

CONNECTIONS = 6
SCHEMAS: dict[str, dict[str, Any]] = {"first": {"title": "first"}, "second": {"title": "second"}}
OUTCOMES: dict[Said, Outcome] = {
    Said.STARTED: Started(),
    Said.SUCCEEDED: Succeeded({"energy": -1.5}),
    Said.FAILED: failure(),
    Said.CANCELLED: Cancelled(),
}
# Nothing ends or comes due by itself while a play lasts: a step says when time passes.
NEVER = 1e8
STILL = Timing(heartbeat=NEVER, lease=NEVER, grace=NEVER, confirm=NEVER)


class Twin:
    """The queue on PostgreSQL, with the verbs of the model; it calls things by the model's numbers."""

    def __init__(self, workshop: Workshop, people: dict[str, UUID]) -> None:
        self.workshop, self.engine, self.people = workshop, workshop.engine, people
        self.extensions: dict[str, int] = {}
        self.jobs: list[UUID] = []
        self.postings: list[UUID] = []
        self.workers: list[UUID] = []

    async def furnish(self) -> None:
        await self.workshop.sql("TRUNCATE job, posting, worker, extension, chat_message CASCADE")
        specs = [self._spec(one["name"], "first") for one in EXTENSIONS]
        for registered, spec in zip(
            await extension_registration.register_extensions(self.engine, specs), specs, strict=True
        ):
            self.extensions[spec.name] = registered.id

    async def _extension(self, name: str) -> ExtensionRow:
        """The extension as it is now: workers may have brought it back with another schema."""
        async with self.engine.database.connection() as connection:
            row = await extensions.get(connection, self.extensions[name])
        assert row is not None
        return row

    def _spec(self, name: str, schema: str) -> ExtensionSpec:
        of = next(one for one in EXTENSIONS if one["name"] == name)
        return ExtensionSpec(
            "modifiers",
            name,
            SCHEMAS[schema],
            room=self.workshop.room,
            tries=of["tries"],
            on_worker_lost=of["policy"],
            concurrency=of["concurrency"],
            breaker_failures=of["breaker_failures"],
            breaker_seconds=NEVER,
            backoff_base=NEVER,
            backoff_cap=NEVER,
        )

    async def submit(
        self,
        extension: str,
        submitter: str,
        *,
        priority: int = 5,
        arguments: int = 0,
        key: str | None = None,
        needs: Sequence[Need] = (),
        later: bool = False,
    ) -> int:
        in_the_future = (await self.workshop.sql("SELECT now() + interval '1 day'"))[0][0]
        made = await submit(
            self.engine,
            await self._extension(extension),
            {"n": arguments},
            JobOptions(
                self.people[submitter],
                self.workshop.room,
                priority=priority,
                dependencies=self._needs(needs),
                idempotency_key=key,
                run_at=in_the_future if later else None,
            ),
        )
        if made.id in self.jobs:
            return self.jobs.index(made.id)
        self.jobs.append(made.id)
        return len(self.jobs) - 1

    async def post(
        self, extension: str, submitter: str, count: int, *, priority: int = 5, needs: Sequence[Need] = ()
    ) -> int:
        wish = JobOptions(
            self.people[submitter], self.workshop.room, priority=priority, dependencies=self._needs(needs)
        )
        posting = await post(self.engine, await self._extension(extension), ({"n": n} for n in range(count)), wish)
        self.postings.append(posting)
        self.jobs += job_ids(posting, 0, count)
        return len(self.postings) - 1

    def _needs(self, needs: Sequence[Need]) -> Dependencies:
        return Dependencies(
            tuple(self.jobs[number] for kind, number in needs if kind == "job"),
            tuple(self.postings[number] for kind, number in needs if kind == "posting"),
        )

    async def come_due(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            await self.workshop.time_passes(self.jobs[number])
        await promote_due(self.engine)

    async def register(self, offered: Sequence[str], *, schema: str, remote: bool, capacity: int) -> int:
        welcome = await registering.register_worker(
            self.engine,
            WorkerSpec(
                "remote" if remote else "pool",
                [self._spec(name, schema) for name in offered],
                account_id=self.workshop.person,
                capacity=capacity,
            ),
        )
        self.workers.append(welcome.worker_id)
        return len(self.workers) - 1

    async def register_again(self, number: int, *, schema: str) -> int:
        ((kind, capacity, offered),) = await self.workshop.sql(
            """SELECT kind, capacity, (SELECT array_agg(name ORDER BY extension.id) FROM offer
                                       JOIN extension ON extension.id = extension_id WHERE worker_id = worker.id)
               FROM worker WHERE id = %s""",
            self.workers[number],
        )
        spec = WorkerSpec(
            kind,
            [self._spec(name, schema) for name in offered],
            account_id=self.workshop.person,
            capacity=capacity,
            worker_id=self.workers[number],
        )
        return (await registering.register_worker(self.engine, spec)).incarnation

    async def attach(self, number: int, incarnation: int) -> None:
        await registering.attach(self.engine, self.workers[number], incarnation, "socket")

    async def detach(self, number: int) -> None:
        ((incarnation,),) = await self.workshop.sql(
            "SELECT incarnation FROM worker WHERE id = %s", self.workers[number]
        )
        await registering.detach(self.engine, self.workers[number], incarnation, "socket")

    async def heartbeat(self, number: int, incarnation: int) -> None:
        await registering.heartbeat(self.engine, self.workers[number], incarnation)

    async def lose(self, number: int) -> None:
        await self.workshop.sql(
            "UPDATE worker SET lease_until = now() - interval '1 second' WHERE id = %s", self.workers[number]
        )
        assert await self.workshop.lost_workers() == [self.workers[number]]

    async def leave(self, number: int) -> bool:
        return await registering.leave(self.engine, self.workers[number])

    async def claim(self, number: int, limit: int) -> list[tuple[int, int]]:
        claimed = await claim(self.engine, self.workers[number], limit)
        return [(self.jobs.index(job.id), job.attempt) for job in claimed]

    async def report(
        self, number: int, job_number: int, attempt: int, said: Said, *, incarnation: int, short: bool = False
    ) -> WorkroomError | None:
        worker, job = self.workers[number], self.jobs[job_number]
        times = (1.0, 2.0) if short else (None, None)
        reports = [Report(job, attempt, OUTCOMES[said], *times)]
        ((kind,),) = await self.workshop.sql("SELECT kind FROM worker WHERE id = %s", worker)
        who = incarnation if kind == "remote" else None
        return (await reporting.report(self.engine, worker, reports, incarnation=who)).get(job)

    async def cancel(self, number: int) -> str:
        return await cancel(self.engine, self.jobs[number])

    async def rescue(self) -> list[int]:
        return [self.jobs.index(job.id) for job in await rescuing.rescue(self.engine)]

    async def release_unconfirmed(self) -> list[int]:
        await self.workshop.confirmation_is_overdue()
        return [self.jobs.index(job.id) for job in await rescuing.release_unconfirmed(self.engine)]

    async def remove_idle(self) -> list[str]:
        return [one.name for one in await rescuing.remove_idle_extensions(self.engine)]

    async def offline_time_passes(self) -> None:
        await self.workshop.sql("UPDATE extension SET offline_since = offline_since - interval '10 years'")

    async def remove_extension(self, name: str) -> None:
        await remove_extension(self.engine, await self._extension(name))

    async def breaker_time_passes(self) -> None:
        await self.workshop.sql("UPDATE offer SET opened_at = opened_at - interval '10 years'")


class PostgresMachine(QueueMachine):
    runner: ClassVar[asyncio.Runner]
    workshop: ClassVar[Workshop]
    people: ClassVar[dict[str, UUID]]

    def __init__(self) -> None:
        super().__init__()
        self.twin = Twin(self.workshop, self.people)
        self.wait(self.twin.furnish())

    def wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(coroutine)

    def play(self, verb: str, *arguments: Any, **options: Any) -> Any:
        expected = super().play(verb, *arguments, **options)
        try:
            answer = self.wait(getattr(self.twin, verb)(*arguments, **options))
        except WorkroomError as error:
            answer = type(error)
        assert _told(answer) == _told(expected), verb
        self.wait(self.compare())
        return expected

    async def compare(self) -> None:
        """Both queues say the same of every job, worker and extension, and every counter is right."""
        queue, sql = self.queue, self.workshop.sql
        workers = {worker: number for number, worker in enumerate(self.twin.workers)}
        stored = {
            job_id: (state, attempt, workers.get(worker), failures, losses, turn, later, cancelling, unmet)
            for job_id, state, attempt, worker, failures, losses, turn, later, cancelling, unmet in await sql(
                """SELECT id, state::text, attempt, worker_id, failures, losses, turn, run_at IS NOT NULL,
                          cancel_requested_at IS NOT NULL, unmet_dependencies FROM job"""
            )
        }
        assert stored.keys() == {*self.twin.jobs}, "no acknowledged submit is lost"
        for job, job_id in zip(queue.jobs, self.twin.jobs, strict=True):
            cancelling = job.cancelling or job.state == "cancelled"
            assert stored[job_id] == (
                job.state,
                job.attempt,
                job.worker,
                job.failures,
                job.losses,
                job.turn,
                job.later,
                cancelling,
                len(job.needs),
            ), job
        offers = {
            (workers[worker], name): (failures, opened)
            for worker, name, failures, opened in await sql(
                """SELECT worker_id, name, failures, opened_at IS NOT NULL FROM offer
                   JOIN extension ON extension.id = extension_id"""
            )
        }
        assert offers == {
            (worker.number, name): (offer.failures, offer.breaker != "closed")
            for worker in queue.workers
            for name, offer in worker.offers.items()
        }
        assert dict(await sql("SELECT name, removed_at IS NOT NULL FROM extension")) == {
            extension.name: extension.removed for extension in queue.extensions.values()
        }
        postings = dict(await sql("SELECT id, status FROM posting"))
        for posting, posting_id in zip(queue.postings, self.twin.postings, strict=True):
            assert postings[posting_id] == (queue.stand(("posting", posting.number)) or "executing")
        assert await self.workshop.miscounted() == []


def _told(answer: Any) -> Any:
    """An answer as both queues can give it: refusals by their kind."""
    if isinstance(answer, WorkroomError):
        return type(answer)
    return sorted(answer) if isinstance(answer, list) else answer  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


async def open_workshop(url: str) -> tuple[Workshop, dict[str, UUID]]:
    database = Database(url, connections=CONNECTIONS, reuse_last=False)
    await database.open()
    workshop = await Workshop.furnish(Engine(database, timing=STILL))
    # Connections are opened now, and then taken in turns.
    await asyncio.gather(*(workshop.sql("SELECT pg_sleep(0.1)") for _ in range(CONNECTIONS)))
    return workshop, {"ada": workshop.person, "ben": await workshop.another_person("ben")}


def test_postgresql_and_the_model_agree_after_every_random_step(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    with capsys.disabled():
        print(f"\nPostgreSQL machine: seed = {chosen}", end="", flush=True)

    class Machine(PostgresMachine):
        """Counts for itself."""

        ended: ClassVar[Counter[str]] = Counter()

    with asyncio.Runner() as runner:
        Machine.runner = runner
        Machine.workshop, Machine.people = runner.run(open_workshop(database_url))
        try:
            run_state_machine_as_test(  # pyright: ignore[reportUnknownMemberType]
                seed(chosen)(Machine),
                settings=settings(
                    max_examples=20,
                    stateful_step_count=60,
                    deadline=None,
                    database=None,
                    phases=[Phase.generate],
                    suppress_health_check=[HealthCheck.too_slow],
                ),
            )
        finally:
            shards = runner.run(Machine.workshop.sql("SELECT count(DISTINCT shard) FROM job_count"))[0][0]
            runner.run(Machine.workshop.engine.database.close())
    with capsys.disabled():
        print(f", steps = {Machine.steps}, jobs = {dict(Machine.ended)}, connections in the last play = {shards}")
    assert Machine.steps >= 500
