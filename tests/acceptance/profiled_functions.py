"""Functions whose costs are known."""

from __future__ import annotations

import time

from workroom import job


def spin(seconds: float) -> None:
    """Its own time is by far the most: it looks at the clock only now and then."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for _ in range(500):
            pass


def hot(rounds: int) -> None:
    for _ in range(rounds):
        spin(0.001)


def cold() -> None:
    spin(0.0005)


@job(name="workload", profile=1.0)
def workload(rounds: int) -> int:
    """7 calls of `hot` and 3 of `cold`, whatever the arguments."""
    for _ in range(7):
        hot(rounds)
    for _ in range(3):
        cold()
    return rounds


@job(name="tiny", profile=1.0, version="tiny-1")
def tiny(number: int) -> int:
    return abs(number)


@job(name="sampled")
def sampled(number: int) -> int:
    return number


@job(name="stacked", profile=1.0, stacks=True)
def stacked() -> None:
    hot(40)
