"""What a worker ended lately, told as a rate."""

from __future__ import annotations

import pytest

from workroom.domain.jobs.worker_throughput import SLICES, throughput


def test_an_old_worker_is_judged_by_the_last_five_minutes() -> None:
    told = throughput([(0, 3, 1), (29, 7, 2)], into_slice=5.0, age=86_400.0)
    assert (told.ended, told.failed, told.seconds) == (10, 3, 295.0)
    assert told.per_minute == pytest.approx(10 * 60 / 295)
    assert told.history == (7, *[0] * (SLICES - 2), 3)


def test_a_young_worker_is_judged_by_its_own_time() -> None:
    told = throughput([(0, 4, 0), (1, 4, 0), (2, 4, 0)], into_slice=4.0, age=24.0)
    assert (told.seconds, told.per_minute) == (24.0, 30.0)


def test_a_worker_that_has_just_come_is_no_miracle() -> None:
    assert throughput([(0, 1, 0)], into_slice=9.0, age=0.1).per_minute == 6.0


def test_what_is_too_old_or_yet_to_come_does_not_count() -> None:
    told = throughput([(SLICES, 5, 5), (-1, 5, 5)], into_slice=0.0, age=1e6)
    assert (told.ended, told.failed, told.per_minute) == (0, 0, 0.0)
