"""Everything at once: many tasks on many connections do random things to the same jobs; then the tables must add up.

What the tasks were told is written down as it happens: acknowledged submits, jobs handed out, reports taken. At the end
that ledger, the announced events and the tables are compared.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from tests.workshop import SCHEMA, Workshop, failure

from workroom.actions.engine import Engine
from workroom.actions.events import Event, JobsAssigned, JobsMoved
from workroom.actions.extensions.register import ExtensionSpec
from workroom.actions.jobs.assign import assign_extension, claim
from workroom.actions.jobs.cancel import cancel, cancel_many
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.report import report
from workroom.actions.jobs.rescue import release_unconfirmed, remove_idle_extensions, rescue
from workroom.actions.jobs.schedule import promote_due
from workroom.actions.jobs.submit import submit
from workroom.actions.workers.lifecycle import WorkerSpec, attach, leave, register_worker
from workroom.domain.errors import DatabaseError, JobFinal, NotFound, WorkerLost
from workroom.domain.ids import job_ids
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.outcomes import Cancelled, Report, Started, Succeeded
from workroom.domain.jobs.states import FINAL
from workroom.domain.retention import Retention
from workroom.store.database import Database
from workroom.store.queue_tables.extensions import ExtensionRow

TASKS, OPERATIONS = 14, 1_500

EXTENSIONS: tuple[dict[str, Any], ...] = (
    {"name": "A", "tries": 1, "on_worker_lost": "fail", "breaker_failures": 0},
    {"name": "B", "tries": 3, "on_worker_lost": "requeue", "breaker_failures": 0, "concurrency": 2},
    {"name": "C", "tries": 2, "on_worker_lost": "requeue_unstarted", "breaker_failures": 3, "breaker_seconds": 0.05},
)


@dataclass
class Ledger:
    """What was acknowledged, handed out and announced."""

    submitted: set[UUID] = field(default_factory=set[UUID])
    postings: set[UUID] = field(default_factory=set[UUID])
    handed: Counter[tuple[UUID, int]] = field(default_factory=Counter[tuple[UUID, int]])
    ended: Counter[UUID] = field(default_factory=Counter[UUID])
    holders: dict[UUID, tuple[UUID, int]] = field(default_factory=dict[UUID, tuple[UUID, int]])
    done: Counter[str] = field(default_factory=Counter[str])

    def hear(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, JobsMoved):
                self.ended.update(job.id for job in event.jobs if job.state in FINAL and job.posting_id is None)
            if isinstance(event, JobsAssigned):
                self.hand(event.worker_id, [(job.id, job.attempt) for job in event.jobs])

    def hand(self, worker: UUID, jobs: Iterable[tuple[UUID, int]]) -> None:
        for job, attempt in jobs:
            self.handed[job, attempt] += 1
            self.holders[job] = (worker, attempt)


@pytest.fixture
async def engine(database_url: str) -> AsyncGenerator[Engine]:
    async with Database(database_url, connections=TASKS, wait_seconds=60) as database:
        yield Engine(database, timing=Timing(confirm=0.05, lease=600, retention=Retention(offline=0)))


class Crowd:
    """Random people and workers."""

    def __init__(self, workshop: Workshop, chance: random.Random, people: list[UUID]) -> None:
        self.workshop, self.engine, self.chance, self.people = workshop, workshop.engine, chance, people
        self.ledger = Ledger()
        self.engine.announce = self.ledger.hear
        self.lines: list[ExtensionRow] = []
        self.workers: list[tuple[UUID, str, int]] = []  # id, kind, incarnation

    async def open(self) -> None:
        for settings in EXTENSIONS:
            rest: dict[str, Any] = {"backoff_base": 0.01, "backoff_cap": 0.05, **settings}
            self.lines.append(await self.workshop.extension(rest.pop("name"), **rest))
        for kind in ("pool", "pool", "remote", "remote"):
            await self.hire(kind)

    async def hire(self, kind: str) -> None:
        offered = [
            ExtensionSpec(
                "modifiers",
                line.name,
                SCHEMA,
                room=line.room,
                tries=line.tries,
                on_worker_lost=line.on_worker_lost,
                concurrency=line.concurrency,
                breaker_failures=line.breaker_failures,
                breaker_seconds=line.breaker_seconds,
                backoff_base=line.backoff_base,
                backoff_cap=line.backoff_cap,
            )
            for line in self.chance.sample(self.lines, self.chance.randint(1, 3))
        ]
        spec = WorkerSpec(kind, offered, account_id=self.workshop.person, capacity=self.chance.randint(1, 8))
        welcome = await register_worker(self.engine, spec)
        if kind == "remote":
            await attach(self.engine, welcome.worker_id, welcome.incarnation, "socket")
        self.workers.append((welcome.worker_id, kind, welcome.incarnation))

    async def one_thing(self) -> None:
        verbs = {
            self.submit: 20,
            self.post: 3,
            self.claim: 20,
            self.report: 40,
            self.cancel: 5,
            self.cancel_several: 1,
            self.lose: 2,
            self.hire_another: 2,
            self.sweep: 4,
            self.schedule: 4,
            self.hand_out: 3,
        }
        verb = self.chance.choices([*verbs], [*verbs.values()])[0]
        try:
            await verb()
            self.ledger.done[verb.__name__] += 1
        except (JobFinal, NotFound, WorkerLost) as error:
            self.ledger.done[f"{verb.__name__}: {error.code}"] += 1
        except DatabaseError as error:
            # Collided six times in a row, and was told so: nothing of it was done.
            self.ledger.done[f"{verb.__name__}: {error.code}"] += 1

    def some_job(self) -> UUID:
        return self.chance.choice([*self.ledger.submitted])

    async def submit(self) -> None:
        jobs = tuple(self.some_job() for _ in range(self.chance.choice((0, 0, 0, 1, 2))) if self.ledger.submitted)
        postings = (self.chance.choice([*self.ledger.postings]),) if self.ledger.postings and not jobs else ()
        needs = Dependencies(jobs, postings if self.chance.random() < 0.1 else ())
        options = JobOptions(
            self.chance.choice(self.people),
            self.workshop.room,
            priority=self.chance.choice((5, 5, 7)),
            dependencies=needs,
        )
        made = await submit(self.engine, self.chance.choice(self.lines), {"n": 1}, options)
        self.ledger.submitted.add(made.id)

    async def post(self) -> None:
        count = self.chance.randint(0, 12)
        options = JobOptions(self.chance.choice(self.people), self.workshop.room)
        posting = await post(self.engine, self.chance.choice(self.lines), [{"n": n} for n in range(count)], options)
        self.ledger.postings.add(posting)
        self.ledger.submitted.update(job_ids(posting, 0, count))

    async def claim(self) -> None:
        worker, kind, _ = self.chance.choice(self.workers)
        if kind == "pool":
            claimed = await claim(self.engine, worker, self.chance.randint(1, 5))
            self.ledger.hand(worker, [(job.id, job.attempt) for job in claimed])

    async def report(self) -> None:
        """Mostly what a worker would say; now and then late or about a job of another."""
        if not self.ledger.holders:
            return
        held = self.chance.sample([*self.ledger.holders.items()], min(3, len(self.ledger.holders)))
        job, (worker, attempt) = held[0]
        kind, incarnation = next((kind, number) for one, kind, number in self.workers if one == worker)
        word = self.chance.choice([Started(), Started(), Succeeded(1), Succeeded(2), failure(), Cancelled()])
        short = self.chance.random() < 0.5
        reports = [Report(job, attempt, word, 1.0 if short else None, 1.0 if short else None)]
        reports += [Report(other, number, Succeeded(1), 1.0, 1.0) for other, (who, number) in held[1:] if who == worker]
        await report(self.engine, worker, reports, incarnation=incarnation if kind == "remote" else None)

    async def cancel(self) -> None:
        if self.ledger.submitted:
            await cancel(self.engine, self.some_job())

    async def cancel_several(self) -> None:
        if self.ledger.submitted:
            await cancel_many(self.engine, [self.some_job() for _ in range(5)])

    async def lose(self) -> None:
        if len(self.workers) < 4:
            return
        worker = self.chance.choice(self.workers)[0]
        if self.chance.random() < 0.5:
            await leave(self.engine, worker)
        else:
            await self.workshop.sql("UPDATE worker SET lease_until = now() - interval '1 second' WHERE id = %s", worker)
            await self.workshop.lost_workers()

    async def hire_another(self) -> None:
        await self.hire(self.chance.choice(("pool", "remote")))

    async def sweep(self) -> None:
        await rescue(self.engine)
        await release_unconfirmed(self.engine)
        await remove_idle_extensions(self.engine)

    async def schedule(self) -> None:
        await promote_due(self.engine)

    async def hand_out(self) -> None:
        await assign_extension(self.engine, self.chance.choice(self.lines).id)

    async def finish_everything(self) -> None:
        """New workers with closed breakers take over until nothing is left."""
        for worker, _, _ in self.workers:
            await leave(self.engine, worker)
        crew = [await self.workshop.worker(line, capacity=1_000) for line in self.lines]
        while await self.workshop.sql("SELECT 1 FROM job WHERE finished_at IS NULL LIMIT 1"):
            await self.workshop.sql("UPDATE job SET run_at = now() WHERE run_at IS NOT NULL")
            progress = await promote_due(self.engine)
            for worker in crew:
                claimed = await worker.claim(1_000)
                self.ledger.hand(worker.id, [(job.id, job.attempt) for job in claimed])
                if claimed:
                    await worker.finish(*claimed)
                progress += len(claimed)
            assert progress, f"jobs are stuck: {await self.workshop.sql(STUCK)}"


STUCK = """SELECT state::text, unmet_dependencies, run_at, worker_id, count(*) FROM job
           WHERE finished_at IS NULL GROUP BY 1, 2, 3, 4"""

# Each names what is wrong with a row, and should find none.
BROKEN = {
    "a worker holds more than it can": """
        SELECT worker.id FROM worker JOIN job ON job.worker_id = worker.id AND job.state IN ('assigned', 'running')
        GROUP BY worker.id HAVING count(*) > worker.capacity""",
    "a worker holds more of an extension than it may": """
        SELECT worker_id FROM job JOIN extension ON extension.id = job.extension_id
        WHERE job.state IN ('assigned', 'running')
        GROUP BY worker_id, extension.id HAVING count(*) > extension.concurrency""",
    "a blocked job waits for a number of things other than it says": """
        SELECT job.id FROM job LEFT JOIN dependency ON dependency.job_id = job.id AND dependency.ended_at IS NULL
        GROUP BY job.id HAVING count(dependency.job_id) <> job.unmet_dependencies""",
    "a job waits for something that has ended": """
        SELECT job_id FROM dependency
        LEFT JOIN job ON job.id = needs_job LEFT JOIN posting ON posting.id = needs_posting
        WHERE dependency.ended_at IS NULL AND (job.finished_at IS NOT NULL OR posting.finished_at IS NOT NULL)""",
    "an attempt is neither the last one nor remembered": """
        SELECT job.id FROM job LEFT JOIN failed_attempt ON failed_attempt.job_id = job.id
        GROUP BY job.id HAVING job.attempt <> count(failed_attempt.job_id) + (job.worker_id IS NOT NULL)::integer""",
    "an extension is removed and has unfinished jobs": """
        SELECT extension.id FROM extension JOIN job ON job.extension_id = extension.id AND job.finished_at IS NULL
        WHERE extension.removed_at IS NOT NULL""",
    "a job has cost too many workers": "SELECT id FROM job WHERE losses > 3",
}


async def check(crowd: Crowd) -> None:
    ledger, sql = crowd.ledger, crowd.workshop.sql
    rows = {
        job: (state, attempt, posting)
        for job, state, attempt, posting in await sql("SELECT id, state::text, attempt, posting_id FROM job")
    }
    assert rows.keys() == ledger.submitted, "acknowledged and stored are not the same"
    for what, query in BROKEN.items():
        assert await sql(query) == [], what
    assert await crowd.workshop.miscounted() == []
    for job, (state, attempt, posting) in rows.items():
        seen = sorted(number for (one, number) in ledger.handed if one == job)
        assert seen == list(range(1, attempt + 1)), "attempts and assignments differ"
        if posting is None:
            assert ledger.ended[job] == (state in FINAL), "not one final move"
    assert set(ledger.handed.values()) <= {1}, "an attempt was handed out twice"


@pytest.mark.slow
async def test_everything_adds_up_after_thousands_of_things_at_once(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    chance = random.Random(seed)
    with capsys.disabled():
        print(f"\ninterleavings: seed = {seed}", flush=True)
    crowd = Crowd(workshop, chance, [workshop.person, *[await workshop.another_person(n) for n in ("ben", "cleo")]])
    await crowd.open()
    left = OPERATIONS

    async def busy() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await crowd.one_thing()

    await asyncio.gather(*(busy() for _ in range(TASKS)))
    await check(crowd)
    states = dict(await workshop.sql("SELECT state::text, count(*) FROM job GROUP BY 1"))
    await crowd.finish_everything()
    await check(crowd)
    ends = dict(await workshop.sql("SELECT state::text, count(*) FROM job GROUP BY 1"))
    with capsys.disabled():
        print(f"  done: {dict(crowd.ledger.done)}\n  jobs: {len(crowd.ledger.submitted)}, {states}, at the end {ends}")
        print(f"  assignments: {len(crowd.ledger.handed)}, handed out twice: 0, lost: 0, final moves per job: 1")
    assert set(ends) <= FINAL
