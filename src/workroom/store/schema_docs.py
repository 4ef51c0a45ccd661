"""The reference page of the schema, from the comments in the database."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from workroom.store.statement import Connection, Statement


class Column(NamedTuple):
    table: str
    purpose: str | None
    name: str
    type: str
    comment: str | None


_describe = Statement("schema/describe", Column._make)


async def columns(connection: Connection) -> list[Column]:
    return await _describe.all(connection)


def as_markdown(described: list[Column]) -> str:
    parts = ["# Database schema\n\nWritten by `workroom db describe`; a test keeps it true.\n"]
    for (table, purpose), members in groupby(described, key=lambda column: (column.table, column.purpose)):
        rows = "\n".join(f"| `{one.name}` | {one.type} | {one.comment} |" for one in members)
        parts.append(f"## {table}\n\n{purpose}\n\n| column | type | |\n| --- | --- | --- |\n{rows}\n")
    return "\n".join(parts)
