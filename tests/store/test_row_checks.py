"""The database itself refuses rows that cannot be, and moves that there are not, whoever writes them."""

from __future__ import annotations

import psycopg
import pytest
from tests.workshop import Workshop

from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.domain.errors import Conflict

_JOB = {
    "a final job without an end": "state = 'cancelled'",
    "an end of a job that goes on": "finished_at = now()",
    "a waiting job with a worker": "worker_id = gen_random_uuid()",
    "an assigned job without a worker": "state = 'assigned', attempt = 1, assigned_at = now()",
    "an assigned job without its time": "state = 'assigned', attempt = 1, worker_id = gen_random_uuid()",
    "a failed job that does not say why": "state = 'failed', finished_at = now()",
    "an error of a job that did not fail": "error = '{}'",
    "a result of a job that did not complete": "result = '1'",
    "a blocked job that waits for nothing": "state = 'blocked'",
    "a pending job that waits for others": "unmet_dependencies = 1",
    "a priority there is not": "priority = 11",
    "no tries at all": "tries = 0",
    "more failures than tries": "failures = tries + 1",
    "more losses than a job survives": "losses = 4",
    "an attempt before the first": "attempt = -1",
    "an empty idempotency key": "idempotency_key = ''",
    "an endless unique key": "unique_key = repeat('k', 201)",
}
_RUNNING_JOB = {
    "a running job that never started": "started_at = NULL",
    "a running job without a worker": "worker_id = NULL",
    "a start time of a job that runs": "run_at = now()",
}
_POSTING = {
    "a status there is not": "status = 'lost'",
    "an end of a posting that goes on": "finished_at = now()",
    "a posting that ended before its jobs": "status = 'completed', finished_at = now()",
    "an ended posting without an end": "status = 'completed', completed = total",
    "more jobs ended than there are": "completed = total + 1",
    "fewer than none": "failed = -1",
    "a priority there is not": "priority = -1",
    "too many tries": "tries = 101",
    "a time-out of nothing": "timeout_seconds = 0",
    "a back-off into the past": "backoff_base = -1",
    "a largest back-off into the past": "backoff_cap = -1",
    "an empty key": "unique_key = ''",
}
_WORKER = {
    "a kind there is not": "kind = 'robot'",
    "no slots": "capacity = 0",
    "gone without a reason": "ended_at = now(), attached = false",
    "a reason without being gone": "end_reason = 'lost'",
    "a reason there is not": "ended_at = now(), attached = false, end_reason = 'bored'",
    "gone but connected": "ended_at = now(), attached = true, end_reason = 'lost'",
}


async def _refuses(workshop: Workshop, table: str, change: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation) as refused:
        await workshop.sql(f"UPDATE {table} SET {change}")
    assert refused.value.diag.constraint_name == f"{table}_is_valid"


@pytest.mark.parametrize("change", _JOB.values(), ids=_JOB.keys())
async def test_a_job_that_cannot_be(workshop: Workshop, change: str) -> None:
    await workshop.pending_job(await workshop.extension())
    await _refuses(workshop, "job", change)


@pytest.mark.parametrize("change", _RUNNING_JOB.values(), ids=_RUNNING_JOB.keys())
async def test_a_running_job_that_cannot_be(workshop: Workshop, change: str) -> None:
    relax = await workshop.extension()
    await workshop.running_job(relax, await workshop.worker(relax))
    await _refuses(workshop, "job", change)


@pytest.mark.parametrize("change", _POSTING.values(), ids=_POSTING.keys())
async def test_a_posting_that_cannot_be(workshop: Workshop, change: str) -> None:
    await post(workshop.engine, await workshop.extension(), [{}, {}], JobOptions(workshop.person))
    await _refuses(workshop, "posting", change)


@pytest.mark.parametrize("change", _WORKER.values(), ids=_WORKER.keys())
async def test_a_worker_that_cannot_be(workshop: Workshop, change: str) -> None:
    await workshop.worker(await workshop.extension())
    await _refuses(workshop, "worker", change)


async def test_what_is_not_there_breaks_no_rule(workshop: Workshop) -> None:
    await post(workshop.engine, await workshop.extension(), [{}], JobOptions(workshop.person))
    await workshop.sql("UPDATE posting SET timeout_seconds = NULL, backoff_base = NULL, backoff_cap = NULL")
    await workshop.sql("UPDATE job SET idempotency_key = NULL, unique_key = NULL")


@pytest.mark.parametrize(
    "move",
    [
        "state = 'running', started_at = now()",  # not without an assignment
        "state = 'assigned', worker_id = gen_random_uuid(), assigned_at = now(), attempt = attempt + 2",
        "attempt = attempt + 1",  # without an assignment
    ],
)
async def test_a_move_that_there_is_not(workshop: Workshop, move: str) -> None:
    await workshop.pending_job(await workshop.extension())
    whole = "worker_id = gen_random_uuid(), assigned_at = now(), attempt = 1, " if "running" in move else ""
    with pytest.raises(Conflict):
        await workshop.sql(f"UPDATE job SET {whole}{move}")


async def test_a_final_job_never_changes(workshop: Workshop) -> None:
    relax = await workshop.extension()
    await workshop.completed_job(relax, await workshop.worker(relax))
    for change in ("state = 'pending', finished_at = NULL, worker_id = NULL", "attempt = attempt + 1", "priority = 9"):
        with pytest.raises(Conflict):
            await workshop.sql(f"UPDATE job SET {change}")
