"""Query parameters and response of paged lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Query

from workroom.store.paging import Listed
from workroom.wire.base import WITHOUT_NUL, Page

Row = TypeVar("Row")
Item = TypeVar("Item")

Limit = Annotated[int, Query(ge=1, le=500, description="The size of the page.")]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000, description="The number of items to skip.")]
Search = Annotated[str, Query(max_length=200, pattern=WITHOUT_NUL, description="Search text; case is ignored.")]


def page_of(listed: Listed[Row], item: Callable[[Row], Item], *, limit: int, offset: int) -> Page[Item]:
    return Page(items=[item(row) for row in listed.rows], total=listed.total, limit=limit, offset=offset)
