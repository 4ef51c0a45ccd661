"""Figures for Prometheus: what only the database knows is read when asked; what passes through is counted."""

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

_moves = Counter("workroom_job_moves", "Moves of jobs into a state.", ["state"], registry=registry)
_jobs = Gauge("workroom_jobs", "Jobs by state; ended ones ever.", ["state"], registry=registry)
_workers = Gauge("workroom_workers", "Workers online, by kind.", ["kind"], registry=registry)
_sockets = Gauge("workroom_sockets", "Open sockets.", registry=registry)
_pool = Gauge("workroom_database_connections", "Database connections of this server.", ["which"], registry=registry)
_requests = Histogram("workroom_request_seconds", "Time to answer a request.", ["method", "status"], registry=registry)
_waits = Histogram(
    "workroom_job_wait_seconds",
    "Time from submission to start of a job.",
    buckets=(0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3600),
    registry=registry,
)
_runs = Histogram(
    "workroom_job_run_seconds",
    "Time from start to end of a job that completed.",
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3600, 86400),
    registry=registry,
)


# Finding the figure with a label takes longer than counting in it.
@cache
def _moved(state: str) -> Counter:
    return _moves.labels(state)


@cache
def _answered(method: str, hundreds: int) -> Histogram:
    return _requests.labels(method, f"{hundreds}xx")


def saw_request(method: str, status: int, seconds: float) -> None:
    _answered(method, status // 100).observe(seconds)


def saw_events(events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, JobsMoved):
            for job in event.jobs:
                _moved(job.state).inc(job.jobs)
                _timed(job)
        elif isinstance(event, JobSubmitted):
            _moved(event.job.state).inc()
        elif isinstance(event, JobsAssigned):
            _moved("assigned").inc(len(event.jobs))


def _timed(job: Transition) -> None:
    if job.started_at is None:
        return
    if job.state == State.RUNNING:
        _waits.observe(max(0.0, job.started_at.timestamp() - made_at(job.id)))
    elif job.finished_at is not None:
        _runs.observe((job.finished_at - job.started_at).total_seconds())


def count_sockets(count: Callable[[], int]) -> None:
    """How many are open is asked for with every page."""
    _sockets.set_function(count)


async def page(context: ServerContext) -> bytes:
    figures = await overview.totals(context.engine)
    for state, count in figures.jobs.items():
        _jobs.labels(state).set(count)
    _workers.clear()
    for kind, count in figures.workers.items():
        _workers.labels(kind).set(count)
    for which, count in context.engine.database.stats().items():
        _pool.labels(which).set(count)
    return generate_latest(registry)
