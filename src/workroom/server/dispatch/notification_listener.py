"""Listens on the database's work channel, on behalf of the remote workers of this server.

A process that posts or cancels jobs directly in the database cannot reach the sockets of remote workers. It sends a
NOTIFY, which pools and servers receive. Without it remote workers would wait for the next sweep.
"""

from __future__ import annotations

import psycopg

from workroom.actions.engine import Engine
from workroom.actions.events import WorkAppeared
from workroom.logs import get_logger
from workroom.server.background import BackgroundService
from workroom.server.dispatch.cancel_forwarder import CancelForwarder
from workroom.server.dispatch.rematcher import Rematcher
from workroom.store.notifications import WORK, WorkNotification, listening

log = get_logger(__name__)


class WorkNotificationListener(BackgroundService):
    """Passes each notification to the rematcher and to the cancel forwarder. Reconnects after a pause."""

    name = "work notification listener"
    pause = 1.0

    def __init__(self, engine: Engine, rematcher: Rematcher, cancels: CancelForwarder) -> None:
        super().__init__()
        self._engine = engine
        self._rematcher = rematcher
        self._cancels = cancels

    async def run_once(self) -> None:
        try:
            async with listening(self._engine.database.url, WORK, self._receive) as listener:
                await listener.run()
        except psycopg.OperationalError as error:
            log.info("connection for notifications lost; reconnecting", reason=str(error)[:200])

    def _receive(self, payload: str) -> None:
        notification = WorkNotification.read(payload)
        if notification.job is None:
            self._rematcher.announce([WorkAppeared((notification.extension_id,))])
            self._cancels.add(notification.extension_id)
