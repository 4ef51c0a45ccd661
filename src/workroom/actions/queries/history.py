"""Read how many jobs ended over the last days, and how long they took."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from workroom.actions.engine import Engine
from workroom.store.queue_tables import history
from workroom.store.queue_tables.history import HistoryRow

_MOST_EXTENSIONS = 20
_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class JobHistory:
    since: datetime
    step_seconds: int
    steps: list[HistoryRow]  # oldest first; none for a step without ended jobs
    extensions: list[HistoryRow]  # the busiest first


async def job_history(
    engine: Engine,
    *,
    days: float,
    room: str | None = None,
    category: str | None = None,
    name: str | None = None,
    search: str | None = None,
) -> JobHistory:
    """The jobs that ended in the last days, in a room or in all, in steps of one hour to one day."""
    step = _step_seconds(days)
    now = datetime.now(UTC).timestamp()
    since = datetime.fromtimestamp(now - now % step, UTC) - timedelta(days=days)
    of = {"room": room, "category": category, "name": name, "search": search}
    async with engine.database.connection() as connection:
        steps = await history.by_time(connection, since=since, step_seconds=step, **of)
        extensions = await history.by_extension(connection, since=since, limit=_MOST_EXTENSIONS, **of)
    return JobHistory(since, step, steps, extensions)


def _step_seconds(days: float) -> int:
    """Steps that give a chart of at most 200 points."""
    return next((hours * _HOUR for hours in (1, 3, 6) if days * 24 / hours <= 200), 24 * _HOUR)
