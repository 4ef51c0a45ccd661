"""The scheduler: queues jobs whose start time has come."""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.actions.jobs.schedule import promote_due, seconds_until_due
from workroom.upkeep.periodic_service import Service


class Scheduler(Service):
    """Sleeps until the next start time, but at most `pause`."""

    name = "scheduler"
    # Another process may schedule an earlier job meanwhile.
    pause = 1.0

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    async def run_once(self) -> float | None:
        while await promote_due(self._engine):
            pass
        return await seconds_until_due(self._engine)
