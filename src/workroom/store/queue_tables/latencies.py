"""How long jobs waited and ran, by bucket."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.domain.jobs.latency import BucketCount
from workroom.store.statement import Connection, Statement, first

_add = Statement[None]("latency/add", first, frequent=True)
_totals = Statement("latency/totals", BucketCount._make)


async def add(connection: Connection, counts: Sequence[BucketCount]) -> None:
    kinds, bounds, jobs, seconds = zip(*counts, strict=True)
    await _add.run(connection, kinds=list(kinds), bounds=list(bounds), jobs=list(jobs), seconds=list(seconds))


async def totals(connection: Connection) -> list[BucketCount]:
    return await _totals.all(connection)
