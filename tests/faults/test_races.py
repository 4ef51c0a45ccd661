"""Things that happen at the same moment: whatever the order, there is one outcome, and it is never overwritten.

Each race prints one line of counts. Many pairs race at once on sixteen connections.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Iterable
from itertools import count
from typing import Any, TypeVar
from uuid import UUID

import pytest
from tests.faults.fault_table import FaultRecorder
from tests.workshop import Worker, Workshop, failure

from workroom.actions.engine import Engine
from workroom.actions.events import Event, JobsMoved
from workroom.actions.extensions.register import ExtensionSpec
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.report import report
from workroom.actions.jobs.rescue import remove_idle_extensions, rescue
from workroom.actions.jobs.submit import submit
from workroom.actions.workers.lifecycle import WorkerSpec, leave, register_worker
from workroom.domain.errors import (
    AttemptLost,
    DatabaseError,
    JobFinal,
    NotFound,
    SchemaConflict,
    WorkroomError,
)
from workroom.domain.ids import job_ids
from workroom.domain.jobs.outcomes import Cancelled, Report, Started, Succeeded
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.schema_hash import schema_hash
from workroom.store.database import Database
from workroom.store.queue_tables import jobs as store_jobs
from workroom.store.queue_tables.job_rows import Claimed

T = TypeVar("T")
AT_ONCE = 250  # pairs under way together

# Fewer in every run than in the campaign.
MANY_RACES = [200, pytest.param(2_000, marks=pytest.mark.full)]


@pytest.fixture
async def engine(database_url: str) -> AsyncGenerator[Engine]:
    # Everybody waits for a connection for as long as it takes: the races are about rows, not about the pool.
    async with Database(database_url, connections=16, wait_seconds=120) as database:
        yield Engine(database)


@pytest.fixture
def chance(capsys: pytest.CaptureFixture[str]) -> random.Random:
    seed = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    with capsys.disabled():
        print(f"\nseed = {seed}; ", end="")
    return random.Random(seed)


def tell(capsys: pytest.CaptureFixture[str], line: str) -> None:
    with capsys.disabled():
        print(line, flush=True)


async def all_of(races: Iterable[Awaitable[T]]) -> list[T]:
    """Run races, a bounded number of them at once."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(race: Awaitable[T]) -> T:
        async with room:
            return await race

    return await asyncio.gather(*(one(race) for race in races))


async def together(chance: random.Random, *calls: Awaitable[Any]) -> list[Any]:
    """Start calls in random order at the same moment; what each answers or raises."""
    order = list(range(len(calls)))
    chance.shuffle(order)
    tasks = {place: asyncio.ensure_future(calls[place]) for place in order}
    answers = await asyncio.gather(*(tasks[place] for place in range(len(calls))), return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, WorkroomError):
            raise answer
        assert not isinstance(answer, DatabaseError), answer
    return answers


async def running_jobs(workshop: Workshop, many: int, worker: Worker, extension: Any, **options: Any) -> list[Claimed]:
    await post(workshop.engine, extension, ({"n": n} for n in range(many)), JobOptions(workshop.person, **options))
    claimed = await worker.claim(many)
    assert len(claimed) == many
    assert await report(workshop.engine, worker.id, [Report(job.id, job.attempt, Started()) for job in claimed]) == {}
    return claimed


class FinalMoves:
    """Counts how often each job was announced to have ended. Only jobs outside postings are announced one by one."""

    def __init__(self, workshop: Workshop) -> None:
        self.ended: Counter[UUID] = Counter()
        workshop.engine.announce = self.hear

    def hear(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, JobsMoved):
                self.ended.update(job.id for job in event.jobs if job.state in FINAL)


async def single_running_jobs(
    workshop: Workshop, many: int, worker: Worker, extension: Any, **options: Any
) -> list[Claimed]:
    """Jobs that stand for themselves, not for a posting."""
    await all_of(workshop.pending_job(extension, **options) for _ in range(many))
    claimed = await worker.claim(many)
    assert len(claimed) == many
    assert await report(workshop.engine, worker.id, [Report(job.id, job.attempt, Started()) for job in claimed]) == {}
    return claimed


