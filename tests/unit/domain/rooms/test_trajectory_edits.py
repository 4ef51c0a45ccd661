"""Edits become cuts, in time that grows with the number of frames."""

from __future__ import annotations

import time

import pytest

from workroom.domain.errors import NoSuchFrame, SizeMismatch
from workroom.domain.rooms.trajectory_edits import Cut, Places, Replace, cuts


def test_contiguous_replacements_are_one_cut_each() -> None:
    assert cuts(Replace(Places([4, 2, 3, 7, 2])), 10, 5) == [Cut(2, 3, (4, 2, 0)), Cut(7, 1, (3,))]
    assert cuts(Replace(Places([-1, 0])), 3, 2) == [Cut(0, 1, (1,)), Cut(2, 1, (0,))]
    assert cuts(Replace(Places([])), 3, 0) == []


def test_indices_outside_and_wrong_counts_are_refused() -> None:
    for index in (3, -4):
        with pytest.raises(NoSuchFrame):
            cuts(Replace(Places([0, index])), 3, 2)
    with pytest.raises(SizeMismatch):
        cuts(Replace(Places([0, 1])), 3, 1)


def test_a_long_range_of_indices_is_replaced_in_linear_time() -> None:
    """With a new tuple for each index this would copy 160 GB."""
    started = time.process_time()
    (cut,) = cuts(Replace(Places(range(200_000))), 200_000, 200_000)
    assert cut == Cut(0, 200_000, tuple(range(200_000)))
    assert time.process_time() - started < 5
