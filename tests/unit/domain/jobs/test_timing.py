"""The clockwork, and how large and how many."""

from __future__ import annotations

from workroom.domain import limits
from workroom.domain.jobs.timing import Timing


def test_the_defaults_are_those_of_the_rules() -> None:
    timing = Timing()
    assert (timing.heartbeat, timing.lease, timing.sweep, timing.grace, timing.confirm) == (10, 30, 5, 15, 5)


def test_a_worker_may_miss_a_heartbeat_without_being_lost() -> None:
    timing = Timing()
    assert timing.lease >= 2 * timing.heartbeat
    assert timing.grace < timing.lease


def test_the_limits_are_those_of_the_rules() -> None:
    assert (limits.ARGUMENT_BYTES, limits.RESULT_BYTES, limits.SCHEMA_BYTES, limits.MESSAGE_BYTES) == (
        1_000_000,
        1_000_000,
        100_000,
        1_000_000,
    )
