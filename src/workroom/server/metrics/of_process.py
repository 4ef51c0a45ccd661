"""Metrics of one server process."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
)

from workroom import __version__
from workroom.actions.events import Event, JobsMoved
from workroom.domain.ids import made_at
from workroom.domain.jobs.latency import RUN, WAIT, LatencyCounts
from workroom.domain.jobs.states import State
from workroom.server.background_service import BackgroundService
from workroom.server.metrics.metric_family import Family, collected, counter, gauge
from workroom.store.database import Database
from workroom.upkeep import Maintainer

_registry = CollectorRegistry()
ProcessCollector(registry=_registry)
PlatformCollector(registry=_registry)
Info("workroom_build", "The version of Workroom.", registry=_registry).info({"version": __version__})
_requests = Histogram(
    "workroom_request_seconds",
    "Time to the start of the response. The route is its template, and `other` for files and unknown paths.",
    ["method", "route", "status"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
    registry=_registry,
)
_sign_ins = Counter(
    "workroom_sign_ins",
    "Sign-ins by method (`password`, `guest`, `code`, `oidc`, `header`, `token`, `old password`) and outcome.",
    ["method", "outcome"],
    registry=_registry,
)
_lag = Gauge(
    "workroom_event_loop_lag_seconds",
    "How much later than planned the event loop ran a task, the most of the last ten seconds.",
    registry=_registry,
)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


# Cached, because the look-up of a label takes longer than the increment.
@cache
def _request_histogram(method: str, route: str, hundreds: int) -> Histogram:
    return _requests.labels(method, route, f"{hundreds}xx")


def observe_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request. Only methods and routes of the server become labels: a client cannot add series."""
    _request_histogram(method if method in _METHODS else "other", route, status // 100).observe(seconds)


def count_sign_in(method: str, outcome: str) -> None:
    _sign_ins.labels(method, outcome).inc()


def _disk(data: Path) -> list[Family]:
    try:
        usage = shutil.disk_usage(data)
    except OSError:
        return []
    return [
        gauge("workroom_data_disk_free_bytes", "Free space of the disk with the data folder.", ({}, usage.free)),
        gauge("workroom_data_disk_used_bytes", "Used space of the disk with the data folder.", ({}, usage.used)),
    ]


def families(sockets: int, upkeep: Maintainer, database: Database, data: Path) -> list[Family]:
    statistics = database.stats()

    def number(name: str) -> float:
        return float(statistics.get(name, 0))

    return [
        *collected(_registry),
        *_disk(data),
        gauge("workroom_sockets", "Open sockets.", ({}, sockets)),
        gauge(
            "workroom_upkeep_leads",
            "Whether this process does the upkeep.",
            ({}, upkeep.leads.is_set()),
        ),
        gauge(
            "workroom_database_connections",
            "Connections to the database by state.",
            ({"state": "idle"}, number("pool_available")),
            ({"state": "busy"}, number("pool_size") - number("pool_available")),
        ),
        gauge("workroom_database_connections_max", "The setting `connections`.", ({}, number("pool_max"))),
        gauge("workroom_database_requests_waiting", "Tasks that wait for one.", ({}, number("requests_waiting"))),
        counter("workroom_database_requests", "Uses of a connection of the pool.", ({}, number("requests_num"))),
        counter(
            "workroom_database_wait_seconds",
            "Time that tasks have waited for a connection.",
            ({}, number("requests_wait_ms") / 1000),
        ),
        counter(
            "workroom_database_connection_errors", "Failed attempts to connect.", ({}, number("connections_errors"))
        ),
    ]


class LoopLag(BackgroundService):
    """Measures how late the event loop runs its tasks."""

    name = "loop lag"
    pause = 0.0

    def __init__(self) -> None:
        super().__init__()
        self._recent: list[float] = []

    async def run_once(self) -> None:
        loop = asyncio.get_running_loop()
        planned = loop.time() + 1.0
        await asyncio.sleep(1.0)
        self._recent = [*self._recent[-9:], max(0.0, loop.time() - planned)]
        _lag.set(max(self._recent))


def observe_events(counts: LatencyCounts, events: Sequence[Event]) -> None:
    """Count how long the jobs that this server has assigned waited and ran. Pools count their own."""
    for event in events:
        if not isinstance(event, JobsMoved):
            continue
        for job in event.jobs:
            if job.started_at is None:
                continue
            if job.state == State.RUNNING:
                counts.add(WAIT, max(0.0, job.started_at.timestamp() - made_at(job.id)))
            elif job.finished_at is not None:
                counts.add(RUN, max(0.0, (job.finished_at - job.started_at).total_seconds()))
