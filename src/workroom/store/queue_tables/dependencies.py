"""Graphs of dependencies between jobs and postings."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.store.array_parameters import Uuids
from workroom.store.queue_tables.job_rows import DependencyEdge, DependencyNode
from workroom.store.statement import Connection, Statement

_edges = Statement("job/graph", DependencyEdge._make)
_nodes = Statement("job/graph_nodes", DependencyNode._make)


async def edges(
    connection: Connection, id: UUID, *, posting_id: UUID | None, distance: int, limit: int
) -> list[DependencyEdge]:
    """What a job needs and what needs it or its posting, through at most `distance` dependencies."""
    return await _edges.all(connection, id=id, posting_id=posting_id, distance=distance, limit=limit)


async def nodes(connection: Connection, ids: Sequence[UUID]) -> list[DependencyNode]:
    return await _nodes.all(connection, ids=Uuids(ids))
