"""Statements on a job's way stay quick however many jobs there have been, also those planned while there were none."""

from __future__ import annotations

import re

import pytest
from tests.workshop import Workshop

from workroom.store.queue_tables import jobs, postings

# Whatever a job goes through between its submission and its end.
_ON_THE_WAY = [
    "_submit",
    "_post",
    "_submit_many",
    "_reserve_turns",
    "_find_by_key",
    "_claim",
    "_claim_others",
    "_claim_remote",
    "_start",
    "_succeed",
    "_succeed_at_once",
    "_succeed_alone",
    "_fail",
    "_confirm_cancel",
    "_give_back",
    "_unblock",
    "_abandon",
    "_progress",
    "_get",
    "_stand",
]
_SCAN = re.compile(r"(Seq Scan|Bitmap Heap Scan|Index (?:Only )?Scan using \w+) on job\b")


@pytest.mark.parametrize("name", _ON_THE_WAY)
async def test_a_statement_on_a_jobs_way_looks_jobs_up(workshop: Workshop, name: str) -> None:
    """Its plan, made on an empty table and for any values, reads no index of jobs from end to end."""
    statement = getattr(jobs, name, None) or getattr(postings, name)
    async with workshop.engine.database.connection() as connection:
        if connection.info.server_version < 160_000:
            pytest.skip("this PostgreSQL cannot tell its plan for any values")
        # The simple protocol: the values stay open.
        answer = connection.pgconn.exec_(b"EXPLAIN (GENERIC_PLAN, COSTS OFF) " + statement.query)
    plan = [(answer.get_value(row, 0) or b"").decode() for row in range(answer.ntuples)]
    assert plan, (answer.error_message or b"").decode()
    read_whole = [
        line.strip()
        for line, below in zip(plan, [*plan[1:], ""], strict=True)
        if _SCAN.search(line) and "Index Cond" not in below
    ]
    assert read_whole == [], "\n".join(plan)
