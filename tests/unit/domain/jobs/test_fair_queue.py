"""Whose job comes next: turns between people, and turns between extensions."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.jobs.fair_queue import (
    DEFAULT_PRIORITY,
    HIGHEST_PRIORITY,
    LOWEST_PRIORITY,
    Place,
    next_extension,
    next_turn,
)


class Line:
    """One waiting line, served by the rule alone."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Place, str]] = []
        self.last: dict[str, int] = {}
        self.submitted = 0

    def submit(self, person: str, priority: int = DEFAULT_PRIORITY) -> None:
        current = min((place.turn for place, _ in self.waiting), default=max(self.last.values(), default=0))
        self.last[person] = next_turn(current, self.last.get(person))
        self.submitted += 1
        self.waiting.append((Place.of(priority, self.last[person], self.submitted), person))

    def serve(self) -> str:
        first = min(self.waiting)
        self.waiting.remove(first)
        return first[1]


def test_priority_is_from_0_to_10_and_5_by_default() -> None:
    assert (LOWEST_PRIORITY, DEFAULT_PRIORITY, HIGHEST_PRIORITY) == (0, 5, 10)


def test_the_more_urgent_comes_first_then_the_earlier_turn_then_the_older() -> None:
    places = [Place.of(5, 1, 1), Place.of(5, 0, 3), Place.of(9, 7, 4), Place.of(5, 0, 2)]
    assert sorted(places) == [Place.of(9, 7, 4), Place.of(5, 0, 2), Place.of(5, 0, 3), Place.of(5, 1, 1)]


@given(st.integers(1, 200), st.integers(1, 200), st.integers(0, 100))
def test_two_submitters_share_the_turns_however_many_jobs_each_has(many: int, few: int, served_before: int) -> None:
    line = Line()
    for _ in range(many):
        line.submit("ada")
    for _ in range(min(served_before, many - 1)):
        line.serve()
    for _ in range(few):
        line.submit("ben")
    served = [line.serve() for _ in range(len(line.waiting))]
    both = 2 * min(served.count("ada"), served.count("ben"))
    for so_far in range(1, both + 1):
        shares = Counter(served[:so_far])
        assert abs(shares["ada"] - shares["ben"]) <= 1


@given(st.lists(st.sampled_from(["ada", "ben", "cleo", "serve"]), max_size=300))
def test_nobody_waits_for_more_than_one_job_of_each_other_person_per_own_job(happenings: list[str]) -> None:
    line = Line()
    for happening in happenings:
        if happening != "serve":
            line.submit(happening)
        elif line.waiting:
            line.serve()
    # From here on everybody who waits is served in every round of as many jobs as there are people.
    line.submit("dora")
    served = [line.serve() for _ in range(len(line.waiting))]
    assert served.index("dora") <= 3


@given(st.integers(1, 50))
def test_a_newcomer_takes_no_turn_that_has_gone_by(served: int) -> None:
    line = Line()
    for _ in range(served + 5):
        line.submit("ada")
    for _ in range(served):
        line.serve()
    line.submit("ben")
    assert line.last["ben"] == served


def test_the_first_turn_is_the_one_being_served() -> None:
    assert next_turn(7, None) == 7
    assert next_turn(7, 3) == 7
    assert next_turn(7, 7) == 8
    assert next_turn(7, 20) == 21


def test_the_extension_served_longest_ago_is_next_among_those_of_the_highest_priority() -> None:
    assert next_extension([("a", 5, 3.0), ("b", 5, 1.0), ("c", 4, 0.0)]) == "b"
    assert next_extension([("a", 5, 3.0), ("b", 5, 1.0), ("c", 6, 9.0)]) == "c"
    assert next_extension([]) is None


@given(st.integers(1, 8), st.integers(1, 60))
def test_no_extension_starves_among_equals(extensions: int, rounds: int) -> None:
    served = dict.fromkeys(range(extensions), 0.0)
    order: list[int] = []
    for now in range(1, rounds * extensions + 1):
        chosen = next_extension((one, 5, at) for one, at in served.items())
        assert chosen is not None
        served[chosen] = float(now)
        order.append(chosen)
    for start in range(0, len(order), extensions):
        assert sorted(order[start : start + extensions]) == list(range(extensions))
