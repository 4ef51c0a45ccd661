"""Prometheus metrics. Counters and histograms are updated by events; gauges are read from the database on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from workroom.actions.events import Event, JobsAssigned, JobsMoved, JobSubmitted
from workroom.actions.queries import overview
from workroom.domain.ids import made_at
from workroom.domain.jobs.states import State
from workroom.server.context import ServerContext
from workroom.store.queue_tables.job_rows import Transition

CONTENT_TYPE = CONTENT_TYPE_LATEST
registry = CollectorRegistry()

_moves = Counter(
    "workroom_job_moves",
    "Moves of jobs into a state: ends of all jobs, from the database; other moves of jobs that the server assigns.",
    ["state"],
    registry=registry,
)
_jobs = Gauge("workroom_jobs", "Jobs by state; ended ones ever.", ["state"], registry=registry)
_workers = Gauge("workroom_workers", "Workers online, by kind.", ["kind"], registry=registry)
_sockets = Gauge("workroom_sockets", "Open sockets.", registry=registry)
_pool = Gauge("workroom_database_connections", "Database connections of this server.", ["which"], registry=registry)
_requests = Histogram(
    "workroom_request_seconds", "Time to the start of the response.", ["method", "status"], registry=registry
)
_waits = Histogram(
    "workroom_job_wait_seconds",
    "Time from submission to start of a job; calls that pools run are not in it.",
    buckets=(0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3600),
    registry=registry,
)
_runs = Histogram(
    "workroom_job_run_seconds",
    "Time from start to end of a job that completed; calls that pools run are not in it.",
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3600, 86400),
    registry=registry,
)


# Cached, because the look-up of a label takes longer than the increment.
@cache
def _transition_counter(state: str) -> Counter:
    return _moves.labels(state)


@cache
def _request_histogram(method: str, hundreds: int) -> Histogram:
    return _requests.labels(method, f"{hundreds}xx")


def observe_request(method: str, status: int, seconds: float) -> None:
    _request_histogram(method, status // 100).observe(seconds)


def observe_events(events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, JobsMoved):
            for job in event.jobs:
                if job.state not in _ENDS:
                    _transition_counter(job.state).inc(job.jobs)
                _observe_times(job)
        elif isinstance(event, JobSubmitted):
            _transition_counter(event.job.state).inc()
        elif isinstance(event, JobsAssigned):
            _transition_counter("assigned").inc(len(event.jobs))


def _observe_times(job: Transition) -> None:
    if job.started_at is None:
        return
    if job.state == State.RUNNING:
        _waits.observe(max(0.0, job.started_at.timestamp() - made_at(job.id)))
    elif job.finished_at is not None:
        _runs.observe((job.finished_at - job.started_at).total_seconds())


def _count_ends(state: str, count: int) -> None:
    """Pools end jobs without the server, so the database counts ends. A removed extension lowers its count."""
    _transition_counter(state).inc(max(0, count - _ends_seen.get(state, 0)))
    _ends_seen[state] = count


_ENDS = frozenset({State.COMPLETED, State.FAILED, State.CANCELLED})
_ends_seen: dict[str, int] = {}


def set_socket_count(count: Callable[[], int]) -> None:
    """Register the function that counts open sockets for each scrape."""
    _sockets.set_function(count)


async def render(context: ServerContext) -> bytes:
    totals = await overview.totals(context.engine)
    for state, count in totals.jobs.items():
        _jobs.labels(state).set(count)
        if state in _ENDS:
            _count_ends(state, count)
    _workers.clear()
    for kind, count in totals.workers.items():
        _workers.labels(kind).set(count)
    for which, count in context.engine.database.stats().items():
        _pool.labels(which).set(count)
    return generate_latest(registry)
