"""The extensions of a fleet are listed before its first worker has run, and for as long as the fleet runs.

The fleet itself is registered as a worker that is never attached: it gets no job, and jobs can be submitted. When it
has ended, its extensions are offline like those of any other worker.
"""

from __future__ import annotations

from collections.abc import Sequence

from workroom.client.net.http import ApiClient
from workroom.domain.errors import WorkroomError
from workroom.logs import get_logger
from workroom.worker.remote.connection import WorkerConnection
from workroom.worker.remote.offers import AnyOffer
from workroom.worker.remote.process_info import process_info

log = get_logger(__name__)


class Announcement:
    """Registers offers, and keeps them registered until `end`."""

    def __init__(self, access: ApiClient, room: str, offers: Sequence[AnyOffer], name: str) -> None:
        body = {
            "room": room,
            "extensions": [offer.as_message(breaker=True) for offer in offers],
            "info": process_info(name),
        }
        self._connection = WorkerConnection(access, lambda: dict(body), {}, _nothing, attaches=False)

    async def begin(self) -> None:
        await self._connection.register()

    async def end(self) -> None:
        """Unregister. The extensions stay listed as offline for a time."""
        worker = self._connection.worker_id
        if worker is None:
            return
        try:
            await self._connection.request("POST", f"/api/workers/{worker}/shutdown")
        except (WorkroomError, OSError) as error:
            log.debug("the end was not announced: %s", error)  # the server notices when the lease ends
        await self._connection.leave()


async def _nothing() -> None:
    """The fleet holds no jobs, so none can have been taken from it."""
