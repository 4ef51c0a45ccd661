"""Sums, differences and estimates of costs."""

from __future__ import annotations

import pytest

from workroom.domain import profiles
from workroom.domain.profiles import Cost, FunctionKey, Side, bounded, costs_of, differences, estimated_stacks


def key(name: str, line: int = 1) -> FunctionKey:
    return FunctionKey("a.py", line, name)


def test_a_difference_is_for_each_execution_and_does_not_mind_lines() -> None:
    before = Side(2, 20.0, {key("f", 1): Cost(4, 4, 20.0, 20.0)})
    after = Side(10, 300.0, {key("f", 9): Cost(40, 40, 200.0, 200.0), key("g"): Cost(10, 10, 100.0, 100.0)})
    f, g = differences(before, after)
    assert (f.name, f.calls_a, f.calls_b, f.own_ms_a, f.own_ms_b, f.own_ms_change) == ("f", 2, 4, 10, 20, 10)
    assert (g.name, g.calls_a, g.own_ms_a, g.own_ms_b) == ("g", 0, 0, 10)


def test_estimated_stacks_of_a_tree_are_exact() -> None:
    costs = {
        key("root"): Cost(1, 1, 1.0, 10.0),
        key("left"): Cost(1, 1, 2.0, 6.0),
        key("right"): Cost(1, 1, 3.0, 3.0),
        key("leaf"): Cost(1, 1, 4.0, 4.0),
    }
    pairs = {
        (key("root"), key("left")): Cost(1, 1, 2.0, 6.0),
        (key("root"), key("right")): Cost(1, 1, 3.0, 3.0),
        (key("left"), key("leaf")): Cost(1, 1, 4.0, 4.0),
    }
    assert {tuple(one.name for one in stack): ms for stack, ms in estimated_stacks(costs, pairs).items()} == {
        ("root",): 1.0,
        ("root", "left"): 2.0,
        ("root", "left", "leaf"): 4.0,
        ("root", "right"): 3.0,
    }


def test_estimated_stacks_of_recursion_end() -> None:
    costs = {key("even"): Cost(9, 1, 5.0, 10.0), key("odd"): Cost(9, 1, 5.0, 9.0)}
    pairs = {
        (key("even"), key("odd")): Cost(9, 1, 5.0, 9.0),
        (key("odd"), key("even")): Cost(8, 0, 4.0, 8.0),
        (key("odd"), key("odd")): Cost(1, 0, 1.0, 1.0),
    }
    assert abs(sum(estimated_stacks(costs, pairs).values()) - 10.0) < 1e-6
    assert estimated_stacks({}, {}) == {}


def test_large_profiles_keep_the_expensive_and_lose_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "MAX_FUNCTIONS", 3)
    monkeypatch.setattr(profiles, "MAX_PAIRS", 1)
    costs = {key(str(n)): Cost(1, 1, float(n), float(n)) for n in range(10)}
    pairs = {(key("9"), key(str(n))): Cost(1, 1, float(n), float(n)) for n in range(9)}
    kept, pairs_kept = bounded(costs, pairs)
    assert {one.name for one in kept} == {"9", "8", "<others>"}
    assert sum(cost.own_ms for cost in kept.values()) == 45
    assert list(pairs_kept) == [(key("9"), key("8"))]


def test_a_recursive_stack_counts_once() -> None:
    f, g = key("f"), key("g")
    costs, pairs = costs_of({(f, g, f): 3.0, (f,): 1.0})
    assert costs == {f: Cost(0, 0, 4.0, 4.0), g: Cost(0, 0, 0.0, 3.0)}
    assert pairs == {(f, g): Cost(0, 0, 0.0, 3.0), (g, f): Cost(0, 0, 3.0, 3.0)}
