"""Chooses which executions are profiled, and collects their profiles until they are stored.

A share of a function's executions runs under a profiler. A few each second get a profile of their own. The others are
added up in one profile for each posting. So short functions are profiled as often as long ones, and still only a few
profiles a second are stored.
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
    from workroom.worker.function_registry import Function
    from workroom.worker.pool.job import PoolJob

ALONE_PER_SECOND = 5
MOST_COLLECTED = 16  # postings with a collected profile at a time; samples of further ones are dropped
COLLECT_SECONDS = 1.0


class Sample:
    """One execution under a profiler, or several of one posting."""

    __slots__ = ("alone", "attempt", "executions", "extension_id", "function", "job_id", "posting_id", "profiler")

    def __init__(self, job: PoolJob, *, alone: bool) -> None:
        self.function = job.function
        self.extension_id = job.extension_id
        self.posting_id = job.posting_id
        self.job_id, self.attempt = (job.id, job.attempt) if alone else (None, None)
        self.alone = alone
        self.profiler: Profiler = StackProfiler() if job.function.stacks else CProfiler()
        self.executions = 0


class Sampler:
    """Used by the main thread, which runs the jobs; only `profiles` is called by the database thread."""

    def __init__(self, functions: Iterable[Function[..., Any]], share: float | None) -> None:
        self._shares = {function: _profile_share(function, share) for function in functions}
        self._versions = {function: code_version(function) for function, chosen in self._shares.items() if chosen}
        self._collected: dict[tuple[int, UUID | None], Sample] = {}
        self._ready: deque[Sample] = deque()
        self._tokens = float(ALONE_PER_SECOND)
        self._refilled_at = self._flushed_at = time.monotonic()

    def maybe_profile(self, job: PoolJob) -> None:
        """Choose at random whether this execution is profiled."""
        if random() < self._shares[job.function]:  # noqa: S311 - no secret
            job.sample = self._sample(job)

    def finished(self, sample: Sample) -> None:
        """An execution that was profiled has ended."""
        sample.executions += 1
        if sample.alone:
            self._ready.append(sample)
        elif time.monotonic() - self._flushed_at > COLLECT_SECONDS:
            self.flush()

    @property
    def flush_timeout(self) -> float | None:
        """How long to wait for a job before a flush is due; None when there is nothing to flush."""
        return COLLECT_SECONDS if self._collected else None

    def flush(self) -> None:
        """Let the collected profiles be stored."""
        self._flushed_at = time.monotonic()
        if self._collected:
            self._ready.extend(sample for sample in self._collected.values() if sample.executions)
            self._collected = {}

    def profiles(self) -> list[Profile]:
        """Take the profiles that are ready to be stored."""
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

    def _sample(self, job: PoolJob) -> Sample | None:
        now = time.monotonic()
        self._tokens = min(ALONE_PER_SECOND, self._tokens + (now - self._refilled_at) * ALONE_PER_SECOND)
        self._refilled_at = now
        if self._tokens >= 1:
            self._tokens -= 1
            return Sample(job, alone=True)
        key = (job.extension_id, job.posting_id)
        sample = self._collected.get(key)
        if sample is None and len(self._collected) < MOST_COLLECTED:
            sample = self._collected[key] = Sample(job, alone=False)
        return sample


def _profile_share(function: Function[..., Any], share: float | None) -> float:
    """The share set for the function, else the pool's. 0 for the pool switches profiling off for all."""
    if share == 0:
        return 0.0
    if function.profile is not None:
        return function.profile
    return DEFAULT_SHARE if share is None else share
