"""kill -9 of pool processes at random, under load: nothing is lost, and nothing is done twice that may not be.

Every execution leaves two lines in a log of its own process: that it begins, and that it has ended. At the end the log
is compared with the database. `WORKROOM_FAULT_SEED` repeats a run.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.acceptance import pool_functions
from tests.faults.fault_table import FaultRecorder
from tests.faults.pools import side_effects
from tests.workshop import MISCOUNTED

from workroom import ClusterPool, Registry
from workroom.actions.extensions.register import register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.client.portal import background
from workroom.store.queue_tables import extensions
from workroom.worker.postings.postgres_backend import extension_spec, open_postgres_backend

SEED = int(os.environ.get("WORKROOM_FAULT_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
PATIENCE = 300.0
PART, BACKLOG = 20, 1_000
POLICIES = ("requeue", "requeue_unstarted", "fail")
RUNNING = "SELECT count(*) FROM job WHERE state NOT IN ('completed', 'failed', 'cancelled')"


@dataclass
class Campaign:
    """Postings of each policy, under load: only under `requeue` may a job that has begun be run again."""

    url: str
    folder: Path
    postings: dict[str, list[UUID]] = field(default_factory=lambda: {policy: [] for policy in POLICIES})
    calls: int = 0  # of each policy, so far

    def goes_on(self) -> None:
        """Post more when little is left: there is work at all times, and not much at the end."""
        while self.sql(RUNNING)[0][0] < BACKLOG:
            start, self.calls = self.calls, self.calls + PART
            for policy in POLICIES:  # in turns, so that kills meet all of them
                self.postings[policy].append(
                    background().call(_posted(self.url, policy, self.folder, start, self.calls))
                )

    def sql(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode(), values).fetchall()

    def kills(self, pool: ClusterPool, wanted: int, chance: random.Random) -> int:
        """Processes killed at random moments, under load."""
        killed = 0
        while killed < wanted:
            self.goes_on()
            time.sleep(chance.uniform(0.0, 0.25))
            victim = chance.choice(pool.workers or [None])
            if victim is not None and victim.pid is not None and victim.shared_status.read().worker_id is not None:
                os.kill(victim.pid, signal.SIGKILL)
                victim.join()
                killed += 1
        return killed

    def drains(self) -> None:
        until = time.monotonic() + PATIENCE
        while self.sql(RUNNING)[0][0]:
            assert time.monotonic() < until, self.sql("SELECT state::text, count(*) FROM job GROUP BY state")
            time.sleep(0.1)

    def verdict(self) -> dict[str, int]:
        """What became of every call, by the database and by the log of side effects."""
        begun: Counter[tuple[str, int]] = Counter()
        ended: Counter[tuple[str, int]] = Counter()
        for file in self.folder.glob("*.log"):
            for line in file.read_text().splitlines():
                act, policy, number = line.split()
                (begun if act == "begun" else ended)[policy, int(number)] += 1
        found = {"doubled where allowed": 0, "failed as lost": 0}
        for policy, postings in self.postings.items():
            rows = self.sql(
                "SELECT (arguments #>> '{args,2}')::integer, state::text, attempt, losses, result, error ->> 'reason' "
                "FROM job WHERE posting_id = ANY (%s)",
                postings,
            )
            assert sorted(row[0] for row in rows) == list(range(self.calls)), "lost or invented"
            for number, state, attempt, losses, result, reason in rows:
                call = (policy, number)
                if state == "completed":
                    assert result == number and ended[call] >= 1, (call, "completed without having been done")
                else:
                    assert state == "failed" and reason == "worker_lost", (call, state, reason)
                    assert losses == (3 if policy == "requeue" else 0), (call, losses)
                    found["failed as lost"] += 1
                if policy == "requeue":
                    assert begun[call] <= attempt, (call, begun[call], attempt)
                    found["doubled where allowed"] += begun[call] > 1
                else:
                    assert begun[call] <= 1, (call, begun[call], "run again although its policy forbids it")
        assert self.sql(MISCOUNTED) == []
        return found


async def _posted(url: str, policy: str, folder: Path, start: int, stop: int) -> UUID:
    desk = await open_postgres_backend(url)
    registered = (await register_extensions(desk.engine, [extension_spec(Registry["side_effect"])]))[0]
    async with desk.engine.database.connection() as connection:
        row = await extensions.get(connection, registered.id)
    assert row is not None
    packed = [{"args": [str(folder), policy, n]} for n in range(start, stop)]
    return await post(desk.engine, row, packed, JobOptions(await desk.submitter(), on_worker_lost=policy))


def _campaign(database: str, folder: Path, fault: FaultRecorder, kills: int) -> None:
    print(f"seed {SEED}")
    campaign = Campaign(database, folder)
    campaign.goes_on()
    with ClusterPool(2, imports=[side_effects.__name__]) as pool:
        killed = campaign.kills(pool, kills, random.Random(SEED))
        campaign.drains()
        assert len(pool.workers) == 2 or pool.failure_count
    found = campaign.verdict()
    print(f"{killed} kills, {len(POLICIES) * campaign.calls:,} calls: lost 0, doubled where not allowed 0, {found}")
    fault.record(runs=killed, lost=0, doubled=0)  # `verdict` has asserted both for every call
    assert killed == kills


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.fault("F2")
def test_processes_killed_at_random_lose_nothing_and_double_only_what_they_may(
    database: str, tmp_path: Path, fault: FaultRecorder
) -> None:
    _campaign(database, tmp_path, fault, kills=12)


@pytest.mark.full
@pytest.mark.fault("F2")
def test_two_hundred_kills(database: str, tmp_path: Path, fault: FaultRecorder) -> None:
    _campaign(database, tmp_path, fault, kills=200)


@pytest.mark.fault("F14")
def test_a_call_that_kills_its_process_is_failed_and_the_others_complete(database: str, fault: FaultRecorder) -> None:
    posting = Registry["poison"].post_work([(n,) for n in range(50)])
    begun = time.monotonic()
    with ClusterPool(2, imports=[pool_functions.__name__]) as pool:
        posting.wait(PATIENCE)
        took = time.monotonic() - begun
        kills = pool.failure_count
    completed = list(posting.results(failed="skip"))
    fault.record(
        runs=kills, lost=49 - len(set(completed)), doubled=len(completed) - len(set(completed)), recovery=[took]
    )
    (failure,) = posting.failures()
    assert (failure.args, failure.reason, kills) == ((7,), "worker_lost", 3)
    assert completed == [n for n in range(50) if n != 7]
