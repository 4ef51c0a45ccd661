"""The rules hold on the pure model over many random plays."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import count
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.model.machine import QueueMachine


@pytest.mark.parametrize("steps", [10_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_the_rules_hold_over_many_thousand_random_steps(capsys: pytest.CaptureFixture[str], steps: int) -> None:
    chosen = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    with capsys.disabled():
        print(f"\nmodel machine: seed = {chosen}", end="", flush=True)

    class Machine(QueueMachine):
        """Counts for itself."""

        ended: ClassVar[Counter[str]] = Counter()

    for more in count():  # plays end at random
        if Machine.steps >= steps:
            break
        run_state_machine_as_test(  # pyright: ignore[reportUnknownMemberType]
            seed(chosen + more)(Machine),
            settings=settings(
                max_examples=(steps - Machine.steps) // 100 + 1,
                stateful_step_count=100,
                deadline=None,
                database=None,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=[HealthCheck.too_slow],
            ),
        )
    with capsys.disabled():
        print(f", steps = {Machine.steps}, jobs = {dict(Machine.ended)}")
