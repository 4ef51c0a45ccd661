"""Live servers for acceptance tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from itertools import count

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Generator[LiveServer]:
    """One server for all tests that do not break it."""
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.fixture(scope="session")
def pool_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    """One server with a pool, which runs the extensions of `built_in`. Some of them leave signs in files of tests."""
    live = LiveServer.with_pool(WORKROOM_POOL_WRITABLE=str(tmp_path_factory.getbasetemp())).start()
    yield live
    live.remove()


@pytest.fixture
def own_server() -> Generator[LiveServer]:
    """A server for one test, which may break it."""
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.fixture
async def admin(server: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.admin(server)
    yield someone
    await someone.close()


@pytest.fixture
async def ada(server: LiveServer) -> AsyncGenerator[Someone]:
    """A guest, with a name of her own in every test."""
    someone = await Someone.signs_in(server, f"ada-{next(_numbers)}")
    yield someone
    await someone.close()


@pytest.fixture
def name() -> str:
    """The name of a room that no other test uses."""
    return f"room-{next(_numbers)}"


@pytest.fixture
async def room(ada: Someone) -> str:
    return await ada.makes_room(f"lab-{next(_numbers)}")


@pytest.fixture
async def workers() -> AsyncGenerator[list[PlainWorker]]:
    """Workers put in here are disconnected at the end."""
    known: list[PlainWorker] = []
    yield known
    for worker in known:
        await worker.leaves()
