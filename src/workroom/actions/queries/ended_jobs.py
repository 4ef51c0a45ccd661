"""Read how many jobs ended over the last days, and how long they took."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, floor

from workroom.actions.engine import Engine
from workroom.domain.jobs.ended_job_counts import EndedJobs
from workroom.domain.jobs.job_filter import JobFilter
from workroom.store.queue_tables import ended_job_counts, job_list
from workroom.store.queue_tables.ended_job_counts import HistoryRow
from workroom.store.queue_tables.postings import PostingRow

_MOST_EXTENSIONS = 20
_HOUR = 3_600
_POSTING_STEPS = 200  # in the chart of a posting
_MOST_COUNTED_JOBS = 100_000


@dataclass(frozen=True, slots=True)
class JobHistory:
    since: datetime
    step_seconds: int
    steps: list[HistoryRow]  # oldest first; none for a step without ended jobs
    extensions: list[HistoryRow]  # the busiest first


async def job_history(
    engine: Engine,
    *,
    days: float,
    room: str | None = None,
    category: str | None = None,
    name: str | None = None,
    search: str | None = None,
) -> JobHistory:
    """The jobs that ended in the last days, in a room or in all, in steps of one hour to one day."""
    step, since = _steps(days)
    of = {"room": room, "category": category, "name": name, "search": search}
    async with engine.database.connection() as connection:
        steps = await ended_job_counts.by_time(connection, since=since, step_seconds=step, **of)
        extensions = await ended_job_counts.by_extension(connection, since=since, limit=_MOST_EXTENSIONS, **of)
    return JobHistory(since, step, steps, extensions)


async def history_of_jobs(engine: Engine, jobs: JobFilter, *, days: float) -> JobHistory:
    """The same of the jobs that match a filter, counted from the jobs that are kept."""
    step, since = _steps(days)
    return await _counted(engine, jobs, since=since, step=step)


async def history_of_posting(engine: Engine, posting: PostingRow) -> JobHistory | None:
    """The same of a posting, over its whole life; none for one that is too large to be counted."""
    if posting.total + posting.duplicates > _MOST_COUNTED_JOBS:
        return None
    lived = (posting.finished_at or datetime.now(UTC)) - posting.created_at
    step = max(1, ceil(lived.total_seconds() / _POSTING_STEPS))
    since = datetime.fromtimestamp(floor(posting.created_at.timestamp() / step) * step, UTC)
    return await _counted(engine, JobFilter(posting_id=posting.id), since=since, step=step)


async def _counted(engine: Engine, jobs: JobFilter, *, since: datetime, step: int) -> JobHistory:
    async with engine.database.connection() as connection:
        found = await job_list.ended_counts(
            connection, jobs, since=since, step_seconds=step, examined=_MOST_COUNTED_JOBS
        )
    steps: dict[datetime, EndedJobs] = {}
    extensions: dict[tuple[str, str, str], EndedJobs] = {}
    for one in found:
        for ended in (
            steps.setdefault(one.at, EndedJobs()),
            extensions.setdefault((one.scope, one.category, one.name), EndedJobs()),
        ):
            setattr(ended, one.state, getattr(ended, one.state) + one.jobs)
            if one.wait_bucket is not None and one.run_bucket is not None:
                ended.waits[one.wait_bucket] += one.jobs
                ended.runs[one.run_bucket] += one.jobs
    busiest = sorted(extensions.items(), key=lambda one: (-one[1].completed - one[1].failed, one[0]))[:_MOST_EXTENSIONS]
    return JobHistory(
        since,
        step,
        [_row(ended, at=at) for at, ended in sorted(steps.items())],
        [_row(ended, of=of) for of, ended in busiest],
    )


def _row(ended: EndedJobs, *, at: datetime | None = None, of: tuple[str, str, str] | None = None) -> HistoryRow:
    scope, category, name = of or (None, None, None)
    return HistoryRow(
        at, scope, category, name, ended.completed, ended.failed, ended.cancelled, ended.waits, ended.runs
    )


def _steps(days: float) -> tuple[int, datetime]:
    """The length of a step, and when the first one begins."""
    step = _step_seconds(days)
    now = datetime.now(UTC).timestamp()
    return step, datetime.fromtimestamp(now - now % step, UTC) - timedelta(days=days)


def _step_seconds(days: float) -> int:
    """Steps that give a chart of at most 200 points."""
    return next((hours * _HOUR for hours in (1, 3, 6) if days * 24 / hours <= 200), 24 * _HOUR)
