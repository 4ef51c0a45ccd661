"""Counts of ended jobs and their times in buckets."""

from __future__ import annotations

import random
from statistics import quantiles
from uuid import uuid4

import pytest

from workroom.domain.jobs.ended_job_counts import BUCKETS, HistoryCounts, HistoryKey, bucket, percentile

KEY = HistoryKey(1, "lab", None)


def test_each_bucket_is_twice_as_long_as_the_one_before() -> None:
    times = [-1.0, 0.001, 0.0011, 0.002, 0.0021, 0.004, 1.024, 1.025, 10.0**9]
    assert [bucket(seconds) for seconds in times] == [0, 0, 1, 1, 2, 2, 10, 11, BUCKETS - 1]


def test_percentiles_are_close_to_those_of_the_times() -> None:
    chance = random.Random(7)
    times = [chance.lognormvariate(0, 1.5) for _ in range(20_000)]
    counts = HistoryCounts()
    for seconds in times:
        counts.add_times(KEY, waited=0.0, ran=seconds)
    runs = counts.take()[KEY].runs
    exact = quantiles(times, n=100)
    for share, place in ((0.5, 49), (0.95, 94)):
        assert percentile(runs, share) == pytest.approx(exact[place] * 1000, rel=0.2)
    assert percentile([0] * BUCKETS, 0.5) is None


def test_counts_that_could_not_be_written_are_added_again_and_bounded() -> None:
    counts = HistoryCounts()
    counts.add_ended(KEY, "completed", 3)
    taken = counts.take()
    counts.add_ended(KEY, "completed")
    counts.add_ended(KEY, "failed")
    counts.put_back(taken)
    assert (counts.take()[KEY].completed, counts.take()) == (4, {})
    for _ in range(10_100):
        counts.add_ended(HistoryKey(1, None, uuid4()), "cancelled")
    assert len(counts.take()) == 10_000
