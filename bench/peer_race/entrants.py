"""The queues of the race, in the order in which they run."""

from __future__ import annotations

from typing import NamedTuple

FAST, SLOW = 50_000, 5_000


class Entrant(NamedTuple):
    name: str
    packages: tuple[str, ...]  # from the index; none: this tree
    server: str  # redis, postgresql or dask
    tasks: int  # of the full size
    settings: str

    @property
    def title(self) -> str:
        return TITLES.get(self.name, self.name)


TITLES = {"celery": "Celery", "dask": "Dask", "dramatiq": "Dramatiq", "huey": "Huey", "pgqueuer": "PgQueuer"} | {
    "rq": "RQ",
    "workroom": "Workroom",
}
_UVLOOP = "uvloop>=0.21"

_100_TASKS = "2 processes of 100 tasks on uvloop, queued 50 at once"
_BATCHES = "asyncpg on uvloop, 2 processes, batches of 200, queued 10,000 in one call"

ENTRANTS = (
    Entrant("workroom", (), "postgresql", FAST, "2 pool processes; results kept, a tenth of the calls profiled"),
    Entrant("celery", ("celery[redis]>=5.5",), "redis", SLOW, "prefork, concurrency 2, prefetch 200, no gossip"),
    Entrant("dramatiq", ("dramatiq[redis]>=2",), "redis", SLOW, "2 processes of 8 threads"),
    Entrant("rq", ("rq>=2.6",), "redis", SLOW, "2 SimpleWorkers (no fork), queued 1,000 in one call"),
    Entrant("arq", ("arq>=0.26", _UVLOOP), "redis", SLOW, f"{_100_TASKS}, poll_delay 10 ms"),
    Entrant("taskiq", ("taskiq>=0.11", "taskiq-redis>=1", _UVLOOP), "redis", SLOW, f"ListQueueBroker, {_100_TASKS}"),
    Entrant("huey", ("huey>=2.5", "redis>=5"), "redis", SLOW, "2 worker processes"),
    Entrant(
        "procrastinate",
        ("procrastinate>=3.5", "psycopg[binary]"),
        "postgresql",
        SLOW,
        "2 processes of 10 tasks, queued 1,000 in one call",
    ),
    Entrant("pgqueuer", ("pgqueuer>=0.25", "asyncpg", _UVLOOP), "postgresql", FAST, _BATCHES),
    Entrant("dask", ("distributed>=2025.1",), "dask", SLOW, "2 processes of 1 thread, submitted 1,000 in one call"),
)
