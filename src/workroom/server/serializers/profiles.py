"""Profiles of posted functions as responses, for the routes and for commands that read the database."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.actions.profiles import ProfileComparison, ProfileSummary
from workroom.domain.profiles import Cost
from workroom.store.queue_tables.profiles import ProfiledFunction as FunctionRow
from workroom.wire.profiles import (
    Callers,
    CostChange,
    Diff,
    FunctionCost,
    PairCost,
    Place,
    ProfiledFunction,
    ProfiledFunctions,
    Top,
    Totals,
)


def functions(rows: Sequence[FunctionRow]) -> ProfiledFunctions:
    return ProfiledFunctions(items=[ProfiledFunction.model_validate(row) for row in rows])


def top(found: ProfileSummary, *, order: str, limit: int) -> Top:
    """The most expensive functions, by their own time, their total time or their calls."""
    return Top(function=found.function, **dict(_totals(found)), items=_costs(found, order)[:limit])


def callers(found: ProfileSummary, *, of: str | None, limit: int) -> Callers:
    """Pairs of caller and callee, the most expensive first; `of` keeps those with this function on either side."""
    ranked = sorted(found.pairs.items(), key=lambda pair: (-pair[1].total_ms, pair[0]))
    items = [
        PairCost(
            caller=Place.model_validate(caller),
            callee=Place.model_validate(callee),
            calls=cost.calls,
            own_ms=cost.own_ms,
            total_ms=cost.total_ms,
        )
        for (caller, callee), cost in ranked
        if of is None or of in (caller.name, callee.name)
    ]
    return Callers(function=found.function, **dict(_totals(found)), items=items[:limit])


def diff(found: ProfileComparison, *, limit: int) -> Diff:
    return Diff(
        function=found.function,
        a=Totals.model_validate(found.a),
        b=Totals.model_validate(found.b),
        items=[CostChange.model_validate(change) for change in found.changes[:limit]],
    )


def _totals(found: ProfileSummary) -> Totals:
    return Totals.model_validate(found.totals)


def _costs(found: ProfileSummary, order: str) -> list[FunctionCost]:
    def rank(cost: Cost) -> float:
        return {"own": cost.own_ms, "total": cost.total_ms, "calls": float(cost.calls)}[order]

    whole = found.totals.total_ms or 1.0
    ranked = sorted(found.costs.items(), key=lambda item: (-rank(item[1]), item[0]))
    return [FunctionCost(**key._asdict(), **cost._asdict(), own_share=cost.own_ms / whole) for key, cost in ranked]
