"""Execution profiles: the cost of each function, with merging, comparison and export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID

DEFAULT_SHARE = 0.1

# A stored profile has at most so many functions and pairs. The cheapest functions beyond that are summed in one row.
MAX_FUNCTIONS = 1_000
MAX_PAIRS = 3_000


class FunctionKey(NamedTuple):
    """A Python function, identified by its place of definition."""

    file: str  # "~" for a function written in C
    line: int
    name: str


OTHERS = FunctionKey("~", 0, "<others>")


class Cost(NamedTuple):
    calls: int
    primitive_calls: int  # without recursive calls
    own_ms: float  # without the functions that it called
    total_ms: float

    def plus(self, other: Cost) -> Cost:
        return Cost(
            self.calls + other.calls,
            self.primitive_calls + other.primitive_calls,
            self.own_ms + other.own_ms,
            self.total_ms + other.total_ms,
        )


Costs = dict[FunctionKey, Cost]
Pair = tuple[FunctionKey, FunctionKey]  # caller, callee
Pairs = dict[Pair, Cost]
Stacks = dict[tuple[FunctionKey, ...], float]  # from the outermost function inwards, in milliseconds


@dataclass(slots=True)
class Profile:
    """The profile of one execution, or of several executions of one posting merged."""

    extension_id: int
    posting_id: UUID | None
    job_id: UUID | None  # None for a merged profile
    attempt: int | None
    code_version: str
    executions: int = 1
    total_ms: float = 0.0
    costs: Costs = field(default_factory=Costs)
    pairs: Pairs = field(default_factory=Pairs)
    stacks: Stacks | None = None  # set if stacks were sampled


def add(costs: dict[Any, Cost], key: Any, cost: Cost) -> None:
    before = costs.get(key)
    costs[key] = cost if before is None else before.plus(cost)


def bounded(costs: Costs, pairs: Pairs) -> tuple[Costs, Pairs]:
    """Limit a profile: the cheapest functions are summed as `OTHERS`, the cheapest pairs are dropped."""
    if len(costs) > MAX_FUNCTIONS:
        ranked = sorted(costs, key=lambda key: costs[key].own_ms + costs[key].total_ms, reverse=True)
        kept = {key: costs[key] for key in ranked[: MAX_FUNCTIONS - 1]}
        for key in ranked[MAX_FUNCTIONS - 1 :]:
            add(kept, OTHERS, costs[key]._replace(total_ms=costs[key].own_ms))
        costs = kept
        pairs = {pair: cost for pair, cost in pairs.items() if pair[0] in costs and pair[1] in costs}
    if len(pairs) > MAX_PAIRS:
        most_expensive = sorted(pairs, key=lambda pair: pairs[pair].total_ms, reverse=True)[:MAX_PAIRS]
        pairs = {pair: pairs[pair] for pair in most_expensive}
    return costs, pairs


def costs_of(stacks: Stacks) -> tuple[Costs, Pairs]:
    """Sampled stacks as costs of functions. Call counts are 0, because sampling does not count calls."""
    costs: Costs = {}
    pairs: Pairs = {}
    for stack, ms in stacks.items():
        for key in set(stack):
            add(costs, key, Cost(0, 0, ms if key == stack[-1] else 0.0, ms))
        for pair in set(pairwise(stack)):
            add(pairs, pair, Cost(0, 0, ms if pair == stack[-2:] else 0.0, ms))
    return costs, pairs


# Differences ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: costs summed over a number of executions."""

    executions: int
    total_ms: float
    costs: Mapping[FunctionKey, Cost]


class Difference(NamedTuple):
    """The cost of a function per execution, before (a) and after (b)."""

    file: str
    name: str
    calls_a: float
    calls_b: float
    own_ms_a: float
    own_ms_b: float
    total_ms_a: float
    total_ms_b: float

    @property
    def own_ms_change(self) -> float:
        return self.own_ms_b - self.own_ms_a


def differences(a: Side, b: Side) -> list[Difference]:
    """Compare function by function, the largest change of own time first.

    Functions are matched by file and name, because an edit moves them to other lines.
    """
    before, after = _by_name(a), _by_name(b)
    zero = (0.0, 0.0, 0.0)
    found = [
        Difference(
            *name,
            *(value for pair in zip(before.get(name, zero), after.get(name, zero), strict=True) for value in pair),
        )
        for name in before.keys() | after.keys()
    ]
    return sorted(found, key=lambda row: (-abs(row.own_ms_change), row.file, row.name))


