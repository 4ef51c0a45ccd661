"""A worker's throughput: ended executions of the last five minutes, counted in slices of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SLICE_SECONDS = 10
SLICES = 30  # five minutes, including the current slice


@dataclass(frozen=True, slots=True)
class Throughput:
    """The executions that a worker ended in a period. Every attempt counts, also one that failed and was retried."""

    seconds: float  # length of the period: five minutes, or the time since the worker registered
    ended: int
    failed: int  # included in `ended`
    per_minute: float
    history: tuple[int, ...]  # ended executions per slice, the current slice last


def throughput(slices: Iterable[Sequence[int]], *, into_slice: float, age: float) -> Throughput:
    """Compute the throughput from slices (slices ago, ended, failed).

    `into_slice` is the elapsed time of the current slice in seconds, `age` the time since the worker registered. A
    newer worker counts as one slice old, because a single quick job would otherwise give an extreme rate.
    """
    history = [0] * SLICES
    failed = 0
    for ago, slice_ended, slice_failed in slices:
        if 0 <= ago < SLICES:
            history[SLICES - 1 - ago] += slice_ended
            failed += slice_failed
    seconds = min(max(age, SLICE_SECONDS), (SLICES - 1) * SLICE_SECONDS + into_slice)
    ended = sum(history)
    return Throughput(seconds, ended, failed, ended * 60 / seconds, tuple(history))
