"""One function for each statement of `sql/profile`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from workroom.domain.profiles import Cost, FunctionKey, Pair
from workroom.store.array_parameters import Integers
from workroom.store.statement import Connection, Statement, first


class ProfiledFunction(NamedTuple):
    """A posted function, and what its profiles are the sum of."""

    function: str
    profiles: int
    executions: int
    calls: int
    total_ms: float
    code_versions: list[str]
    machines: list[str]
    first_at: datetime
    last_at: datetime


class ProfileTotals(NamedTuple):
    profiles: int
    executions: int
    calls: int
    total_ms: float
    with_stacks: int


class ProfileFilter(NamedTuple):
    """Which profiles of a function; what is none does not matter."""

    submitter: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    posting_id: UUID | None = None
    code_version: str | None = None
    machine: str | None = None

    def values(self) -> dict[str, Any]:
        return {word: value for word, value in self._asdict().items() if value is not None}


def _known(row: Sequence[Any]) -> tuple[FunctionKey, int]:
    return FunctionKey(*row[1:]), row[0]


def _stat(row: Sequence[Any]) -> tuple[FunctionKey, Cost]:
    return FunctionKey(*row[:3]), Cost(*row[3:])


def _pair(row: Sequence[Any]) -> tuple[Pair, Cost]:
    return (FunctionKey(*row[:3]), FunctionKey(*row[3:6])), Cost(*row[6:])


_insert_functions = Statement[None]("profile/insert_functions", first)
_functions = Statement("profile/functions", _known)
_store = Statement[None]("profile/store", first)
_prune = Statement[None]("profile/prune", first)


@cache
def _list(filters: frozenset[str]) -> Statement[ProfiledFunction]:
    return Statement("profile/list", ProfiledFunction._make, filters=filters)


@cache
def _totals(filters: frozenset[str]) -> Statement[ProfileTotals]:
    return Statement("profile/totals", ProfileTotals._make, filters=filters)


@cache
def _stats(filters: frozenset[str]) -> Statement[tuple[FunctionKey, Cost]]:
    return Statement("profile/stats", _stat, filters=filters)


@cache
def _call_pairs(filters: frozenset[str]) -> Statement[tuple[Pair, Cost]]:
    return Statement("profile/call_pairs", _pair, filters=filters)


@cache
def _stacks(filters: frozenset[str]) -> Statement[dict[str, Any]]:
    return Statement("profile/stacks", first, filters=filters)


async def upsert_functions(connection: Connection, keys: Sequence[FunctionKey]) -> dict[FunctionKey, int]:
    """The numbers of these functions; the new ones among them get one."""
    values: dict[str, Any] = {
        "files": [key.file for key in keys],
        "lines": Integers([key.line for key in keys]),
        "names": [key.name for key in keys],
    }
    await _insert_functions.run(connection, **values)
    return dict(await _functions.all(connection, **values))


async def store(connection: Connection, *, worker_id: UUID, machine: str, profiles: str) -> None:
    await _store.run(connection, worker_id=worker_id, machine=machine, profiles=profiles)


async def list_functions(connection: Connection, chosen: ProfileFilter, *, limit: int) -> list[ProfiledFunction]:
    values = chosen.values()
    return await _list(frozenset(values)).all(connection, limit=limit, **values)


async def totals(connection: Connection, name: str, chosen: ProfileFilter) -> ProfileTotals:
    values = chosen.values()
    row = await _totals(frozenset(values)).one(connection, name=name, **values)
    assert row is not None, "a sum has one row"
    return row


async def stats(connection: Connection, name: str, chosen: ProfileFilter) -> dict[FunctionKey, Cost]:
    values = chosen.values()
    return dict(await _stats(frozenset(values)).all(connection, name=name, **values))


async def pairs(connection: Connection, name: str, chosen: ProfileFilter) -> dict[Pair, Cost]:
    values = chosen.values()
    return dict(await _call_pairs(frozenset(values)).all(connection, name=name, **values))


async def stacks(connection: Connection, name: str, chosen: ProfileFilter, *, limit: int) -> list[dict[str, Any]]:
    values = chosen.values()
    return await _stacks(frozenset(values)).all(connection, name=name, limit=limit, **values)


async def prune(connection: Connection, *, recorded_before: datetime, limit: int) -> int:
    return await _prune.run(connection, recorded_before=recorded_before, limit=limit)