def _by_name(side: Side) -> dict[tuple[str, str], tuple[float, float, float]]:
    summed: dict[tuple[str, str], Cost] = {}
    for key, cost in side.costs.items():
        add(summed, (key.file, key.name), cost)
    n = max(1, side.executions)
    return {name: (cost.calls / n, cost.own_ms / n, cost.total_ms / n) for name, cost in summed.items()}


# Other tools' formats ---------------------------------------------------------------------------------------------


def as_pstats(costs: Mapping[FunctionKey, Cost], pairs: Mapping[Pair, Cost]) -> dict[Any, Any]:
    """The statistics in the form that the standard library's pstats reads, once marshalled."""
    callers: dict[FunctionKey, dict[Any, Any]] = {key: {} for key in costs}
    for (caller, callee), cost in pairs.items():
        if callee in callers:
            callers[callee][tuple(caller)] = (
                cost.calls,
                cost.primitive_calls,
                cost.own_ms / 1000,
                cost.total_ms / 1000,
            )
    return {
        tuple(key): (cost.primitive_calls, cost.calls, cost.own_ms / 1000, cost.total_ms / 1000, callers[key])
        for key, cost in costs.items()
    }


def estimated_stacks(costs: Mapping[FunctionKey, Cost], pairs: Mapping[Pair, Cost]) -> Stacks:
    """Estimate stacks from the costs of callers and callees.

    cProfile records pairs of caller and callee, not whole stacks. The estimate splits the time of a function among its
    callees in the same proportions for each of its callers: exact for call trees, an estimate where call paths join.
    """
    callees: dict[FunctionKey, list[tuple[FunctionKey, float]]] = {}
    called: set[FunctionKey] = set()
    for (caller, callee), cost in pairs.items():
        if caller != callee:
            callees.setdefault(caller, []).append((callee, cost.total_ms))
            called.add(callee)
    roots = [key for key in costs if key not in called] or sorted(costs, key=lambda key: -costs[key].total_ms)[:1]
    whole = sum(costs[key].total_ms for key in roots)
    stacks: Stacks = {}
    smallest = whole / 10_000
    unvisited: list[tuple[tuple[FunctionKey, ...], float]] = [((key,), costs[key].total_ms) for key in roots]
    while unvisited:
        stack, ms = unvisited.pop()
        innermost = stack[-1]
        total = costs[innermost].total_ms or ms
        own = ms
        for callee, callee_ms in callees.get(innermost, ()) if len(stack) < _MAX_DEPTH else ():
            share = min(callee_ms * ms / total if total else 0.0, own)
            if callee in costs and callee not in stack and share > smallest:
                unvisited.append(((*stack, callee), share))
                own -= share
        if own > 0:
            stacks[stack] = stacks.get(stack, 0.0) + own
    return stacks


_MAX_DEPTH = 100


def as_speedscope(name: str, stacks: Stacks, *, estimated: bool) -> dict[str, Any]:
    """A document that speedscope opens."""
    frames: dict[FunctionKey, int] = {}
    samples: list[list[int]] = []
    weights: list[float] = []
    for stack, ms in sorted(stacks.items()):
        samples.append([frames.setdefault(key, len(frames)) for key in stack])
        weights.append(round(ms, 6))
    title = f"{name} (estimated from callers and callees)" if estimated else name
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "workroom",
        "name": title,
        "activeProfileIndex": 0,
        "shared": {"frames": [{"name": key.name, "file": key.file, "line": key.line} for key in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": title,
                "unit": "milliseconds",
                "startValue": 0,
                "endValue": round(sum(weights), 6),
                "samples": samples,
                "weights": weights,
            }
        ],
    }


def stacks_as_json(stacks: Stacks) -> dict[str, Any]:
    """Stacks in the form of the database column."""
    functions: dict[FunctionKey, int] = {}
    rows = [[functions.setdefault(key, len(functions)) for key in stack] for stack in stacks]
    return {"functions": [list(key) for key in functions], "stacks": rows, "ms": list(stacks.values())}


def merged_stacks(stored: Iterable[Mapping[str, Any]]) -> Stacks:
    """The sum of stored stacks."""
    merged: Stacks = {}
    for document in stored:
        functions: list[FunctionKey] = [FunctionKey(*key) for key in document["functions"]]
        rows: list[list[int]] = document["stacks"]
        for row, ms in zip(rows, document["ms"], strict=True):
            stack = tuple(functions[index] for index in row)
            merged[stack] = merged.get(stack, 0.0) + ms
    return merged