@pytest.mark.fault("F9")
@pytest.mark.parametrize("races", MANY_RACES)
async def test_cancels_against_finishes_have_one_outcome_each(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str], fault: FaultRecorder, races: int
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=races)
    jobs = await single_running_jobs(workshop, races, worker, relax)
    moves, outcomes = FinalMoves(workshop), Counter[str]()

    async def race(job: Claimed) -> None:
        confirms = chance.random() < 0.6
        calls: list[Awaitable[Any]] = [worker.say(job, Succeeded({"n": 1})), cancel(workshop.engine, job.id)]
        if confirms:
            calls.append(worker.say(job, Cancelled()))
        answers = await together(chance, *calls)
        finished, asked, confirmed = answers[0], answers[1], answers[2] if confirms else "not tried"
        row = await workshop.job(job.id)
        outcomes[row.state] += 1
        if row.state == State.COMPLETED:
            assert finished is None and row.result == {"n": 1}
            assert isinstance(asked, JobFinal) or asked == State.RUNNING
            assert confirmed == "not tried" or isinstance(confirmed, JobFinal)
        else:
            assert row.state == State.CANCELLED and row.result is None
            assert isinstance(finished, JobFinal)
            assert asked in (State.RUNNING, State.CANCELLED) and confirmed is None

    await all_of(race(job) for job in jobs)
    twice = sum(times != 1 for times in moves.ended.values())
    tell(capsys, f"cancel against finish: {races} races, {dict(sorted(outcomes.items()))}, final moves != 1: {twice}")
    fault.record(runs=races, lost=races - len(moves.ended), doubled=twice, stale=0)
    assert sum(outcomes.values()) == races == len(moves.ended)
    assert twice == 0
    assert await workshop.miscounted() == []


async def test_cancels_against_starts_neither_lose_the_cancel_nor_the_start(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    races = 500
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=races)
    await all_of(workshop.pending_job(relax) for _ in range(races))
    jobs = await worker.claim(races)

    async def race(job: Claimed) -> None:
        started, asked = await together(chance, worker.say(job, Started()), cancel(workshop.engine, job.id))
        row = await workshop.job(job.id)
        assert started is None and asked in (State.ASSIGNED, State.RUNNING)
        assert row.state == State.RUNNING and row.started_at and row.cancel_requested_at

    await all_of(race(job) for job in jobs)
    tell(capsys, f"cancel against start: {len(jobs)} races, all running and all asked to stop")
    assert await workshop.miscounted() == []


