"""Statements as files: read once, typed once, prepared by the connection that runs them.

A file names its values `%(so)s`. They are numbered once, when the file is read: the driver would do it again with every
run of a long statement. A line `--< part/name` stands for the text of another file: what several statements have in
common stands once. A line marked `--? word` counts only where that word is wanted.

For a statement that is run `often`, each session also keeps the driver's cursor, which knows by then how its values are
written and its answers read; it keeps the last answer, too, so that must be a small one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Generic, TypeVar

from psycopg import AsyncConnection, AsyncRawCursor
from psycopg.pq import Format

Row = TypeVar("Row")
Connection = AsyncConnection[tuple[Any, ...]]


class Session(AsyncConnection[tuple[Any, ...]]):
    """A connection that keeps what the statements run often have made ready."""

    cursors: dict[str, AsyncRawCursor[Any]]

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.cursors = {}


class Statement(Generic[Row]):
    """One statement of `store/sql`, and what a row of its answer is."""

    def __init__(
        self,
        name: str,
        make_row: Callable[[Sequence[Any]], Row],
        *,
        wanted: frozenset[str] = frozenset(),
        often: bool = False,
    ) -> None:
        self.name = name
        self._key = " ".join([name, *sorted(wanted)]) if often else None
        self.query, self._names = _numbered(_only(wanted, _whole(name)))
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

    async def _execute(self, connection: Connection, values: dict[str, Any]) -> AsyncRawCursor[Row]:
        return await self._cursor(connection).execute(self.query, [values[name] for name in self._names])

    def _cursor(self, connection: Connection) -> AsyncRawCursor[Row]:
        if self._key is None or not isinstance(connection, Session):
            return self._new_cursor(connection)
        cursor = connection.cursors.get(self._key)
        if cursor is None:
            cursor = connection.cursors[self._key] = self._new_cursor(connection)
        return cursor

    def _new_cursor(self, connection: Connection) -> AsyncRawCursor[Row]:
        cursor = AsyncRawCursor(connection, row_factory=lambda _: self._make_row)
        cursor.format = Format.BINARY
        return cursor


def first(row: Sequence[Any]) -> Any:
    """The row of a statement that answers one column."""
    return row[0]


def _whole(name: str) -> str:
    """The text of a file with the parts it names."""
    text = (files("workroom.store") / "sql" / f"{name}.sql").read_text()
    return re.sub(r"--< (\S+)$", lambda found: _whole(found[1]), text, flags=re.MULTILINE)


def _numbered(text: str) -> tuple[bytes, list[str]]:
    """The statement as PostgreSQL has it, `$1` for its first value, and the names of its values in that order."""
    names: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        return "%" if found[1] is None else f"${names.setdefault(found[1], len(names) + 1)}"

    return re.sub(r"%%|%\((\w+)\)s", number, text).encode(), list(names)


def _only(wanted: frozenset[str], text: str) -> str:
    """The text without the lines marked `--? word` whose word is not wanted."""
    lines = (line.partition("--?") for line in text.splitlines())
    return "\n".join(code for code, mark, word in lines if not mark or word.strip() in wanted)
