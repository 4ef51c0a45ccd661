"""The ids of a posting and of its jobs."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from workroom.actions.engine import new_id
from workroom.domain.ids import (
    JOBS_PER_POSTING,
    first_and_last,
    job_id,
    job_ids,
    oldest_id,
    position,
    posting_id,
)

FRESH = st.uuids()
POSITION = st.integers(0, JOBS_PER_POSTING - 1)


@given(FRESH, POSITION)
def test_a_job_knows_its_posting_and_its_position(fresh: UUID, place: int) -> None:
    posting = posting_id(fresh)
    job = job_id(posting, place)
    assert (posting_id(job), position(job)) == (posting, place)


@given(FRESH, st.integers(0, 2**31), st.integers(0, 50))
def test_the_jobs_of_a_posting_are_one_range_in_their_order(fresh: UUID, start: int, count: int) -> None:
    posting = posting_id(fresh)
    made = list(job_ids(posting, start, start + count))
    assert made == [job_id(posting, place) for place in range(start, start + count)]
    assert [job.int for job in made] == list(range(posting.int + start, posting.int + start + count))
    first, last = first_and_last(posting)
    assert all(first <= job <= last for job in made)


@given(FRESH, FRESH)
def test_the_ranges_of_two_postings_are_apart(one: UUID, other: UUID) -> None:
    one, other = sorted((posting_id(one), posting_id(other)))
    assert one == other or first_and_last(one)[1] < first_and_last(other)[0]


def test_a_posting_begins_with_its_own_id_and_is_full_after_four_bytes() -> None:
    posting = posting_id(UUID(int=2**128 - 1))
    first, last = first_and_last(posting)
    assert first == posting and last.int == 2**128 - 1


def test_newer_ids_are_larger_also_those_of_postings_among_jobs() -> None:
    ids: list[UUID] = []
    for _ in range(2_000):
        fresh = new_id()
        posting = posting_id(fresh)
        ids += [posting, job_id(posting, 1), new_id()]
    assert ids == sorted(ids)
    assert len({*ids}) == len(ids)
    assert all(one.version == 7 for one in ids)


@given(st.floats(0, 4e9), st.floats(0, 4e9))
def test_the_oldest_id_of_a_later_time_is_never_smaller(one: float, other: float) -> None:
    earlier, later = sorted((one, other))
    assert oldest_id(earlier) <= oldest_id(later)


def test_an_id_is_not_older_than_the_oldest_of_its_time() -> None:
    fresh = new_id()
    made = (fresh.int >> 80) / 1000
    assert oldest_id(made - 0.001) < fresh < oldest_id(made + 0.002)
    assert oldest_id(-5.0) == UUID(int=0)
