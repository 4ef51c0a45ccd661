"""Breaks the processes of a world at random, one fault after the other, and heals them."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress

from tests.soak.world import Program, World

LEASE = 3.0
# A short sleep goes unnoticed. A long one ends just after the lease, while another attempt of the job runs.
SHORT_SLEEP, LONG_SLEEP = (0.3, 1.5), (LEASE + 0.5, LEASE + 2.0)


class Chaos:
    """One fault at a time, with a pause between two."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self._world = world
        self._chance = chance
        self.faults: Counter[str] = Counter()
        self._choices = (
            (3, self._server_killed),
            (2, self._server_stopped),
            (1, self._server_terminated),
            (2, self._postgres_killed),
            (4, self._worker_killed),
            (7, self._worker_stopped),
            (2, self._worker_terminated),
            (4, self._pool_process_killed),
            (7, self._pool_process_stopped),
            (2, self._pool_killed),
            (2, self._pool_terminated),
        )

    async def run(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        weights = [weight for weight, _ in self._choices]
        while time.monotonic() < until:
            await asyncio.sleep(self._chance.uniform(0.2, 2.0))
            _, fault = self._chance.choices(self._choices, weights)[0]
            await fault()
            self.faults[fault.__name__.strip("_").replace("_", " ")] += 1
            await asyncio.to_thread(self._world.heal)

    async def _server_killed(self) -> None:
        await asyncio.to_thread(self._world.restart_server, orderly=False)

    async def _server_terminated(self) -> None:
        await asyncio.to_thread(self._world.restart_server, orderly=True)

    async def _server_stopped(self) -> None:
        await self._asleep([self._world.server.pid])

    async def _postgres_killed(self) -> None:
        self._world.kill_postgres()
        await asyncio.sleep(self._chance.uniform(0.0, 1.5))

    async def _worker_killed(self) -> None:
        self._worker().signal(signal.SIGKILL)
        await asyncio.sleep(self._chance.uniform(0.0, 1.0))

    async def _worker_stopped(self) -> None:
        process = self._worker().process
        await self._asleep([process.pid] if process is not None else [])

    async def _worker_terminated(self) -> None:
        self._worker().signal(signal.SIGTERM)
        await asyncio.sleep(self._chance.uniform(0.0, 1.0))

    async def _pool_process_killed(self) -> None:
        for child in self._world.pool.children()[:1]:
            child.kill()

    async def _pool_process_stopped(self) -> None:
        await self._asleep([child.pid for child in self._world.pool.children()][:1])

    async def _pool_killed(self) -> None:
        self._world.pool.signal(signal.SIGKILL)

    async def _pool_terminated(self) -> None:
        self._world.pool.signal(signal.SIGTERM)
        await asyncio.sleep(self._chance.uniform(0.0, 1.0))

    def _worker(self) -> Program:
        return self._chance.choice(self._world.workers)

    async def _asleep(self, pids: list[int]) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(self._chance.uniform(*self._chance.choice((SHORT_SLEEP, LONG_SLEEP, LONG_SLEEP))))
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
