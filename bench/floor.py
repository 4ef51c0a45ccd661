"""Two floors: what any queue of use must do, and no more.

A bare table: an id, a state, a priority, arguments, a result; the primary key, and one partial index equal to the
claim's order. No attempt, no worker, no times, no counters, no constraints, no fairness.

The *plain* floor is such a table as anybody would make it, used as anybody would: random UUIDs as keys, psycopg as it
comes. The *tuned* floor has every trick that Workroom itself uses (ids in order, asynchronous psycopg, prepared
statements, arrays packed in one go, the same planner settings): what it lacks is the queue alone.
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
from workroom.store import arrays
from workroom.store.arrays import Uuids

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


def fill(url: str, posting: UUID, arguments: Sequence[Any]) -> float:
    """Make the table and COPY one row for each of these arguments into it; how many seconds the copying took."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLE)
        started = time.perf_counter()
        with connection.cursor() as cursor, cursor.copy("COPY floor (id, arguments) FROM STDIN") as copy:
            for piece in _lines(posting, arguments):
                copy.write(piece)
        return time.perf_counter() - started


def _lines(posting: UUID, arguments: Sequence[Any], piece: int = 10_000) -> Iterable[str]:
    """COPY's text format, in pieces: the driver's own row-by-row writing would take most of the time."""
    for start in range(0, len(arguments), piece):
        some = arguments[start : start + piece]
        texts = [orjson.dumps(one).decode().replace("\\", "\\\\") for one in some]
        names = ids.job_ids(posting, start, start + len(some))
        yield "".join([f"{name}\t{text}\n" for name, text in zip(names, texts, strict=True)])


async def loop(url: str, wait_for_the_others: Callable[[], None], batch: int) -> int:
    """Claim a batch, complete it with its arguments as the results; each statement its own transaction."""
    total = 0
    async with await psycopg.AsyncConnection.connect(
        url, autocommit=True, prepare_threshold=0, options=STEADY_PLANS
    ) as connection:
        set_json_loads(orjson.loads, connection)
        arrays.register(connection)
        wait_for_the_others()
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


def fill_plainly(url: str, arguments: Sequence[Any]) -> None:
    """The same table with the same arguments, under random ids."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLE)
        connection.execute(
            "INSERT INTO floor (id, arguments) SELECT gen_random_uuid(), value FROM jsonb_array_elements(%s::jsonb)",
            [orjson.dumps(arguments).decode()],
        )


async def plain_loop(url: str, wait_for_the_others: Callable[[], None], batch: int) -> int:
    """The same work as most people would write it. (Nothing else runs in this process, so it need not be async.)"""
    total = 0
    with psycopg.connect(url, autocommit=True) as connection:
        wait_for_the_others()
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
