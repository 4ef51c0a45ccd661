"""Hints from the database that there may be work: what a pool waits for instead of asking again and again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager

import psycopg

from workroom.store.statement import Connection

WORK = "workroom_work"  # payload: the number of a function that has work
ENDED = "workroom_posting"  # payload: the id of a posting that has ended; of its only job also the id and the result


class Hints:
    """A session that listens. Hints are only that: whoever waits looks now and then all the same."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def wait(self, extension_ids: Collection[int], seconds: float) -> bool:
        """Wait for a hint about one of these, but no longer than so many seconds; whether one came."""
        wanted = {str(one) for one in extension_ids}
        hinted = False
        async for hint in self._connection.notifies(timeout=seconds, stop_after=1):
            hinted = hinted or hint.payload in wanted
        return hinted

    async def next(self, seconds: float = 60.0) -> list[str]:
        """Wait for hints: the payloads of all that came together, or none after so many seconds."""
        return [hint.payload async for hint in self._connection.notifies(timeout=seconds, stop_after=1)]


@asynccontextmanager
async def listening(url: str, channel: str = WORK) -> AsyncGenerator[Hints]:
    connection: Connection = await psycopg.AsyncConnection.connect(
        url, autocommit=True, application_name="workroom pool hints", connect_timeout=5
    )
    try:
        await connection.execute(f"LISTEN {channel}".encode())
        yield Hints(connection)
    finally:
        await connection.close()
