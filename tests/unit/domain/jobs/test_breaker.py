"""When a worker stops getting an extension it keeps failing."""

from __future__ import annotations

import pytest

from workroom.domain.jobs.breaker import Breaker, breaker_state, opens


@pytest.mark.parametrize(
    ("opened_at", "now", "state"),
    [
        (None, 0.0, Breaker.CLOSED),
        (None, 1e9, Breaker.CLOSED),
        (100.0, 100.0, Breaker.OPEN),
        (100.0, 159.9, Breaker.OPEN),
        (100.0, 160.0, Breaker.PROBING),
        (100.0, 1e9, Breaker.PROBING),
    ],
)
def test_a_breaker_is_closed_then_open_for_a_while_then_probing(
    opened_at: float | None, now: float, state: Breaker
) -> None:
    assert breaker_state(opened_at, 60.0, now) is state


@pytest.mark.parametrize(
    ("failures", "threshold", "open_"), [(0, 5, False), (4, 5, False), (5, 5, True), (6, 5, True), (1, 1, True)]
)
def test_enough_failures_in_a_row_open_it(failures: int, threshold: int, open_: bool) -> None:
    assert opens(failures, threshold) is open_


def test_a_threshold_of_nothing_switches_it_off() -> None:
    assert not any(opens(failures, 0) for failures in (0, 1, 1_000_000))
