"""SQL statements stored as files of `store/sql`, each with the type of its rows.

- Parameters are written `%(name)s`. They are numbered once, when the file is read; the driver would parse a long
  statement again on each execution.
- A line `--< fragments/name` is replaced by the text of that file, so that several statements share it. A filter's mark
  after it holds for all lines of the file.
- A line that ends with `--? name` is a filter of a list. It is kept only in the variants that use the filter, because
  a condition such as `(x IS NULL OR column = x)` keeps PostgreSQL from using the index of the column. Statements that
  change rows have no such lines.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Generic, TypeVar

from psycopg import AsyncConnection, AsyncRawCursor
from psycopg.pq import Format

Row = TypeVar("Row")
_MANY_ROWS = 1_000
Connection = AsyncConnection[tuple[Any, ...]]


class Statement(Generic[Row]):
    """One statement of `store/sql` and the function that makes a row of its result.

    `frequent` marks a statement that runs for every job or batch of jobs. `tests/store/test_plans.py` checks that its
    plan reads no index of jobs from end to end.
    """

    def __init__(
        self,
        name: str,
        make_row: Callable[[Sequence[Any]], Row],
        *,
        filters: frozenset[str] = frozenset(),
        frequent: bool = False,
    ) -> None:
        self.name = name
        self.frequent = frequent
        self.query, self._parameters = _number_parameters(_select_filters(filters, _load(name)))
        self._make_row = make_row

    async def all(self, connection: Connection, **values: Any) -> list[Row]:
        cursor = await self._execute(connection, values)
        if cursor.rowcount <= _MANY_ROWS:
            return await cursor.fetchall()
        # To make very many rows takes long: others use the event loop in between.
        rows: list[Row] = []
        while more := await cursor.fetchmany(_MANY_ROWS):
            rows += more
            await asyncio.sleep(0)
        return rows

    async def one(self, connection: Connection, **values: Any) -> Row | None:
        cursor = await self._execute(connection, values)
        return await cursor.fetchone()

    async def run(self, connection: Connection, **values: Any) -> int:
        """Execute the statement and return the number of rows it changed or returned."""
        cursor = await self._execute(connection, values)
        return cursor.rowcount

    async def _execute(self, connection: Connection, values: dict[str, Any]) -> AsyncRawCursor[Row]:
        cursor = AsyncRawCursor(connection, row_factory=lambda _: self._make_row)
        cursor.format = Format.BINARY
        return await cursor.execute(self.query, [values[name] for name in self._parameters])


def first(row: Sequence[Any]) -> Any:
    """Row function of a statement that returns one column."""
    return row[0]


def _load(name: str) -> str:
    """The text of a file, with the fragments it includes."""
    text = (files("workroom.store") / "sql" / f"{name}.sql").read_text()
    include = r"--< (\S+)( --\? \w+)?$"
    return re.sub(include, lambda match: _include(match[1], match[2] or ""), text, flags=re.MULTILINE)


def _include(name: str, mark: str) -> str:
    """The text of a fragment. Each of its lines gets the mark of the filter that it is included for."""
    return "\n".join(line + mark for line in _load(name).splitlines())


def _number_parameters(text: str) -> tuple[bytes, list[str]]:
    """The statement with `$1`, `$2`, … for its parameters, and the names of the parameters in that order."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return "%" if match[1] is None else f"${numbers.setdefault(match[1], len(numbers) + 1)}"

    return re.sub(r"%%|%\((\w+)\)s", number, text).encode(), list(numbers)


def _select_filters(filters: frozenset[str], text: str) -> str:
    """The text without the lines marked `--? name` whose filter is not used."""
    lines = (line.partition("--?") for line in text.splitlines())
    return "\n".join(code for code, mark, name in lines if not mark or name.strip() in filters)
