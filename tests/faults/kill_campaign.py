"""Calls of each policy for lost workers, whose executions are counted while their workers are killed.

Every execution leaves two lines in a log of its own process: that it begins, and that it has ended. At the end the log
is compared with the database.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from tests.faults.pools import side_effects
from tests.workshop import MISCOUNTED

from workroom import Registry
from workroom.actions.extensions.register import register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.client.portal import background
from workroom.store.queue_tables import extensions
from workroom.worker.postings.postgres_backend import extension_spec, open_postgres_backend

PATIENCE = 300.0
PART = 20
POLICIES = ("requeue", "requeue_unstarted", "fail")
RUNNING = "SELECT count(*) FROM job WHERE state NOT IN ('completed', 'failed', 'cancelled')"
FUNCTIONS = side_effects.__name__
Call = tuple[str, int]  # the policy and the number of a call


class Verdict(NamedTuple):
    """What became of the calls, by the database and by the log of side effects."""

    calls: int
    executions: int
    lost: int  # no job, or one that completed without an execution, or that failed for another reason than its loss
    doubled: int  # executed more often than its attempts, or again although its policy forbids it
    again: int  # executed again as its policy allows
    failed_as_lost: int
    attempts: dict[Call, int]

    def __str__(self) -> str:
        return (
            f"{self.calls:,} calls, {self.executions:,} executions: lost {self.lost}, doubled {self.doubled}, "
            f"run again as allowed {self.again}, failed as lost {self.failed_as_lost}"
        )


@dataclass
class Campaign:
    """Postings of each policy, under load: only under `requeue` may a job that has begun be run again."""

    url: str
    folder: Path
    backlog: int = 1_000
    postings: dict[str, list[UUID]] = field(default_factory=lambda: {policy: [] for policy in POLICIES})
    calls: int = 0  # of each policy, so far

    def goes_on(self) -> None:
        """Post more when little is left: there is work at all times, and not much at the end."""
        while self.sql(RUNNING)[0][0] < self.backlog:
            self.posts("side_effect", PART)

    def posts(self, function: str, count: int) -> None:
        """Calls of each policy, in turns, so that kills meet all of them."""
        numbers = range(self.calls, self.calls + count)
        self.calls += count
        for policy in POLICIES:
            arguments = [[str(self.folder), policy, number] for number in numbers]
            self.postings[policy].append(background().call(_posted(self.url, function, policy, arguments)))

    def sql(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode(), values).fetchall()

    def drains(self) -> None:
        wait_until(
            lambda: not self.sql(RUNNING)[0][0],
            lambda: str(self.sql("SELECT state::text, count(*) FROM job GROUP BY state")),
        )

    def traces(self, act: str) -> Counter[Call]:
        """How often each call has begun or ended."""
        lines = [line.split() for file in self.folder.glob("*.log") for line in file.read_text().splitlines()]
        return Counter((policy, int(number)) for done, policy, number in lines if done == act)

    def verdict(self) -> Verdict:
        begun, ended = self.traces("begun"), self.traces("ended")
        attempts: dict[Call, int] = {}
        doubled = again = failed = 0
        missing = {(policy, number) for policy in POLICIES for number in range(self.calls)}
        for policy, postings in self.postings.items():
            rows = self.sql(
                "SELECT (arguments #>> '{args,2}')::integer, state::text, attempt, losses, result, error ->> 'reason' "
                "FROM job WHERE posting_id = ANY (%s)",
                postings,
            )
            for number, state, attempt, losses, result, reason in rows:
                call = (policy, number)
                attempts[call] = attempt
                if state == "completed" and result == number and ended[call] >= 1:
                    missing.discard(call)
                elif state == "failed" and reason == "worker_lost" and losses == (3 if policy == "requeue" else 0):
                    missing.discard(call)
                    failed += 1
                doubled += begun[call] > (attempt if policy == "requeue" else 1)
                again += policy == "requeue" and 1 < begun[call] <= attempt
        assert self.sql(MISCOUNTED) == []
        return Verdict(
            calls=len(POLICIES) * self.calls,
            executions=begun.total(),
            lost=len(missing),
            doubled=doubled,
            again=again,
            failed_as_lost=failed,
            attempts=attempts,
        )


def wait_until(true: Callable[[], object], told: Callable[[], str] = str, within: float = PATIENCE) -> None:
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline, told()
        time.sleep(0.05)


async def _posted(url: str, function: str, policy: str, arguments: Sequence[Sequence[Any]]) -> UUID:
    desk = await open_postgres_backend(url)
    registered = (await register_extensions(desk.engine, [extension_spec(Registry[function])]))[0]
    async with desk.engine.database.connection() as connection:
        row = await extensions.get(connection, registered.id)
    assert row is not None
    packed = [{"args": list(each)} for each in arguments]
    return await post(desk.engine, row, packed, JobOptions(await desk.submitter(), on_worker_lost=policy))
