"""Profiles of functions: written by pools, summarised, compared and exported for users."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.engine import Engine
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.profiles import (
    Cost,
    Difference,
    FunctionKey,
    Pair,
    Profile,
    Side,
    as_pstats,
    as_speedscope,
    differences,
    estimated_stacks,
    merged_stacks,
    stacks_as_json,
)
from workroom.store.queue_tables import profiles
from workroom.store.queue_tables.profiles import ProfiledFunction, ProfileFilter, ProfileTotals

_FORMATS = ("prof", "speedscope")
_EXPORTED_STACKS = 200  # the newest profiles with stacks, merged into one export
_CACHED_FUNCTIONS = 50_000  # functions whose ids are cached


class ProfileWriter:
    """Stores the profiles of one worker. It caches the ids of functions, because most occur again."""

    def __init__(self, engine: Engine, worker_id: UUID, machine: str) -> None:
        self._engine = engine
        self._worker_id = worker_id
        self._machine = machine
        self._functions: dict[FunctionKey, int] = {}

    async def store(self, given: Sequence[Profile]) -> None:
        seen = {key for one in given for key in one.costs} | {
            key for one in given for pair in one.pairs for key in pair
        }
        if len(self._functions) > _CACHED_FUNCTIONS:
            self._functions.clear()
        async with self._engine.database.connection() as connection:
            if new := sorted(seen - self._functions.keys()):
                self._functions |= await profiles.upsert_functions(connection, new)
            await profiles.store(
                connection,
                worker_id=self._worker_id,
                machine=self._machine,
                profiles=orjson.dumps([self._as_json(one) for one in given]).decode(),
            )

    def _as_json(self, one: Profile) -> dict[str, Any]:
        ids = self._functions
        return {
            "extension_id": one.extension_id,
            "posting_id": one.posting_id,
            "job_id": one.job_id,
            "attempt": one.attempt,
            "code_version": one.code_version,
            "executions": one.executions,
            "calls": sum(cost.calls for cost in one.costs.values()),
            "total_ms": one.total_ms,
            "stacks": None if one.stacks is None else stacks_as_json(one.stacks),
            "stats": [[ids[key], *cost] for key, cost in one.costs.items()],
            "pairs": [[ids[caller], ids[callee], *cost] for (caller, callee), cost in one.pairs.items()],
        }


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    """The cost of each function in some profiles, or of each pair of them."""

    function: str
    totals: ProfileTotals
    costs: dict[FunctionKey, Cost]
    pairs: dict[Pair, Cost]


@dataclass(frozen=True, slots=True)
class ProfileComparison:
    function: str
    a: ProfileTotals
    b: ProfileTotals
    changes: list[Difference]


async def list_functions(engine: Engine, chosen: ProfileFilter, *, limit: int) -> list[ProfiledFunction]:
    """The functions that have profiles, the most expensive first."""
    async with engine.database.connection() as connection:
        return await profiles.list_functions(connection, chosen, limit=limit)


async def summarise(engine: Engine, function: str, chosen: ProfileFilter, *, pairs: bool = False) -> ProfileSummary:
    """What the chosen profiles add up to."""
    async with engine.database.connection() as connection:
        totals = await _require_totals(connection, function, chosen)
        costs = await profiles.stats(connection, function, chosen)
        found = await profiles.pairs(connection, function, chosen) if pairs else {}
    return ProfileSummary(function, totals, costs, found)


async def compare(engine: Engine, function: str, a: ProfileFilter, b: ProfileFilter) -> ProfileComparison:
    """What each function costs for each execution, on two sides."""
    before, after = await summarise(engine, function, a), await summarise(engine, function, b)
    found = differences(_side(before), _side(after))
    return ProfileComparison(function, before.totals, after.totals, found)


async def export(engine: Engine, function: str, chosen: ProfileFilter, format: str) -> bytes:
    """The chosen profiles as one file: `prof` for pstats, or `speedscope`."""
    if format not in _FORMATS:
        raise BadInput(f"format is {' or '.join(_FORMATS)}, not {format!r}.")
    found = await summarise(engine, function, chosen, pairs=True)
    if format == "prof":
        return marshal.dumps(as_pstats(found.costs, found.pairs))
    if found.totals.with_stacks:
        async with engine.database.connection() as connection:
            stored = await profiles.stacks(connection, function, chosen, limit=_EXPORTED_STACKS)
        return orjson.dumps(as_speedscope(function, merged_stacks(stored), estimated=False))
    return orjson.dumps(as_speedscope(function, estimated_stacks(found.costs, found.pairs), estimated=True))


def parse_side(text: str, base: ProfileFilter) -> ProfileFilter:
    """One side of a comparison, as people write it.

    `posting:ID`, `version:NAME`, `machine:NAME`, or `FROM..TO` with times as ISO 8601 has them; either may be missing.
    """
    kind, colon, rest = text.partition(":")
    if kind == "posting" and colon:
        try:
            return base._replace(posting_id=UUID(rest))
        except ValueError:
            raise BadInput(f"{rest!r} is not the id of a posting.") from None
    if kind == "version" and colon:
        return base._replace(code_version=_parse_name(rest))
    if kind == "machine" and colon:
        return base._replace(machine=_parse_name(rest))
    if ".." in text:
        since, _, until = text.partition("..")
        return base._replace(since=_parse_time(since), until=_parse_time(until))
    raise BadInput(f"{text!r} is no side: write posting:ID, version:NAME, machine:NAME or FROM..TO (times).")


async def _require_totals(connection: Any, function: str, chosen: ProfileFilter) -> ProfileTotals:
    totals = await profiles.totals(connection, function, chosen)
    if totals.profiles == 0:
        raise NotFound(f"There are no such profiles of {function}, or they are not yours to see.")
    return totals


def _side(found: ProfileSummary) -> Side:
    return Side(found.totals.executions, found.totals.total_ms, found.costs)


def _parse_name(text: str) -> str:
    if "\0" in text:
        raise BadInput("The character NUL is in no name.")
    return text


def _parse_time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is no time: write 2026-01-31T12:00:00+00:00.") from None
    if moment.tzinfo is None:
        raise BadInput(f"{text!r} has no offset from UTC: write 2026-01-31T12:00:00+00:00.")
    return moment
