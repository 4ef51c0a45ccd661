"""Living workers through gaps in which no heartbeat can arrive: none is declared lost, no job fails or runs twice.

The selection of the normal suite has short clocks. `make faults` repeats each gap ten times with the default ones.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.acceptance.live import LiveServer
from tests.faults.workers.living_workers import (
    DEFAULT_TIMING,
    Account,
    LivingWorkers,
    Pool,
    database_processes,
    freeze,
    thaw,
    through_gap,
)
from tests.store.postgres_server import throw_away_folder

from workroom.store.embedded import EmbeddedPostgres, running_url

SHORT = pytest.param(1, 5.0, 3.0, {}, id="short")
CAMPAIGN = [
    pytest.param(1, 45.0, 30.0, DEFAULT_TIMING, id=f"campaign-{run}", marks=pytest.mark.full)
    for run in range(1, int(os.environ.get("WORKROOM_FAULT_RUNS", "10")) + 1)
]
gaps = pytest.mark.parametrize(("runs", "seconds", "lease", "timing"), [SHORT, *CAMPAIGN])
LEADING_SECONDS = {3.0: 4.0, 30.0: 35.0}  # how long upkeep has run before the gap: longer than a lease
ROWS: list[tuple[str, int, Account]] = []


@pytest.fixture(scope="module", autouse=True)
def table() -> Generator[None]:
    yield
    for what, run, account in ROWS:
        print(f"\n{what}, run {run}: {account}", end="")
    print()


@pytest.fixture
def chance() -> random.Random:
    seed = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    print(f"seed = {seed}")
    return random.Random(seed)


@gaps
async def test_a_frozen_server_loses_no_living_worker(
    tmp_path: Path, chance: random.Random, runs: int, seconds: float, lease: float, timing: dict[str, str]
) -> None:
    server = LiveServer(**timing).start()
    workers = LivingWorkers(tmp_path, server.url, 2)
    try:
        database = running_url(server.data)
        assert database

        async def gap() -> None:
            freeze([server.pid], chance)
            await asyncio.sleep(seconds)
            thaw([server.pid], chance)

        await asyncio.sleep(LEADING_SECONDS[lease])
        for run in range(1, runs + 1):
            account = await through_gap(server, database, workers, gap, longest=seconds, lease=lease, chance=chance)
            ROWS.append((f"server stopped for {seconds:g} s", run, account))
        assert [account.harm for _, _, account in ROWS[-runs:]] == [(0, 0, 0, 0)] * runs
    finally:
        thaw([server.pid], chance)
        workers.end()
        server.remove()


@pytest.mark.full
@gaps
async def test_a_whole_system_asleep_loses_no_living_worker(
    tmp_path: Path, chance: random.Random, runs: int, seconds: float, lease: float, timing: dict[str, str]
) -> None:
    """Server, PostgreSQL and workers stop together, as on a laptop that is closed."""
    server = LiveServer(**timing).start()
    workers = LivingWorkers(tmp_path, server.url, 2)
    try:
        database = running_url(server.data)
        assert database

        async def gap() -> None:
            everything = [server.pid, *workers.pids, *database_processes(server.data)]
            freeze(everything, chance)
            await asyncio.sleep(seconds)
            thaw(everything, chance)

        await asyncio.sleep(LEADING_SECONDS[lease])
        for run in range(1, runs + 1):
            account = await through_gap(server, database, workers, gap, longest=seconds, lease=lease, chance=chance)
            ROWS.append((f"whole system stopped for {seconds:g} s", run, account))
        assert [account.harm for _, _, account in ROWS[-runs:]] == [(0, 0, 0, 0)] * runs
    finally:
        thaw([server.pid, *database_processes(server.data)], chance)
        workers.end()
        server.remove()


@pytest.mark.full
@gaps
async def test_a_server_away_beside_a_pool_finds_its_workers_alive(
    tmp_path: Path, chance: random.Random, runs: int, seconds: float, lease: float, timing: dict[str, str]
) -> None:
    """The pool shares the database and leads the upkeep, but it cannot hear remote workers."""
    away = seconds * 4 / 3
    with throw_away_folder() as folder, EmbeddedPostgres(folder / "data") as postgres:
        server = LiveServer(**timing, WORKROOM_DATABASE=postgres.url)
        upkeep = {"WORKROOM_LEASE_SECONDS": f"{lease:g}", "WORKROOM_SWEEP_SECONDS": "0.5"}
        pool = Pool(tmp_path, "--database", postgres.url, **upkeep)
        server.start()
        workers = LivingWorkers(tmp_path, server.url, 2)
        try:

            async def gap() -> None:
                server.kill()
                await asyncio.sleep(away)
                server.start()

            await asyncio.sleep(LEADING_SECONDS[lease])
            for run in range(1, runs + 1):
                account = await through_gap(
                    server, postgres.url, workers, gap, longest=away, lease=lease, chance=chance
                )
                ROWS.append((f"server away for {away:g} s beside a pool", run, account))
            assert [account.harm for _, _, account in ROWS[-runs:]] == [(0, 0, 0, 0)] * runs
        finally:
            workers.end()
            pool.end()
            server.remove()
