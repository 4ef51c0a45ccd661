"""Every combination of the swept parameters, the last one fastest."""

from __future__ import annotations

import pytest

from workroom.domain.errors import BadInput, TooLarge
from workroom.domain.jobs.sweep import arguments_of_sweep
from workroom.domain.limits import JOBS_PER_SWEEP


def test_the_last_parameter_changes_fastest_and_data_is_in_every_set() -> None:
    made = list(arguments_of_sweep({"n": 0, "keep": True}, {"n": [1, 2], "x": ["a", "b"]}))
    assert [(one["n"], one["x"]) for one in made] == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert all(one["keep"] for one in made)


def test_a_dot_leads_into_an_inner_object_which_no_two_sets_share() -> None:
    data = {"cell": {"scale": 1.0, "periodic": True}}
    first, second = arguments_of_sweep(data, {"cell.scale": [0.9, 1.1]})
    assert (first, second) == (
        {"cell": {"scale": 0.9, "periodic": True}},
        {"cell": {"scale": 1.1, "periodic": True}},
    )
    assert data == {"cell": {"scale": 1.0, "periodic": True}}
    assert list(arguments_of_sweep({}, {"a.b": [1]})) == [{"a": {"b": 1}}]


def test_without_anything_to_sweep_over_there_is_one_set() -> None:
    assert list(arguments_of_sweep({"n": 1}, {})) == [{"n": 1}]


def test_what_makes_no_sweep_is_refused() -> None:
    with pytest.raises(BadInput, match="The sweep of 'n' has no values"):
        arguments_of_sweep({}, {"n": []})
    with pytest.raises(BadInput, match="which is not an object"):
        list(arguments_of_sweep({"n": 1}, {"n.x": [1]}))
    with pytest.raises(TooLarge, match=f"at most {JOBS_PER_SWEEP:,}"):
        arguments_of_sweep({}, {"a": [0] * 1_000, "b": [0] * 1_000})
