"""The checker of the soak finds what it must find, and a minute of chaos leaves nothing to find."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.acceptance.live import ROOT
from tests.soak.checker import Verdict, check_executions, check_ledger, check_writes
from tests.soak.load import Ledger

JOB, OTHER = uuid4(), uuid4()


def _row(job: UUID = JOB, state: str = "completed", attempt: int = 1, policy: str = "fail", **more: Any) -> Any:
    return (job, more.get("posting"), state, attempt, more.get("result", "token"), policy, "Once")


def _runs(*runs: tuple[int, str]) -> list[list[str]]:
    """Executions of the job: attempt and token, or no token if it did not return."""
    begun = [["begun", str(JOB), str(attempt), "-"] for attempt, _ in runs]
    return begun + [["ended", str(JOB), str(attempt), token] for attempt, token in runs if token]


def test_an_acknowledged_job_that_is_not_stored_is_lost() -> None:
    verdict = Verdict()
    check_ledger(verdict, Ledger(jobs={str(JOB), str(OTHER)}, postings={JOB: 2}), [_row(posting=JOB)])
    assert verdict.lost == [str(OTHER), f"1 of 2 calls of {JOB}"]


def test_a_job_that_has_not_ended_is_stuck() -> None:
    verdict = Verdict()
    check_ledger(verdict, Ledger(), [_row(state="assigned"), _row(OTHER)])
    assert verdict.stuck == [f"Once {JOB} is assigned"]


@pytest.mark.parametrize(
    ("row", "runs", "doubled", "stale"),
    [
        (_row(), _runs((1, "token")), 0, 0),
        (_row(policy="requeue", attempt=2), _runs((1, ""), (2, "token")), 0, 0),
        (_row(attempt=2), _runs((1, ""), (2, "token")), 1, 0),
        (_row(policy="requeue"), _runs((1, ""), (1, "token")), 1, 0),
        (_row(policy="requeue", attempt=2), _runs((1, "token"), (2, "other")), 0, 1),
        (_row(), [], 0, 1),
    ],
    ids=["once", "again as allowed", "again though forbidden", "one attempt twice", "stale result", "never executed"],
)
def test_the_log_of_executions_shows_what_ran_twice_or_came_late(
    row: Any, runs: list[list[str]], doubled: int, stale: int
) -> None:
    verdict = Verdict()
    check_executions(verdict, [row], runs)
    assert (len(verdict.doubled), len(verdict.stale)) == (doubled, stale)


def test_a_write_of_an_older_lock_or_attempt_is_stale() -> None:
    verdict = Verdict()
    check_writes(verdict, [1, 2, 2, 1], [{"job": "a", "attempt": n} for n in (1, 2, 1)])
    assert len(verdict.stale) == 2 and not verdict.is_clean


@pytest.mark.full
def test_a_minute_of_random_faults_leaves_nothing_lost_doubled_stale_or_stuck() -> None:
    command = [sys.executable, "-m", "tests.soak", "--minutes", "1"]
    soak = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=420)
    print(soak.stdout)
    assert soak.returncode == 0, soak.stdout + soak.stderr
