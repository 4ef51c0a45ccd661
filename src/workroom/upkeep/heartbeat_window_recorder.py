"""Records that heartbeats can arrive, so that no worker is lost because they could not."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.actions.engine import Engine
from workroom.actions.workers.heartbeat_window import record_window
from workroom.upkeep.periodic_service import Service


class HeartbeatWindowRecorder(Service):
    """Runs several times within a lease, on the event loop that also receives the heartbeats."""

    name = "heartbeat_window"

    def __init__(self, engine: Engine, kinds: Sequence[str]) -> None:
        super().__init__()
        self._engine = engine
        self._kinds = kinds
        self.pause = engine.timing.window_interval

    async def run_once(self) -> None:
        await record_window(self._engine, self._kinds)
