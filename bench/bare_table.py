"""Two floors of P1 and one of P2: the least that a queue on PostgreSQL must do.

A bare table: an id, a state, a priority, arguments, a result; the primary key, and one partial index in the order of
the claim. No attempt, no worker, no times, no counters, no constraints, no fairness.

The *plain* floor uses it as most programs would: random UUIDs as keys, psycopg with its default settings. The *tuned*
floor uses every optimisation of Workroom (ids in order, asynchronous psycopg, prepared statements, arrays packed in one
step, the same planner settings), so the difference to it is the cost of the queue's features alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

import orjson
import psycopg
from psycopg.types.json import set_json_loads

from workroom.domain import ids
from workroom.store import array_parameters
from workroom.store.array_parameters import Uuids

TABLE = """
    CREATE TABLE floor (
        id        uuid     PRIMARY KEY,
        state     smallint NOT NULL DEFAULT 0,
        priority  smallint NOT NULL DEFAULT 5,
        arguments jsonb    NOT NULL,
        result    jsonb
    );
    CREATE INDEX floor_waiting ON floor (priority DESC, id) WHERE state = 0;
"""

CLAIM = """
    UPDATE floor SET state = 1 WHERE id = ANY (ARRAY(
        SELECT id FROM floor WHERE state = 0 ORDER BY priority DESC, id LIMIT %(batch)s FOR UPDATE SKIP LOCKED))
    RETURNING id, arguments
"""

COMPLETE = """
    UPDATE floor SET state = 2, result = done.result
    FROM ROWS FROM (unnest(%(ids)s::uuid[]), jsonb_array_elements(%(results)s::jsonb)) AS done (id, result)
    WHERE floor.id = done.id AND floor.state = 1
"""

PLAIN_CLAIM = """
    UPDATE floor SET state = 1 WHERE id IN (
        SELECT id FROM floor WHERE state = 0 ORDER BY priority DESC, id LIMIT %s FOR UPDATE SKIP LOCKED)
    RETURNING id, arguments
"""

PLAIN_COMPLETE = "UPDATE floor SET state = 2, result = arguments WHERE id = ANY (%s) AND state = 1"

STEADY_PLANS = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off"


def fill_tuned(url: str, posting: UUID, arguments: Sequence[Any]) -> float:
    """Create the table and COPY one row for each of these arguments into it; the seconds that COPY took."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLE)
        started = time.perf_counter()
        with connection.cursor() as cursor, cursor.copy("COPY floor (id, arguments) FROM STDIN") as copy:
            for text in _copy_text(posting, arguments):
                copy.write(text)
        return time.perf_counter() - started


def _copy_text(posting: UUID, arguments: Sequence[Any], chunk: int = 10_000) -> Iterable[str]:
    """The text format of COPY in chunks: writing row by row through the driver would take most of the time."""
    for start in range(0, len(arguments), chunk):
        rows = arguments[start : start + chunk]
        texts = [orjson.dumps(row).decode().replace("\\", "\\\\") for row in rows]
        names = ids.job_ids(posting, start, start + len(rows))
        yield "".join([f"{name}\t{text}\n" for name, text in zip(names, texts, strict=True)])


async def drain_tuned(url: str, wait_until_all_are_ready: Callable[[], None], batch: int) -> int:
    """Claim a batch, complete it with its arguments as the results; each statement its own transaction."""
    total = 0
    async with await psycopg.AsyncConnection.connect(
        url, autocommit=True, prepare_threshold=0, options=STEADY_PLANS
    ) as connection:
        set_json_loads(orjson.loads, connection)
        array_parameters.register(connection)
        wait_until_all_are_ready()
        while True:
            claimed = connection.cursor(binary=True)
            await claimed.execute(CLAIM, {"batch": batch})
            jobs = await claimed.fetchall()
            if not jobs:
                return total
            names, results = Uuids([job[0] for job in jobs]), orjson.dumps([job[1] for job in jobs]).decode()
            done = await connection.execute(COMPLETE, {"ids": names, "results": results})
            assert done.rowcount == len(jobs)
            total += len(jobs)


def fill_plain(url: str, arguments: Sequence[Any]) -> None:
    """The same table with the same arguments, under random ids."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLE)
        connection.execute(
            "INSERT INTO floor (id, arguments) SELECT gen_random_uuid(), value FROM jsonb_array_elements(%s::jsonb)",
            [orjson.dumps(arguments).decode()],
        )


async def drain_plain(url: str, wait_until_all_are_ready: Callable[[], None], batch: int) -> int:
    """The same work as most programs would do it. Nothing else runs in this process, so it need not be asynchronous."""
    total = 0
    with psycopg.connect(url, autocommit=True) as connection:
        wait_until_all_are_ready()
        while True:
            jobs = connection.execute(PLAIN_CLAIM, [batch]).fetchall()
            if not jobs:
                return total
            done = connection.execute(PLAIN_COMPLETE, [[job[0] for job in jobs]])
            assert done.rowcount == len(jobs)
            total += len(jobs)


def check(url: str, jobs: int) -> None:
    """Every row was completed, with its result."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE state = 2 AND result = arguments) FROM floor"
        ).fetchone()
    assert row == (jobs, jobs), f"{jobs} rows in the floor's table, completed with their results: {row}"
