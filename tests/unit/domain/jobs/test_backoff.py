"""The pause after a failed try."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.jobs.backoff import backoff_seconds

FAILURES = st.integers(1, 1_000_000)
SECONDS = st.floats(0, 1e6)
LUCK = st.floats(0, 1, exclude_max=True)


@given(FAILURES, SECONDS, SECONDS, LUCK)
def test_a_pause_is_between_half_its_ceiling_and_its_ceiling(f: int, base: float, cap: float, luck: float) -> None:
    ceiling = backoff_seconds(f, base, cap, 1.0)
    assert ceiling / 2 <= backoff_seconds(f, base, cap, luck) <= ceiling <= cap


@given(FAILURES, SECONDS, SECONDS, LUCK)
def test_the_ceiling_never_falls_with_another_failure(f: int, base: float, cap: float, luck: float) -> None:
    assert backoff_seconds(f, base, cap, luck) <= backoff_seconds(f + 1, base, cap, luck)


def test_the_pause_doubles_until_it_meets_the_cap() -> None:
    assert [backoff_seconds(n, 1.0, 10.0, 1.0) for n in range(1, 7)] == [1, 2, 4, 8, 10, 10]


def test_equal_failures_are_spread_apart() -> None:
    assert backoff_seconds(3, 1.0, 300.0, 0.0) == 2.0
    assert backoff_seconds(3, 1.0, 300.0, 0.5) == 3.0


def test_a_base_of_nothing_means_no_pause() -> None:
    assert backoff_seconds(50, 0.0, 300.0, 0.9) == 0
