"""Pages of a list, with the total number of its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from workroom.store.statement import Connection, Statement

Row = TypeVar("Row")


class Listed(NamedTuple, Generic[Row]):
    """A page of a list and the total number of rows."""

    rows: list[Row]
    total: int


class PageStatement(Generic[Row]):
    """A statement whose rows begin with the total; a row with only the total stands for an empty page."""

    def __init__(self, name: str, make_row: Callable[[Sequence[Any]], Row]) -> None:
        self._statement = Statement[Sequence[Any]](name, tuple)
        self._make_row = make_row

    async def page(self, connection: Connection, **values: Any) -> Listed[Row]:
        rows = await self._statement.all(connection, **values)
        return Listed([self._make_row(row[1:]) for row in rows if row[1] is not None], rows[0][0])
