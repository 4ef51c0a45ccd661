"""Metrics that are read from the database, and so are the same at every server."""

from __future__ import annotations

import time
from collections.abc import Iterator

from workroom.actions.queries.overview import Overview
from workroom.domain.ids import made_at
from workroom.domain.jobs.latency import BOUNDS, RUN, WAIT
from workroom.server.metrics.metric_family import Family, counter, gauge, histogram
from workroom.store.queue_tables.extensions import WaitingQueue

_ENDS = ("completed", "failed", "cancelled")
# Each queue is a time series for ever. Of more queues than this, the fullest are listed.
_MOST_QUEUES = 100


def families(overview: Overview) -> Iterator[Family]:
    jobs, queues = overview.jobs, overview.queues
    now = time.time()
    yield gauge(
        "workroom_jobs",
        "Unfinished jobs by state; assigned and running ones are active.",
        *(({"state": state}, count) for state, count in jobs.items() if state not in _ENDS),
    )
    yield counter("workroom_jobs_submitted", "Jobs and calls of postings ever submitted.", ({}, sum(jobs.values())))
    yield counter(
        "workroom_jobs_ended",
        "Jobs and calls of postings ever ended, by their last state. Calls that pools run are counted too.",
        *(({"state": state}, jobs[state]) for state in _ENDS),
    )
    yield gauge(
        "workroom_queue_jobs",
        f"Unfinished jobs of a queue by state, of the {_MOST_QUEUES} fullest queues.",
        *(
            (_labels(queue) | {"state": state}, count)
            for queue in queues[:_MOST_QUEUES]
            for state, count in (("pending", queue.pending), ("active", queue.active))
        ),
    )
    waits = [(queue, now - made_at(queue.oldest)) for queue in queues if queue.oldest is not None]
    yield gauge(
        "workroom_oldest_waiting_job_seconds",
        "How long the job has waited that waits longest, among the first hundred in line of each queue and priority.",
        ({}, max((seconds for _, seconds in waits), default=0.0)),
    )
    yield gauge(
        "workroom_queue_oldest_waiting_job_seconds",
        f"The same for a queue, of the {_MOST_QUEUES} fullest queues.",
        *((_labels(queue), seconds) for queue, seconds in waits[:_MOST_QUEUES]),
    )
    yield gauge(
        "workroom_workers",
        "Workers by kind and state; one that is away may still reconnect.",
        *(({"kind": kind, "state": state}, count) for kind, state, count in overview.workers),
    )
    yield gauge("workroom_servers", "Server processes on the database.", ({}, overview.facts.servers))
    yield gauge("workroom_upkeep_leaders", "Servers and pools that do the upkeep; one.", ({}, overview.facts.leaders))
    yield gauge("workroom_database_size_bytes", "Bytes of the database on disk.", ({}, overview.facts.bytes))
    yield _latency(overview, WAIT, "workroom_job_wait_seconds", "Time from the submission to the start of a job.")
    yield _latency(overview, RUN, "workroom_job_run_seconds", "Time from the start to the end of a job.")


def _labels(queue: WaitingQueue) -> dict[str, str]:
    return {"room": queue.room or "", "category": queue.category, "extension": queue.name}


def _latency(overview: Overview, kind: str, name: str, help: str) -> Family:
    counts = dict.fromkeys(BOUNDS, 0)
    for count in overview.latencies:
        if count.kind == kind:
            counts[count.bound] = count.jobs
    seconds = sum(count.seconds for count in overview.latencies if count.kind == kind)
    return histogram(name, help, sorted(counts.items()), seconds)
