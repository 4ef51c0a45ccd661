"""The event `job:state_changed` has the fields and formats of a job in REST responses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.jobs.states import State
from workroom.server.realtime.transport.socket_json import OrjsonSocketCodec
from workroom.server.serializers import jobs
from workroom.store.queue_tables.job_rows import JobSummary

_MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))
_SUMMARIES = st.builds(
    JobSummary,
    id=st.uuids(),
    extension_id=st.integers(1, 99),
    scope=st.sampled_from(["room", "global", "builtin"]),
    category=st.text(),
    name=st.text(),
    room=st.none() | st.text(),
    posting_id=st.none() | st.uuids(),
    state=st.sampled_from(State) | st.sampled_from([str(state) for state in State]),
    priority=st.integers(0, 10),
    attempt=st.integers(0, 2**31 - 1),
    tries_left=st.integers(0, 100),
    submitter=st.uuids(),
    submitter_name=st.none() | st.text(),
    worker_id=st.none() | st.uuids(),
    retry_of=st.none() | st.uuids(),
    created_at=_MOMENTS,
    run_at=st.none() | _MOMENTS | st.just(datetime.max.replace(tzinfo=UTC)),
    assigned_at=st.none() | _MOMENTS,
    started_at=st.none() | _MOMENTS,
    finished_at=st.none() | _MOMENTS,
    cancel_requested_at=st.none() | _MOMENTS,
    fraction=st.none() | st.floats(0, 1),
    message=st.none() | st.text(),
)


def _parsed(text: str | bytes) -> dict[str, Any]:
    return orjson.loads(text)


@given(row=_SUMMARIES)
def test_the_event_equals_the_rest_body(row: JobSummary) -> None:
    rest_body = jobs.job_brief(row).model_dump_json(by_alias=True)
    assert _parsed(OrjsonSocketCodec.dumps(jobs.job_event(row))) == _parsed(rest_body)


@pytest.mark.parametrize("seconds", [0, 0.000001, 0.5, 90_000])
def test_durations_are_in_milliseconds(seconds: float) -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    row = JobSummary(
        uuid4(), 1, "room", "modifiers", "Relax", "lab", None, "completed", 5, 1, 3, uuid4(), "ada", None, None,
        moment, None, moment, moment, moment + timedelta(seconds=seconds), None, None, None,
    )  # fmt: skip
    assert jobs.job_event(row)["executionTimeMs"] == pytest.approx(seconds * 1000, abs=0.001)