async def test_a_cancel_that_had_to_wait_for_a_start_sees_it(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.assigned_job(relax, worker)
    async with workshop.engine.database.connection() as connection:
        async with connection.transaction():
            await store_jobs.start(connection, worker_id=worker.id, ids=[job.id], attempts=[1])
            cancelling = asyncio.ensure_future(cancel(workshop.engine, job.id))
            await somebody_waits_for_a_row(workshop)
        assert await cancelling == State.RUNNING
    row = await workshop.job(job.id)
    assert row.state == State.RUNNING and row.started_at and row.cancel_requested_at


async def somebody_waits_for_a_row(workshop: Workshop) -> None:
    """Returns once a statement in this database waits for a lock."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while not await workshop.sql(waiting):  # noqa: ASYNC110 - PostgreSQL has no event for it
        await asyncio.sleep(0.01)


@pytest.mark.fault("F9")
@pytest.mark.parametrize("races", MANY_RACES)
async def test_sweeps_against_finishes_have_one_outcome_each(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str], fault: FaultRecorder, races: int
) -> None:
    crew = 40
    relax = await workshop.extension()
    workers = [await workshop.worker(relax, capacity=races // crew) for _ in range(crew)]
    policies = ["fail", "requeue", "requeue_unstarted"]
    held: list[tuple[Worker, Claimed]] = []
    for number, worker in enumerate(workers):
        options = {"on_worker_lost": policies[number % 3]}
        held += [(worker, job) for job in await single_running_jobs(workshop, races // crew, worker, relax, **options)]
    # Somebody of the crew stays, or the extension would be removed; nobody takes a job again.
    moves, outcomes = FinalMoves(workshop), Counter[str]()

    async def finish(worker: Worker, job: Claimed) -> None:
        await asyncio.sleep(chance.random())
        refusal = await worker.say(job, Succeeded({"n": 1}))
        row = await workshop.job(job.id)
        if refusal is None:
            assert (row.state, row.result) == (State.COMPLETED, {"n": 1})
            outcomes["completed"] += 1
        else:
            assert isinstance(refusal, AttemptLost | JobFinal)
            assert row.state in (State.FAILED, State.PENDING)
            outcomes[f"swept, then {row.state}"] += 1

    async def sweep(worker: Worker) -> None:
        await asyncio.sleep(chance.random() * 5)
        await workshop.sql(
            """UPDATE worker SET ended_at = now(), end_reason = 'lost', attached = false WHERE id = %s""", worker.id
        )
        await rescue(workshop.engine)

    await asyncio.gather(
        all_of(finish(worker, job) for worker, job in held),
        *(sweep(worker) for worker in workers),
        return_exceptions=False,
    )
    await rescue(workshop.engine)
    twice = sum(times > 1 for times in moves.ended.values())
    tell(capsys, f"sweep against finish: {races} races, {dict(sorted(outcomes.items()))}, final moves > 1: {twice}")
    fault.record(runs=races, lost=races - sum(outcomes.values()), doubled=twice, stale=0)
    assert sum(outcomes.values()) == races
    assert twice == 0
    assert await workshop.sql("SELECT count(*) FROM job WHERE state IN ('assigned', 'running')") == [(0,)]
    assert await workshop.miscounted() == []


@pytest.mark.fault("F8")
async def test_of_a_hundred_finishes_of_one_job_one_wins_and_the_same_again_is_no_refusal(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str], fault: FaultRecorder
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    totals: Counter[str] = Counter()
    for _ in range(5):
        job = await workshop.running_job(relax, worker)
        moves = FinalMoves(workshop)
        words = [chance.choice([Succeeded(1), Succeeded(2), failure("one"), failure("two")]) for _ in range(100)]
        answers = await together(chance, *(worker.say(job, word) for word in words))
        row = await workshop.job(job.id)
        won = Succeeded(row.result) if row.state == State.COMPLETED else failure(row.error["message"])
        for word, answer in zip(words, answers, strict=True):
            if word == won:
                assert answer is None
                totals["accepted or repeated"] += 1
            else:
                assert isinstance(answer, JobFinal)
                totals["refused"] += 1
        fault.record(runs=100, lost=int(moves.ended[job.id] < 1), doubled=max(0, moves.ended[job.id] - 1), stale=0)
        assert moves.ended == {job.id: 1}
        totals[str(row.state)] += 1
    tell(capsys, f"100 finishes of one job, 5 times: {dict(sorted(totals.items()))}, final moves: 1 each")
    assert await workshop.miscounted() == []


async def test_of_fifty_registrations_with_two_schemas_one_schema_wins(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    schemas: list[dict[str, Any]] = [{"title": "one"}, {"title": "two"}]
    hashes = [schema_hash(schema) for schema in schemas]
    totals: Counter[str] = Counter()
    for number in range(6):
        chosen = [chance.randrange(2) for _ in range(50)]
        specs = [
            WorkerSpec("pool", [ExtensionSpec("modifiers", f"Fresh{number}", schemas[one], room=workshop.room)])
            for one in chosen
        ]
        answers = await together(chance, *(register_worker(workshop.engine, spec) for spec in specs))
        ((live,),) = await workshop.sql("SELECT schema_hash FROM extension WHERE name = %s", f"Fresh{number}")
        for one, answer in zip(chosen, answers, strict=True):
            if hashes[one] == live:
                assert answer.extensions[0].schema_hash == live
                totals["joined"] += 1
            else:
                assert type(answer) is SchemaConflict
                assert (answer.detail["currentHash"], answer.detail["offeredHash"]) == (live, hashes[one])
                totals["refused"] += 1
        ((offers,),) = await workshop.sql(
            "SELECT count(*) FROM offer JOIN extension ON extension.id = extension_id WHERE name = %s", f"Fresh{number}"
        )
        assert offers == chosen.count(hashes.index(live)), "who was refused left nothing behind"
    ((rows,),) = await workshop.sql("SELECT count(*) FROM worker")
    tell(capsys, f"50 registrations with two schemas, 6 times: {dict(sorted(totals.items()))}, one schema each")
    assert rows == totals["joined"]


async def test_eight_claimers_never_get_the_same_job(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs, claimers = 10_000, 8
    relax = await workshop.extension()
    posting = await post(workshop.engine, relax, ({"n": n} for n in range(jobs)), JobOptions(workshop.person))
    workers = [await workshop.worker(relax, capacity=jobs) for _ in range(claimers)]
    got: Counter[UUID] = Counter()
    shares: Counter[int] = Counter()

    async def take(number: int) -> None:
        in_vain = 0
        while in_vain < 3:
            claimed = await claim(workshop.engine, workers[number].id, chance.choice([1, 7, 50, 200]))
            in_vain = 0 if claimed else in_vain + 1
            got.update(job.id for job in claimed)
            shares[number] += len(claimed)

    await asyncio.gather(*(take(number) for number in range(claimers)))
    twice = sum(times > 1 for times in got.values())
    tell(
        capsys,
        f"{claimers} claimers of {jobs} jobs: claimed = {len(got)}, twice = {twice}, shares = {[*shares.values()]}",
    )
    assert set(got) == set(job_ids(posting, 0, jobs)) and twice == 0
    assert await workshop.sql("SELECT DISTINCT state::text, attempt FROM job") == [("assigned", 1)]
    assert await workshop.miscounted() == []


async def test_claims_of_one_worker_at_the_same_time_never_exceed_its_capacity(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=5)
    await post(workshop.engine, relax, ({} for _ in range(500)), JobOptions(workshop.person))
    most, total = 0, 0
    for _ in range(40):
        claimed = [job for jobs in await asyncio.gather(*(worker.claim(2) for _ in range(8))) for job in jobs]
        most, total = max(most, len(claimed)), total + len(claimed)
        await worker.finish(*claimed)
    tell(capsys, f"\n8 claims at once of a worker with 5 slots, 40 times: claimed = {total}, most held = {most}")
    assert most == 5
    assert await workshop.miscounted() == []


async def test_submits_at_the_same_time_never_overfill_remote_workers(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    relax, other = await workshop.extension("Relax", concurrency=4), await workshop.extension("Other")
    workers = [await workshop.worker(relax, other, kind="remote", capacity=6) for _ in range(5)]
    await all_of(workshop.pending_job(line) for _ in range(100) for line in (relax, other))
    held = await workshop.sql(
        "SELECT worker_id, extension_id, count(*) FROM job WHERE state = 'assigned' GROUP BY worker_id, extension_id"
    )
    by_worker: Counter[UUID] = Counter()
    for worker_id, extension_id, jobs in held:
        by_worker[worker_id] += jobs
        assert extension_id != relax.id or jobs <= 4
    tell(capsys, f"\n200 submits at once, 5 remote workers with 6 slots: held = {sorted(by_worker.values())}")
    assert max(by_worker.values()) <= 6 and set(by_worker) <= {worker.id for worker in workers}
    assert await workshop.miscounted() == []


@pytest.mark.full
async def test_a_job_whose_two_needs_complete_at_the_same_moment_is_always_freed(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    races = 1_000
    relax, later = await workshop.extension("Relax"), await workshop.extension("Later")
    worker = await workshop.worker(relax, capacity=2 * races)
    needed = await running_jobs(workshop, 2 * races, worker, relax)
    pairs = list(zip(needed[::2], needed[1::2], strict=True))
    waiting = await all_of(workshop.blocked_job(later, one.id, other.id) for one, other in pairs)

    async def race(one: Claimed, other: Claimed) -> None:
        answers = await together(chance, worker.say(one, Succeeded()), worker.say(other, Succeeded()))
        assert answers == [None, None]

    await all_of(race(*pair) for pair in pairs)
    states = Counter(
        state for (state,) in await workshop.sql("SELECT state::text FROM job WHERE id = ANY (%s)", waiting)
    )
    tell(capsys, f"two needs completed at once: {races} races, {dict(states)}")
    assert states == {State.PENDING: races}
    assert await workshop.sql("SELECT count(*) FROM dependency WHERE ended_at IS NULL") == [(0,)]
    assert await workshop.miscounted() == []


async def test_a_job_submitted_while_what_it_needs_ends_is_never_stuck_and_never_refused(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    races = 1_000
    relax, later = await workshop.extension("Relax"), await workshop.extension("Later")
    worker = await workshop.worker(relax, capacity=races)
    needed = await running_jobs(workshop, races, worker, relax, tries=1)
    outcomes: Counter[str] = Counter()

    async def race(job: Claimed) -> None:
        well = chance.random() < 0.5
        options = JobOptions(workshop.person, workshop.room, dependencies=Dependencies(jobs=(job.id,)))
        made, said = await together(
            chance,
            submit(workshop.engine, later, {}, options),
            worker.say(job, Succeeded() if well else failure()),
        )
        assert said is None
        assert not isinstance(made, WorkroomError), made
        state = await workshop.state(made.id)
        assert state is (State.PENDING if well else State.FAILED)
        outcomes[f"{state} (was {made.state} when submitted)"] += 1

    await all_of(race(job) for job in needed)
    tell(capsys, f"submit against the end of what it needs: {races} races, {dict(sorted(outcomes.items()))}")
    assert sum(outcomes.values()) == races
    assert await workshop.sql("SELECT count(*) FROM dependency WHERE ended_at IS NULL") == [(0,)]
    assert await workshop.miscounted() == []


async def test_a_submit_against_the_removal_of_its_extension_is_refused_or_keeps_it_alive(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds, outcomes = 300, Counter[str]()
    names = (f"Idle{number}" for number in count())
    lines = [await workshop.extension(next(names)) for _ in range(rounds)]

    await workshop.sql("UPDATE extension SET offline_since = now() - interval '10 years'")

    async def remove_in_a_moment(line: Any) -> None:
        # Submitting looks for an idle worker first: without a head start for it, removing would always win.
        await asyncio.sleep(chance.choice((0, 0.05, 0.2, 0.5)) * chance.random())
        await remove_idle_extensions(workshop.engine, [line.id])

    async def race(line: Any) -> None:
        made, _ = await together(
            chance,
            submit(workshop.engine, line, {}, JobOptions(workshop.person, workshop.room)),
            remove_in_a_moment(line),
        )
        ((removed,),) = await workshop.sql("SELECT removed_at IS NOT NULL FROM extension WHERE id = %s", line.id)
        assert isinstance(made, NotFound) == removed
        outcomes["refused" if removed else "kept"] += 1

    await all_of(race(line) for line in lines)
    tell(capsys, f"submit against removal of the extension: {rounds} races, {dict(sorted(outcomes.items()))}")
    assert len(outcomes) == 2
    stranded = await workshop.sql(
        "SELECT count(*) FROM job JOIN extension ON extension.id = extension_id WHERE removed_at IS NOT NULL"
    )
    assert stranded == [(0,)]
    assert await workshop.miscounted() == []


async def test_a_submit_against_the_leaving_of_its_only_worker_is_never_left_with_it(
    workshop: Workshop, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    """Straight to the worker, which gives it back; in line; or refused, when the extension went with the worker."""
    rounds, outcomes = 300, Counter[str]()
    lines = [await workshop.extension(f"Brief{number}", on_worker_lost="requeue") for number in range(rounds)]
    workers = [await workshop.worker(line, kind="remote") for line in lines]

    async def in_a_moment(seconds: float, call: Awaitable[T]) -> T:
        await asyncio.sleep(seconds * chance.random())
        return await call

    async def race(line: Any, worker: Worker) -> None:
        made, _ = await together(
            chance,
            in_a_moment(0.5, submit(workshop.engine, line, {}, JobOptions(workshop.person, workshop.room))),
            in_a_moment(0.5, leave(workshop.engine, worker.id)),
        )
        if isinstance(made, WorkroomError):
            assert isinstance(made, NotFound), made
            outcomes["refused"] += 1
        else:
            outcomes[f"{made.state} when submitted"] += 1

    await all_of(race(line, worker) for line, worker in zip(lines, workers, strict=True))
    await rescue(workshop.engine)
    tell(capsys, f"submit against the last worker's leaving: {rounds} races, {dict(sorted(outcomes.items()))}")
    held = "SELECT count(*) FROM job JOIN worker ON worker.id = worker_id WHERE ended_at IS NOT NULL"
    assert await workshop.sql(held) == [(0,)]
    kept = rounds - outcomes["refused"]
    assert await workshop.sql("SELECT count(*) FROM job WHERE state = 'pending'") == [(kept,)]
    assert len(outcomes) > 1
    assert await workshop.miscounted() == []
