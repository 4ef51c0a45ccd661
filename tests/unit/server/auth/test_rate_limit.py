"""A throttle admits so much within any window, and says how long to wait."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest

from workroom.domain.errors import TooManyRequests
from workroom.server.auth.rate_limit import RateLimiter


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def asizeof(throttle: RateLimiter) -> int:
    """The bytes of everything that the limiter holds."""
    return sum(getattr(value, "nbytes", sys.getsizeof(value)) for value in vars(throttle).values())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def wait(throttle: RateLimiter, key: str = "ada", cost: int = 1) -> int:
    """How long it says to wait; 0 when it admits."""
    try:
        throttle.hit(key, cost)
    except TooManyRequests as error:
        return error.detail["retryAfter"]
    return 0


def test_so_many_are_admitted_and_then_none_until_the_first_has_left_the_window(clock: Clock) -> None:
    throttle = RateLimiter(3, 60.0, clock=clock)
    for _ in range(3):
        assert wait(throttle) == 0
        clock.now += 10
    assert wait(throttle) == 30
    assert wait(throttle, "bob") == 0
    clock.now += 30
    assert wait(throttle) == 0
    assert wait(throttle) == 10


def test_no_window_ever_holds_more_than_the_limit(clock: Clock) -> None:
    throttle = RateLimiter(5, 10.0, clock=clock)
    admitted: list[float] = []
    for _ in range(1_000):
        clock.now += 0.07
        if wait(throttle) == 0:
            admitted.append(clock.now)
    assert len(admitted) >= 30
    # A twelfth of a window is not told apart.
    assert all(later - earlier > 10.0 - 10.0 / 12 for earlier, later in zip(admitted, admitted[5:], strict=False))


def test_waiting_as_long_as_told_is_long_enough(clock: Clock) -> None:
    throttle = RateLimiter(100, 60.0, clock=clock)
    for cost in (40, 40, 70, 100, 5):
        if told := wait(throttle, cost=cost):
            clock.now += told
            assert wait(throttle, cost=cost) == 0
        clock.now += 0.7


def test_what_costs_more_than_the_limit_is_admitted_on_its_own(clock: Clock) -> None:
    throttle = RateLimiter(10, 60.0, clock=clock)
    assert wait(throttle, cost=100) == 0
    assert wait(throttle) == 60
    assert wait(throttle, cost=100) == 60
    clock.now += 60
    assert wait(throttle, cost=100) == 0


def test_what_is_given_back_was_never_counted(clock: Clock) -> None:
    throttle = RateLimiter(2, 60.0, clock=clock)
    for _ in range(10):
        assert wait(throttle) == 0
        throttle.refund("ada")
    throttle.refund("nobody")
    assert [wait(throttle) for _ in range(3)] == [0, 0, 60]


def test_other_keys_never_make_it_forget_one_and_its_size_is_fixed(clock: Clock) -> None:
    throttle = RateLimiter(5, 60.0, clock=clock)
    size = asizeof(throttle)
    for _ in range(5):
        throttle.hit("ada")
    for n in range(10_100):
        throttle.hit(f"key {n}")
    assert wait(throttle) > 0
    assert asizeof(throttle) == size < 5_000_000


def test_keys_do_not_disturb_each_other_while_they_are_fewer_than_cells(clock: Clock) -> None:
    throttle = RateLimiter(5, 60.0, clock=clock)
    for n in range(1_000):
        with suppress(TooManyRequests):  # one in thousands shares all its cells with others
            throttle.hit(f"attacker {n}", 5)
    assert [wait(throttle, f"user {n}") for n in range(1_000)].count(0) >= 995
