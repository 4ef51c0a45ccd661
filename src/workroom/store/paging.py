"""A page of a longer list, and how long the list is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from workroom.store.statement import Connection, Statement

Row = TypeVar("Row")


class Listed(NamedTuple, Generic[Row]):
    """Some rows of a list, and the number of all."""

    rows: list[Row]
    total: int


class PageStatement(Generic[Row]):
    """A statement whose rows begin with the total; one row with nothing behind it stands for an empty page."""

    def __init__(self, name: str, make_row: Callable[[Sequence[Any]], Row]) -> None:
        self._statement = Statement[Sequence[Any]](name, tuple)
        self._make_row = make_row

    async def page(self, connection: Connection, **values: Any) -> Listed[Row]:
        rows = await self._statement.all(connection, **values)
        return Listed([self._make_row(row[1:]) for row in rows if row[1] is not None], rows[0][0])
