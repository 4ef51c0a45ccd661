"""Statements on a job's way stay quick however many jobs there have been, also those planned while there were none."""

from __future__ import annotations

import re

import pytest
from psycopg.sql import SQL
from tests.store.statement_list import statements
from tests.workshop import Workshop

_FREQUENT = {statement.name: statement for statement in statements() if statement.frequent}
# What runs for each job, or for each batch of them, from its submission to its end.
_FOR_EACH_JOB = frozenset({
    "extension/find", "extension/lock", "room/load_access", "job/submit", "job/submit_assigned", "job/insert_chunk",
    "posting/post", "posting/post_assigned", "posting/count_ended_jobs", "worker/next_idle", "worker/add_throughput",
    "job/claim", "job/claim_one", "job/start", "job/complete", "job/complete_one", "job/fail",
    "latency/add", "history/add",
})  # fmt: skip
# Autovacuum may have looked at tables that earlier tests emptied. In a new database it has not.
_FORGET_SIZES = SQL("""
    UPDATE pg_class SET relpages = 0, reltuples = -1
    WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace""")
_SCAN = re.compile(r"(Seq Scan|Bitmap Heap Scan|Index (?:Only )?Scan using \w+) on job\b")


def test_the_statements_of_every_job_are_marked_as_frequent() -> None:
    assert _FOR_EACH_JOB - _FREQUENT.keys() == set()


async def _generic_plan(workshop: Workshop, name: str) -> list[str]:
    """The plan of a statement in a new database, for any values."""
    async with workshop.engine.database.connection() as connection, connection.transaction(force_rollback=True):
        if connection.info.server_version < 160_000:
            pytest.skip("this PostgreSQL cannot tell its plan for any values")
        await connection.execute(_FORGET_SIZES)
        # The simple protocol: the values stay open.
        answer = connection.pgconn.exec_(b"EXPLAIN (GENERIC_PLAN, COSTS OFF) " + _FREQUENT[name].query)
    plan = [(answer.get_value(row, 0) or b"").decode() for row in range(answer.ntuples)]
    assert plan, (answer.error_message or b"").decode()
    return plan


@pytest.mark.parametrize("name", sorted(_FREQUENT))
async def test_a_statement_on_a_jobs_way_looks_jobs_up(workshop: Workshop, name: str) -> None:
    """Its plan, made on an empty table and for any values, reads no index of jobs from end to end."""
    plan = await _generic_plan(workshop, name)
    read_whole = [
        line.strip()
        for line, below in zip(plan, [*plan[1:], ""], strict=True)
        if _SCAN.search(line) and "Index Cond" not in below
    ]
    assert read_whole == [], "\n".join(plan)


@pytest.mark.parametrize("name", ["job/submit", "job/reserve_turns", "posting/post"])
async def test_the_last_turn_of_a_queue_is_one_lookup(workshop: Workshop, name: str) -> None:
    """However many submitters the queue has had."""
    plan = [line.strip() for line in await _generic_plan(workshop, name)]
    reads = [place for place, line in enumerate(plan) if re.search(r"Scan .*on fair_turn\b", line)]
    assert [plan[place] for place in reads] == ["->  Index Only Scan Backward using fair_turn_last on fair_turn"]
    assert plan[reads[0] - 1] == "->  Limit"
