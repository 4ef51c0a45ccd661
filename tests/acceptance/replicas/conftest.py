"""Two servers on one database, shared by the tests of a process that do not break them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import NamedTuple

import pytest
from tests.acceptance.live import LiveServer, Someone
from tests.acceptance.replicas.servers import Redis, external_database, replica


class Replicas(NamedTuple):
    database: str
    redis: Redis
    first: LiveServer
    second: LiveServer


@pytest.fixture(scope="package")
def replicas() -> Generator[Replicas]:
    redis = Redis().start()
    with external_database() as database:
        servers = [replica(database, redis.url).start() for _ in range(2)]
        yield Replicas(database, redis, servers[0], servers[1])
        for server in servers:
            server.remove()
    redis.remove()


@pytest.fixture
async def ada(replicas: Replicas, name: str) -> AsyncGenerator[Someone]:
    """Signed in at the first server."""
    someone = await Someone.signs_in(replicas.first, f"ada-{name}")
    yield someone
    await someone.close()


@pytest.fixture
async def bob(replicas: Replicas, name: str) -> AsyncGenerator[Someone]:
    """Signed in at the second server."""
    someone = await Someone.signs_in(replicas.second, f"bob-{name}")
    yield someone
    await someone.close()
