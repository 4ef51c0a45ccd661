"""Compares what was acknowledged, what was executed and what the database holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from uuid import UUID

import psycopg

from tests.soak.load import Ledger
from tests.workshop import MISCOUNTED

UNFINISHED = "SELECT count(*) FROM job WHERE state NOT IN ('completed', 'failed', 'cancelled')"
_JOBS = """
    SELECT job.id, job.posting_id, job.state::text, job.attempt, job.result, job.on_worker_lost, extension.name
    FROM job JOIN extension ON extension.id = job.extension_id
"""
_WRITTEN = """
    SELECT value.after FROM change_value AS value
    JOIN change ON change.id = change_id JOIN room ON room.number = change.room
    WHERE room.name = %s ORDER BY change.revision
"""


@dataclass
class Verdict:
    """What must not be: each list names the jobs or writes concerned."""

    lost: list[str] = field(default_factory=list[str])  # acknowledged, but not in the database
    doubled: list[str] = field(default_factory=list[str])  # an attempt ran twice, or a job again that may not
    stale: list[str] = field(default_factory=list[str])  # an outcome or a write of an attempt or a lock that was over
    stuck: list[str] = field(default_factory=list[str])  # not ended although everything was healed
    miscounted: list[str] = field(default_factory=list[str])  # counters that differ from the rows
    jobs: int = 0

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.stale or self.stuck or self.miscounted)

    def __str__(self) -> str:
        kinds = ("lost", "doubled", "stale", "stuck", "miscounted")
        counts = ", ".join(f"{kind} {len(getattr(self, kind))}" for kind in kinds)
        examples = [f"\n  {kind}: {one}" for kind in kinds for one in getattr(self, kind)[:5]]
        return f"{self.jobs:,} jobs: {counts}{''.join(examples)}"


def check(url: str, ledger: Ledger, executions: list[list[str]]) -> Verdict:
    verdict = Verdict()
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute(_JOBS.encode()).fetchall()
        verdict.miscounted = [str(row) for row in connection.execute(MISCOUNTED.encode()).fetchall()]
        fences = [row[0]["fence"] for row in connection.execute(_WRITTEN.encode(), ["locks"]).fetchall()]
        writes = [row[0] for row in connection.execute(_WRITTEN.encode(), ["lab"]).fetchall()]
    verdict.jobs = len(rows)
    check_ledger(verdict, ledger, rows)
    check_executions(verdict, rows, executions)
    check_writes(verdict, fences, writes)
    return verdict


def check_ledger(verdict: Verdict, ledger: Ledger, rows: list[tuple[Any, ...]]) -> None:
    stored = {str(row[0]) for row in rows}
    calls: Counter[UUID] = Counter(row[1] for row in rows if row[1] is not None)
    verdict.lost += sorted(ledger.jobs - stored)
    verdict.lost += [
        f"{calls[posting]} of {total} calls of {posting}"
        for posting, total in ledger.postings.items()
        if calls[posting] < total
    ]
    verdict.stuck += [
        f"{row[6]} {row[0]} is {row[2]}" for row in rows if row[2] not in ("completed", "failed", "cancelled")
    ]


def check_executions(verdict: Verdict, rows: list[tuple[Any, ...]], executions: list[list[str]]) -> None:
    begun: defaultdict[str, list[int]] = defaultdict(list)
    tokens: dict[str, tuple[str, int]] = {}
    for act, job_id, attempt, token in executions:
        if act == "begun":
            begun[job_id].append(int(attempt))
        else:
            tokens[token] = (job_id, int(attempt))
    for job, posting, state, attempt, result, policy, name in rows:
        runs = begun[str(job)]
        # The claim of a call that may run again is not flushed: PostgreSQL may forget it in a crash, and its number.
        if posting is None and len(runs) != len(set(runs)):
            verdict.doubled.append(f"{name} {job}: an attempt ran twice, {sorted(runs)}")
        if policy != "requeue" and len(runs) > 1:
            verdict.doubled.append(f"{name} {job}: ran {len(runs)} times under {policy}")
        if state == "completed" and name != "Ignored" and tokens.get(result) != (str(job), attempt):
            verdict.stale.append(f"{name} {job}: attempt {attempt} has the result of {tokens.get(result)}")


def check_writes(verdict: Verdict, fences: list[int], writes: list[dict[str, Any]]) -> None:
    """An older lock never writes after a newer one, and an older attempt never after a newer one of its job."""
    verdict.stale += [
        f"lock {later} wrote after lock {earlier}" for earlier, later in pairwise(fences) if later < earlier
    ]
    newest: dict[str, int] = {}
    for write in writes:
        if write["attempt"] < newest.get(write["job"], 0):
            verdict.stale.append(f"attempt {write['attempt']} of {write['job']} wrote after a newer one")
        newest[write["job"]] = max(write["attempt"], newest.get(write["job"], 0))
