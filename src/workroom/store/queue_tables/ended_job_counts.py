"""How many jobs ended in each hour, and how long they took."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.array_parameters import Uuids
from workroom.store.statement import Connection, Statement, first

_add = Statement[None]("history/add", first, frequent=True)
_rooms_of_postings = Statement[tuple[UUID, str | None]]("history/rooms_of_postings", tuple)
_delete_old = Statement[None]("history/delete_old", first)


class HistoryRow(NamedTuple):
    """The jobs that ended in a step of time, or those of an extension."""

    at: datetime | None
    scope: str | None
    category: str | None
    name: str | None
    completed: int
    failed: int
    cancelled: int
    waits: list[int]  # completed jobs by bucket of time
    runs: list[int]


async def add(connection: Connection, ended: str) -> None:
    """Add counts, as a JSON array of objects, to the current hour."""
    await _add.run(connection, ended=ended)


async def rooms_of_postings(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, str | None]:
    return dict(await _rooms_of_postings.all(connection, ids=Uuids(ids)))


async def by_time(connection: Connection, *, since: datetime, step_seconds: int, **of: str | None) -> list[HistoryRow]:
    """Steps of time in which jobs ended, oldest first."""
    given, filters = _given(of)
    return await _read(filters | {"by_time"}).all(connection, since=since, step_seconds=step_seconds, **given)


async def by_extension(connection: Connection, *, since: datetime, limit: int, **of: str | None) -> list[HistoryRow]:
    """Extensions whose jobs ended, the busiest first."""
    given, filters = _given(of)
    return await _read(filters | {"by_extension"}).all(connection, since=since, limit=limit, **given)


async def delete_old(connection: Connection, *, before: datetime, limit: int) -> int:
    return await _delete_old.run(connection, before=before, limit=limit)


def _given(of: dict[str, str | None]) -> tuple[dict[str, Any], frozenset[str]]:
    given = {name: value for name, value in of.items() if value is not None}
    return given, frozenset(given)


@lru_cache(100)
def _read(filters: frozenset[str]) -> Statement[HistoryRow]:
    return Statement("history/read", HistoryRow._make, filters=filters)
