"""The rate of a posting counts the jobs that ran."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from workroom.server.realtime.posting_rate import PostingRates
from workroom.store.queue_tables.postings import PostingRow


def _posting(**fields: Any) -> PostingRow:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    values: dict[str, Any] = dict.fromkeys(PostingRow._fields) | {
        "id": UUID(int=1),
        "total": 100,
        "completed": 0,
        "failed": 0,
        "cancelled": 0,
        "created_at": start,
        "finished_at": start + timedelta(seconds=10),
    }
    return PostingRow(**(values | fields))


def test_cancelled_jobs_that_never_ran_are_no_rate() -> None:
    assert PostingRates().rate(_posting(status="cancelled", cancelled=100)) is None
    assert PostingRates().rate(_posting(status="cancelled", completed=20, failed=10, cancelled=70)) == 3.0


def test_a_paused_posting_has_no_rate() -> None:
    rates = PostingRates()
    assert rates.rate(_posting(status="executing", completed=20, finished_at=None))
    assert rates.rate(_posting(status="paused", completed=20, finished_at=None)) is None
