"""Gathers the metrics of all server processes and renders them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST

from workroom.actions import flush_ended_job_counts
from workroom.actions.engine import Engine, new_id
from workroom.actions.queries.overview import overview
from workroom.server.metrics import from_database
from workroom.server.metrics.metric_family import Family, joined, rendered
from workroom.server.replicas.bus import ReplicaBus

CONTENT_TYPE = CONTENT_TYPE_LATEST
# A server that answers later is left out: its series have a gap, and `workroom_servers` still counts it.
_DATABASE_TIMEOUT = 1.0


class MetricsPage:
    def __init__(self, engine: Engine, replica: str, collect: Callable[[], list[Family]]) -> None:
        """`replica` is the name of this process, which no other has; `collect` returns its metrics."""
        self._engine = engine
        self._replica = replica
        self._collect = collect
        self._bus: ReplicaBus | None = None  # none: this is the only server
        self._asked: dict[str, _Answers] = {}

    def connect_bus(self, bus: ReplicaBus) -> None:
        self._bus = bus
        bus.on("metrics wanted", lambda _, request: self._answer(bus, request))
        bus.on("metrics", lambda _, body: self._receive(body))

    async def render(self) -> bytes:
        await flush_ended_job_counts.flush(self._engine)
        found = list(from_database.families(await overview(self._engine)))
        return rendered([*found, *joined(await self._of_all_servers())])

    async def _of_all_servers(self) -> dict[str, list[Family]]:
        own = {self._replica: self._collect()}
        bus = self._bus
        if bus is None or not bus.others:
            return own
        request = new_id().hex
        answers = self._asked[request] = _Answers(bus.others)
        try:
            bus.send("metrics wanted", request)
            async with asyncio.timeout(_DATABASE_TIMEOUT):
                await answers.complete.wait()
        except TimeoutError:
            pass
        finally:
            del self._asked[request]
        return own | answers.families

    def _answer(self, bus: ReplicaBus, request: str) -> None:
        bus.send("metrics", [request, self._replica, [family.encode() for family in self._collect()]])

    def _receive(self, body: Any) -> None:
        request, replica, families = body
        answers = self._asked.get(request)
        if answers is not None:
            answers.add(replica, [Family.decode(family) for family in families])


class _Answers:
    """The metrics of the other servers, as they arrive."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self.families: dict[str, list[Family]] = {}
        self.complete = asyncio.Event()

    def add(self, replica: str, families: list[Family]) -> None:
        self.families[replica] = families
        if len(self.families) >= self._wanted:
            self.complete.set()
