"""Metrics of several servers: one request to any of them returns all."""

from __future__ import annotations

from tests.acceptance.live import Someone, Watcher, eventually
from tests.acceptance.replicas.conftest import Replicas
from tests.acceptance.server.test_metrics import figures, metrics_page


async def test_each_server_returns_the_metrics_of_both(
    replicas: Replicas, ada: Someone, bob: Someone, name: str
) -> None:
    room = await ada.makes_room(name)
    watchers = [await Watcher.joins(someone, room) for someone in (ada, ada, bob)]
    for server in (replicas.first, replicas.second):
        page = await eventually(
            lambda server=server: metrics_page(server),
            lambda page: page.count("\nworkroom_sockets{") == 2,
            wanted="the metrics of both servers",
        )
        seen = figures(page)
        assert seen["workroom_sockets"] == 3
        assert (seen["workroom_servers"], seen["workroom_upkeep_leaders"]) == (2, 1)
    for watcher in watchers:
        await watcher.leaves()
