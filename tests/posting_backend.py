"""The connections to a database that this process posts through: opened at the first posting, closed by tests."""

from __future__ import annotations

from workroom.client.portal import background
from workroom.worker.postings.postgres_backend import open_postgres_backend


def close_backend(url: str) -> None:
    background().call(_close(url))


async def _close(url: str) -> None:
    opened = await open_postgres_backend(url)
    background().release(opened)
    await opened.close()
