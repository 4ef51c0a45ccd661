"""Which executions are profiled, and how they are gathered until they are stored.

A share of a function's executions runs under a profiler. A few each second keep a profile of their own; the others are
gathered in one for their posting, which the profiler adds up by itself. So a function of microseconds is profiled as
often as one of minutes, and yet no more than a handful of profiles a second is stored.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from random import random
from typing import TYPE_CHECKING, Any
from uuid import UUID

from workroom.domain.profiles import DEFAULT_SHARE, Profile
from workroom.worker.code_version import code_version
from workroom.worker.pool.profilers import CProfiler, Profiler, StackProfiler

if TYPE_CHECKING:
    from workroom.worker.pool.job import PoolJob
    from workroom.worker.registry import Function

ALONE_PER_SECOND = 5
MOST_GATHERED = 16  # postings gathered at the same time; samples of further ones are let go
GATHERED_SECONDS = 1.0


class Sample:
    """An execution under a profiler, or several of one posting."""

    __slots__ = ("alone", "attempt", "executions", "extension_id", "function", "job_id", "posting_id", "profiler")

    def __init__(self, task: PoolJob, *, alone: bool) -> None:
        self.function = task.function
        self.extension_id = task.extension_id
        self.posting_id = task.posting_id
        self.job_id, self.attempt = (task.id, task.attempt) if alone else (None, None)
        self.alone = alone
        self.profiler: Profiler = StackProfiler() if task.function.stacks else CProfiler()
        self.executions = 0


class Sampler:
    """Used by the thread that runs the jobs; `profiles` by the one that stores them."""

    def __init__(self, functions: Iterable[Function[..., Any]], share: float | None) -> None:
        self._shares = {function: _profile_share(function, share) for function in functions}
        self._versions = {function: code_version(function) for function, part in self._shares.items() if part}
        self._gathered: dict[tuple[int, UUID | None], Sample] = {}
        self._ready: deque[Sample] = deque()
        self._tokens = float(ALONE_PER_SECOND)
        self._refilled = self._poured = time.monotonic()

    def maybe_profile(self, task: PoolJob) -> None:
        """Perhaps have this execution profiled."""
        if random() < self._shares[task.function]:  # noqa: S311 - a sample, no secret
            task.sample = self._sample(task)

    def finished(self, sample: Sample) -> None:
        """An execution that was picked has ended."""
        sample.executions += 1
        if sample.alone:
            self._ready.append(sample)
        elif time.monotonic() - self._poured > GATHERED_SECONDS:
            self.flush()

    @property
    def flush_timeout(self) -> float | None:
        """How long to wait for a job before what was gathered is poured; for ever when there is nothing."""
        return GATHERED_SECONDS if self._gathered else None

    def flush(self) -> None:
        """What was gathered so far may be stored."""
        self._poured = time.monotonic()
        if self._gathered:
            self._ready.extend(sample for sample in self._gathered.values() if sample.executions)
            self._gathered = {}

    def profiles(self) -> list[Profile]:
        """What may be stored now."""
        taken: list[Profile] = []
        while self._ready:
            sample = self._ready.popleft()
            costs, pairs, stacks = sample.profiler.result()
            taken.append(
                Profile(
                    sample.extension_id,
                    sample.posting_id,
                    sample.job_id,
                    sample.attempt,
                    self._versions[sample.function],
                    sample.executions,
                    sum(cost.own_ms for cost in costs.values()),
                    costs,
                    pairs,
                    stacks,
                )
            )
        return taken

    def _sample(self, task: PoolJob) -> Sample | None:
        now = time.monotonic()
        self._tokens = min(ALONE_PER_SECOND, self._tokens + (now - self._refilled) * ALONE_PER_SECOND)
        self._refilled = now
        if self._tokens >= 1:
            self._tokens -= 1
            return Sample(task, alone=True)
        key = (task.extension_id, task.posting_id)
        sample = self._gathered.get(key)
        if sample is None and len(self._gathered) < MOST_GATHERED:
            sample = self._gathered[key] = Sample(task, alone=False)
        return sample


def _profile_share(function: Function[..., Any], share: float | None) -> float:
    """The function's own word, or the pool's; a pool that profiles nothing has the last."""
    if share == 0:
        return 0.0
    if function.profile is not None:
        return function.profile
    return DEFAULT_SHARE if share is None else share
