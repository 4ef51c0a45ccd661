"""Fixtures with a real server. In `conftest.py`: pytest_plugins = ["workroom.testing.pytest_plugin"]."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

from workroom.testing.server import ThrowAwayServer, throw_away_server

if TYPE_CHECKING:
    from workroom import Room


@pytest.fixture(scope="session")
def workroom_server() -> Generator[ThrowAwayServer]:
    """A server for the whole run, without a pool."""
    with throw_away_server() as server:
        yield server


@pytest.fixture
def workroom_room(workroom_server: ThrowAwayServer) -> Generator[Room]:
    """A new room of that server."""
    with workroom_server.room() as room:
        yield room
