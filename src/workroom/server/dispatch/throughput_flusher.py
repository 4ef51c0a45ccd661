"""Writes the counts of jobs that the workers of this server have ended, and how long these took."""

from __future__ import annotations

from workroom.actions import flush_ended_job_counts
from workroom.actions.engine import Engine
from workroom.actions.workers.throughput import flush
from workroom.server.background_service import BackgroundService


class ThroughputFlusher(BackgroundService):
    """Runs in each server, unlike upkeep, because each server counts only the reports that it received."""

    name = "throughput flusher"

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.pause = engine.timing.heartbeat / 2

    async def run_once(self) -> None:
        await flush(self._engine)
        await flush_ended_job_counts.flush(self._engine)
