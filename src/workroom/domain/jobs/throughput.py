"""How much a worker does: what it ended lately, told in slices of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SLICE_SECONDS = 10
SLICES = 30  # five minutes, the present slice among them


@dataclass(frozen=True, slots=True)
class Throughput:
    """What a worker ended within a while: every try counts, also one that is repeated after it failed."""

    seconds: float  # how long the while is: five minutes, or since the worker came
    ended: int
    failed: int  # among those that ended
    per_minute: float
    history: tuple[int, ...]  # how many ended in each slice, the present one last


def throughput(stints: Iterable[Sequence[int]], *, into_slice: float, age: float) -> Throughput:
    """From what ended in each slice: (how many slices ago, ended, failed).

    `into_slice` is how many seconds of the present slice are over, `age` how many since the worker came. A worker that
    came within the last slice is taken for one slice old: its first job, done in no time, is no rate.
    """
    history = [0] * SLICES
    failed = 0
    for ago, ended, wrong in stints:
        if 0 <= ago < SLICES:
            history[SLICES - 1 - ago] += ended
            failed += wrong
    seconds = min(max(age, SLICE_SECONDS), (SLICES - 1) * SLICE_SECONDS + into_slice)
    ended = sum(history)
    return Throughput(seconds, ended, failed, ended * 60 / seconds, tuple(history))
