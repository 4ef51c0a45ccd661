"""Waits and runs are counted in the bucket whose bound they do not exceed."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.jobs.latency import BOUNDS, RUN, WAIT, BucketCount, LatencyCounts

SECONDS = st.one_of(st.sampled_from(BOUNDS[:-1]), st.floats(min_value=0, max_value=1e6))


@given(st.lists(SECONDS))
def test_a_batch_is_counted_like_its_jobs_one_by_one(seconds: list[float]) -> None:
    batch, singly = LatencyCounts(), LatencyCounts()
    batch.add_all(RUN, seconds)
    for one in sorted(seconds):
        singly.add(RUN, one)
    by_batch, one_by_one = batch.take(), singly.take()
    assert [(count.bound, count.jobs) for count in by_batch] == [(count.bound, count.jobs) for count in one_by_one]
    assert abs(sum(count.seconds for count in by_batch) - sum(seconds)) <= 1e-9 * max(1.0, sum(seconds))


def test_a_time_is_counted_in_the_first_bucket_that_holds_it() -> None:
    counts = LatencyCounts()
    for seconds in (0.0005, 0.001, 0.0011, 1e6):
        counts.add(RUN, seconds)
    counts.add_all(WAIT, [0.2, 0.3, -0.1])
    taken = counts.take()
    assert [(count.kind, count.bound, count.jobs) for count in taken] == [
        (WAIT, 0.001, 1),
        (WAIT, 0.5, 2),
        (RUN, 0.001, 2),
        (RUN, 0.005, 1),
        (RUN, inf, 1),
    ]
    assert taken[0].seconds == 0.0, "a clock that is late gives no negative time"
    assert counts.take() == []


def test_counts_that_could_not_be_written_are_kept() -> None:
    counts = LatencyCounts()
    counts.add(RUN, 2.0)
    taken = counts.take()
    counts.add(RUN, 3.0)
    counts.put_back(taken)
    assert counts.take() == [BucketCount(RUN, 5.0, 2, 5.0)]
