"""The floor of P3b, a round trip through the pool: one row written, claimed, completed and read, with NOTIFY.

`python -m bench.roundtrip_floor URL` is the worker: it waits for a notification, claims a row and completes it. Three
statements and two processes: a durable queue on PostgreSQL cannot do with fewer.
"""

from __future__ import annotations

import asyncio
import sys
import time

import psycopg

TABLE = """
    CREATE TABLE IF NOT EXISTS roundtrip (
        id integer PRIMARY KEY, state smallint NOT NULL DEFAULT 0, argument jsonb, result jsonb);
    CREATE INDEX IF NOT EXISTS roundtrip_pending ON roundtrip (id) WHERE state = 0;
"""
POST = """
    WITH posted AS (INSERT INTO roundtrip (id, argument) VALUES (%(id)s, to_jsonb(%(id)s::integer)) RETURNING id)
    SELECT pg_notify('roundtrip_posted', '') FROM posted
"""
CLAIM = """
    UPDATE roundtrip SET state = 1
    WHERE id = (SELECT id FROM roundtrip WHERE state = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, argument
"""
COMPLETE = """
    WITH done AS (UPDATE roundtrip SET state = 2, result = argument WHERE id = %(id)s AND state = 1 RETURNING id)
    SELECT pg_notify('roundtrip_done', id::text) FROM done
"""


async def _connect(url: str) -> psycopg.AsyncConnection[tuple[object, ...]]:
    return await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=0)


async def worker(url: str) -> None:
    statements, notifications = await _connect(url), await _connect(url)
    await notifications.execute("LISTEN roundtrip_posted")
    print("ready", flush=True)
    while True:
        async for _ in notifications.notifies(stop_after=1):
            row = await (await statements.execute(CLAIM)).fetchone()
            if row is not None:
                await statements.execute(COMPLETE, {"id": row[0]})


class Client:
    """Posts one row at a time and waits for its result."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._next = 0

    async def __aenter__(self) -> Client:
        self._statements, self._notifications = await _connect(self._url), await _connect(self._url)
        await self._notifications.execute("LISTEN roundtrip_done")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._statements.close()
        await self._notifications.close()

    async def roundtrip(self) -> float:
        """Post a row and wait for its result; the milliseconds that took."""
        self._next += 1
        started = time.perf_counter()
        await self._statements.execute(POST, {"id": self._next})
        async for notification in self._notifications.notifies(stop_after=1):
            assert notification.payload == str(self._next)
        found = await self._statements.execute("SELECT result FROM roundtrip WHERE id = %(id)s", {"id": self._next})
        assert await found.fetchone() == (self._next,)
        return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    asyncio.run(worker(sys.argv[1]))
