"""Helpers for tests of extensions and functions.

local_room        `LocalRoom`: a room without a server, for unit tests; `run_extension` runs an extension in it
local_trajectory  the frames of such a room
local_items       the items of such a room
server            `throw_away_server`: a real server with an embedded PostgreSQL, which is deleted afterwards
prepared_cluster  the cluster that such servers are copied from
pytest_plugin     the fixtures `workroom_server` and `workroom_room`, which pytest finds by an entry point

    from workroom.testing import LocalRoom, run_extension

    def test_stretch():
        room = LocalRoom([molecule("H2O")])
        run_extension(Stretch(factor=2), room)
        assert room[-1].get_distance(0, 1) > 1.9
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workroom.testing.local_room import LocalRoom, run_extension
    from workroom.testing.server import ThrowAwayServer, throw_away_server

__all__ = ["LocalRoom", "ThrowAwayServer", "run_extension", "throw_away_server"]


def __getattr__(name: str) -> Any:
    """Import a name at its first use: pytest imports this package at each start, for the plugin."""
    if name not in __all__:
        raise AttributeError(f"module 'workroom.testing' has no attribute {name!r}")
    if name in ("LocalRoom", "run_extension"):
        from workroom.testing import local_room as home
    else:
        from workroom.testing import server as home
    return getattr(home, name)
