"""The log of jobs: a line for each, and counts in place of lines for many."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from workroom import logs
from workroom.domain.jobs.outcomes import Cancelled, Failed, Succeeded
from workroom.worker.execution.start_and_end_log import JobLog

JOB = UUID(int=7)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root, own = logging.getLogger(), logging.getLogger("workroom")
    handlers, levels = list(root.handlers), (root.level, own.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    own.setLevel(levels[1])


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_start_and_end_of_a_job_are_logged_with_its_duration_and_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    jobs = JobLog()
    jobs.started(JOB, "modifiers/Relax", 1, "lab")
    jobs.ended(JOB, "modifiers/Relax", 1, Failed({"type": "ValueError", "message": "too\nlong"}), 0.25, "lab")
    jobs.ended(JOB, "modifiers/Relax", 2, Cancelled(), 2.0)
    started, failed, cancelled = lines(capsys)
    assert (started["event"], started["job"], started["room"]) == ("job started", str(JOB), "lab")
    assert (failed["event"], failed["level"], failed["seconds"]) == ("job failed", "warning", 0.25)
    assert failed["error"] == "ValueError: too …"
    assert (cancelled["event"], cancelled["attempt"]) == ("job cancelled", 2)


def test_many_short_jobs_are_counted_and_long_ones_logged_each(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    jobs = JobLog(lines_per_second=5, summary_seconds=0.2)
    for _ in range(1_000):
        jobs.ended(JOB, "functions/add", 1, Succeeded(), 0.0001)
    for _ in range(8):
        jobs.ended(JOB, "functions/add", 1, Succeeded(), 3.0)
    found = lines(capsys)
    ended = [line for line in found if line["event"] == "job completed"]
    assert [line["seconds"] for line in ended][-8:] == [3.0] * 8
    deadline = time.monotonic() + 10
    while sum(line.get("jobs", 0) for line in found) + len(ended) < 1_008 and time.monotonic() < deadline:
        time.sleep(0.02)
        found += lines(capsys)
    assert sum(line["jobs"] for line in found if line["event"] == "more jobs completed") == 1_008 - len(ended)
    assert len(ended) < 30
