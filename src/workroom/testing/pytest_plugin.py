"""Fixtures with a real server. pytest finds them by the entry point; the server is imported at the first use."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from workroom import Room
    from workroom.testing.server import ThrowAwayServer


@pytest.fixture(scope="session")
def workroom_server() -> Generator[ThrowAwayServer]:
    """A server for the whole run, without a pool."""
    from workroom.testing.server import throw_away_server

    with throw_away_server() as server:
        yield server


@pytest.fixture
def workroom_room(workroom_server: ThrowAwayServer) -> Generator[Room]:
    """A new room of that server."""
    with workroom_server.room() as room:
        yield room
