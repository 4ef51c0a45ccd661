"""`python -m tests.soak --minutes 30`: exits with 1 if anything was lost, doubled, stale, stuck or miscounted."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

import psycopg

from tests.acceptance.live import Someone, ended
from tests.soak.chaos import Chaos
from tests.soak.checker import UNFINISHED, Verdict, check
from tests.soak.deaf_worker import DeafWorker
from tests.soak.load import Load
from tests.soak.world import World

DRAIN_SECONDS = 120.0


async def soak(world: World, minutes: float, seed: int) -> Verdict:
    ada = await Someone.signs_in(world.server, "ada")
    await ada.makes_room("lab")
    await ada.makes_room("locks")
    load = Load(world, ada, random.Random(seed + 1))
    chaos = Chaos(world, random.Random(seed + 2))
    deaf = DeafWorker(ada, random.Random(seed + 3))
    hearing = asyncio.create_task(deaf.run())
    loading = asyncio.create_task(load.run())
    started = time.monotonic()
    await chaos.run(60 * minutes)
    load.stopping.set()
    await loading
    await asyncio.to_thread(world.heal)
    drained = await _drained(world)
    await ended(hearing)
    await ada.close()
    verdict = check(world.url, load.ledger, world.executions())
    faults = ", ".join(f"{name} {times}" for name, times in sorted(chaos.faults.items()))
    ledger = load.ledger
    print(f"{(time.monotonic() - started) / 60:.1f} minutes, {sum(chaos.faults.values())} faults: {faults}")
    print(
        f"{len(ledger.jobs):,} jobs and {sum(ledger.postings.values()):,} calls acknowledged, "
        f"{ledger.cancels} cancels, {ledger.retries} retries, "
        f"{deaf.ignored} assignments ignored, {ledger.locked_writes} writes under locks, "
        f"{ledger.refused_writes} refused; drained in {drained:.1f} s"
    )
    print(verdict)
    return verdict


async def _drained(world: World) -> float:
    """Wait until every job has ended; what has not after `DRAIN_SECONDS` is stuck."""
    started = time.monotonic()
    while time.monotonic() < started + DRAIN_SECONDS:
        with psycopg.connect(world.url, autocommit=True) as connection:
            found = connection.execute(UNFINISHED.encode()).fetchone()
        if found == (0,):
            break
        await asyncio.sleep(0.5)
    return time.monotonic() - started


def main() -> int:
    arguments = argparse.ArgumentParser(description="Random faults under load, and a check of what is left.")
    arguments.add_argument("--minutes", type=float, default=30.0)
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 2**31))
    given = arguments.parse_args()
    print(f"seed {given.seed}", flush=True)
    world = World(random.Random(given.seed))
    try:
        verdict = asyncio.run(soak(world, given.minutes, given.seed))
        if not verdict.is_clean:
            print(f"\nThe last lines of the programs:\n{world.output()[-8_000:]}")
        return 0 if verdict.is_clean else 1
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
