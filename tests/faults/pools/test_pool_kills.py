"""kill -9 of pool processes at random, under load: nothing is lost, and nothing is done twice that may not be.

`WORKROOM_FAULT_SEED` repeats a run.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest
from tests.acceptance import pool_functions
from tests.faults.fault_table import FaultRecorder
from tests.faults.kill_campaign import FUNCTIONS, PATIENCE, Campaign

from workroom import ClusterPool, Registry

SEED = int(os.environ.get("WORKROOM_FAULT_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)


def _kills(campaign: Campaign, pool: ClusterPool, wanted: int, chance: random.Random) -> int:
    """Processes killed at random moments, under load."""
    killed = 0
    while killed < wanted:
        campaign.goes_on()
        time.sleep(chance.uniform(0.0, 0.25))
        victim = chance.choice(pool.workers or [None])
        if victim is not None and victim.pid is not None and victim.shared_status.read().worker_id is not None:
            os.kill(victim.pid, signal.SIGKILL)
            victim.join()
            killed += 1
    return killed


def _campaign(database: str, folder: Path, fault: FaultRecorder, kills: int) -> None:
    print(f"seed {SEED}")
    campaign = Campaign(database, folder)
    campaign.goes_on()
    with ClusterPool(2, imports=[FUNCTIONS]) as pool:
        killed = _kills(campaign, pool, kills, random.Random(SEED))
        campaign.drains()
        assert len(pool.workers) == 2 or pool.failure_count
    found = campaign.verdict()
    print(f"{killed} kills, {found}")
    fault.record(runs=killed, lost=found.lost, doubled=found.doubled)
    assert (killed, found.lost, found.doubled) == (kills, 0, 0)


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.fault("F2")
def test_processes_killed_at_random_lose_nothing_and_double_only_what_they_may(
    database: str, tmp_path: Path, fault: FaultRecorder
) -> None:
    _campaign(database, tmp_path, fault, kills=12)


@pytest.mark.full
@pytest.mark.fault("F2")
def test_two_hundred_kills(database: str, tmp_path: Path, fault: FaultRecorder) -> None:
    _campaign(database, tmp_path, fault, kills=200)


@pytest.mark.fault("F14")
def test_a_call_that_kills_its_process_is_failed_and_the_others_complete(database: str, fault: FaultRecorder) -> None:
    posting = Registry["poison"].post_work([(n,) for n in range(50)])
    begun = time.monotonic()
    with ClusterPool(2, imports=[pool_functions.__name__]) as pool:
        posting.wait(PATIENCE)
        took = time.monotonic() - begun
        kills = pool.failure_count
    completed = list(posting.results(failed="skip"))
    fault.record(
        runs=kills, lost=49 - len(set(completed)), doubled=len(completed) - len(set(completed)), recovery=[took]
    )
    (failure,) = posting.failures()
    assert (failure.args, failure.reason, kills) == ((7,), "worker_lost", 3)
    assert completed == [n for n in range(50) if n != 7]
