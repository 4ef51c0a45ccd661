"""How many jobs end, how long they wait and run: counted in memory, and written a few times a minute.

Counting adds no write to a job. If the process is killed, the counts of a few seconds are lost.
"""

from __future__ import annotations

from dataclasses import asdict

import orjson

from workroom.actions.engine import Engine
from workroom.domain.jobs.ended_job_counts import EndedJobs, HistoryKey
from workroom.store.queue_tables import ended_job_counts, latencies
from workroom.store.statement import Connection


async def flush(engine: Engine) -> None:
    """Write the counts; on an error they are kept for the next time."""
    await _flush_latencies(engine)
    await _flush_history(engine)


async def _flush_latencies(engine: Engine) -> None:
    counts = engine.latencies.take()
    if not counts:
        return
    try:
        async with engine.database.connection() as connection:
            await latencies.add(connection, counts)
    except BaseException:
        engine.latencies.put_back(counts)
        raise


async def _flush_history(engine: Engine) -> None:
    counts = engine.history.take()
    if not counts:
        return
    try:
        async with engine.database.connection() as connection:
            ended = await _by_room(connection, counts)
            rows = [{"extension_id": key[0], "room": key[1]} | asdict(jobs) for key, jobs in ended.items()]
            await ended_job_counts.add(connection, orjson.dumps(rows).decode())
    except BaseException:
        engine.history.put_back(counts)
        raise


async def _by_room(
    connection: Connection, counts: dict[HistoryKey, EndedJobs]
) -> dict[tuple[int, str | None], EndedJobs]:
    """The counts by extension and room; calls belong to the room of their posting."""
    postings = [key.posting_id for key in counts if key.posting_id is not None]
    rooms = await ended_job_counts.rooms_of_postings(connection, postings) if postings else {}
    ended: dict[tuple[int, str | None], EndedJobs] = {}
    for key, jobs in counts.items():
        room = key.room if key.posting_id is None else rooms.get(key.posting_id)
        ended.setdefault((key.extension_id, room), EndedJobs()).add(jobs)
    return ended
