"""The server as a fleet sees it: what waits in one room, and the workers of the fleet's user."""

from __future__ import annotations

from typing import Any

from workroom.cli.api import Server
from workroom.domain.names import room_path
from workroom.worker import loading
from workroom.worker.fleet.plan import Demand
from workroom.worker.fleet.register_offers import Announcement
from workroom.worker.remote.offers import AnyOffer, offers_in


class RoomServer:
    """One room of a server. With a file or module, only the jobs of what it defines count."""

    def __init__(self, server: Server, room: str, source: str | None, *, public: bool, timeout: float | None) -> None:
        self._server = server
        self._room = room
        self._offers: list[AnyOffer] = []
        if source is not None:
            self._offers = offers_in(loading.load(source), public=public, timeout=timeout, concurrency=1)
        self._names = {offer.identity for offer in self._offers}
        self._announcement: Announcement | None = None
        names = ", ".join(f"{category}/{name}" for category, name in sorted(self._names)) or "all jobs"
        self.what = f"{names} in {'all rooms' if public else f'room {room}'} at {server.url}"

    def demand(self) -> list[Demand]:
        self._announce()
        items = self._server.get(f"{room_path(self._room)}/demand")["items"]
        return [
            Demand(one["waiting"], one["resources"], one["timeoutSeconds"])
            for one in items
            if not self._names or (one["category"], one["name"]) in self._names
        ]

    def workers(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self._server.get("/api/workers")["items"]
        return items

    def close(self) -> None:
        if self._announcement is not None:
            self._server.call(self._announcement.end())

    def _announce(self) -> None:
        """Offer the extensions, so that they are listed and take jobs while no worker runs."""
        if not self._offers or self._announcement is not None:
            return
        announcement = Announcement(self._server.client(), self._room, self._offers, "fleet")
        self._server.call(announcement.begin())
        self._announcement = announcement
