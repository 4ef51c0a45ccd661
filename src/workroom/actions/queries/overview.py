"""Read across all queues: totals for metrics, rooms that an event concerns, whether the database answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.domain.jobs.latency import BucketCount
from workroom.store.health import ServerFacts, server_facts
from workroom.store.queue_tables import extensions, latencies, workers
from workroom.store.queue_tables.extensions import WaitingQueue


async def rooms_to_notify(
    engine: Engine, *, worker_ids: Sequence[UUID] = (), extension_ids: Sequence[int] = ()
) -> set[str | None]:
    """The rooms that see these workers or extensions; none among them stands for all rooms."""
    async with engine.database.connection() as connection:
        rooms = await workers.rooms_to_notify(connection, worker_ids) if worker_ids else []
        rooms += await extensions.rooms_to_notify(connection, extension_ids) if extension_ids else []
    return set(rooms)


@dataclass(frozen=True, slots=True)
class Figures:
    """Jobs by state and workers by kind, over all queues."""

    jobs: dict[str, int]  # by state
    workers: dict[str, int]  # online, by kind


async def totals(engine: Engine) -> Figures:
    async with engine.database.connection() as connection:
        return Figures(await extensions.totals(connection), await workers.totals(connection))


@dataclass(frozen=True, slots=True)
class Overview:
    """What the metrics show of all queues, workers and servers."""

    jobs: dict[str, int]  # by state; ended ones ever
    queues: list[WaitingQueue]  # with waiting or running jobs, the fullest first
    workers: list[tuple[str, str, int]]  # kind, state, how many
    latencies: list[BucketCount]
    facts: ServerFacts


async def overview(engine: Engine) -> Overview:
    async with engine.database.connection() as connection:
        return Overview(
            jobs=await extensions.totals(connection),
            queues=await extensions.waiting(connection),
            workers=await workers.states(connection),
            latencies=await latencies.totals(connection),
            facts=await server_facts(connection),
        )


async def ping(engine: Engine) -> None:
    """Raises when the database does not answer, or cannot write."""
    await engine.database.check_disk()
    async with engine.database.connection() as connection:
        await workers.totals(connection)
