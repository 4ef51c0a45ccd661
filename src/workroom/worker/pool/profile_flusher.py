"""Stores the profiles that the sampler has collected, about once a second."""

from __future__ import annotations

import asyncio
import os

from workroom.actions.profiles import ProfileWriter
from workroom.logs import get_logger
from workroom.worker.pool.profiled_executions import Sampler
from workroom.worker.pool.worker_registration import PoolSession

log = get_logger(__name__)

_INTERVAL = 1.0


class ProfileFlusher:
    def __init__(self, session: PoolSession, sampler: Sampler) -> None:
        self._writer = ProfileWriter(session.engine, session.worker_id, session.host)
        self._sampler = sampler

    async def run(self) -> None:
        while True:
            await asyncio.sleep(_INTERVAL)
            await self.flush()

    async def flush(self) -> None:
        try:
            if profiles := self._sampler.profiles():
                await self._writer.store(profiles)
        except Exception as error:
            # A lost profile must not fail a job.
            log.warning("process %d: profiles were not stored: %r", os.getpid(), error)
