"""Statements as files: read once, typed once, prepared by the connection that runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Generic, TypeVar

from psycopg import AsyncConnection, AsyncCursor

Row = TypeVar("Row")
Connection = AsyncConnection[tuple[Any, ...]]


class Statement(Generic[Row]):
    """One statement of `store/sql`, and what a row of its answer is."""

    def __init__(
        self, name: str, make_row: Callable[[Sequence[Any]], Row], *, wanted: frozenset[str] = frozenset()
    ) -> None:
        self.name = name
        self.query = _only(wanted, (files("workroom.store") / "sql" / f"{name}.sql").read_text()).encode()
        self._make_row = make_row

    async def all(self, connection: Connection, **values: Any) -> list[Row]:
        cursor = await self._execute(connection, values)
        return await cursor.fetchall()

    async def one(self, connection: Connection, **values: Any) -> Row | None:
        cursor = await self._execute(connection, values)
        return await cursor.fetchone()

    async def run(self, connection: Connection, **values: Any) -> int:
        """Run it for its effect: the number of rows it touched."""
        cursor = await self._execute(connection, values)
        return cursor.rowcount

    async def _execute(self, connection: Connection, values: dict[str, Any]) -> AsyncCursor[Row]:
        cursor = connection.cursor(binary=True, row_factory=lambda _: self._make_row)
        return await cursor.execute(self.query, values)


def first(row: Sequence[Any]) -> Any:
    """The row of a statement that answers one column."""
    return row[0]


def _only(wanted: frozenset[str], text: str) -> str:
    """The text without the lines marked `--? word` whose word is not wanted."""
    lines = (line.partition("--?") for line in text.splitlines())
    return "\n".join(code for code, mark, word in lines if not mark or word.strip() in wanted)
