"""Listens on the database's channels for servers.

A process that posts or cancels jobs directly in the database cannot reach the sockets of remote workers. It sends a
NOTIFY, which pools and servers receive. Without it remote workers would wait for the next sweep. Shared events and
messages of other servers arrive in the same session.
"""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from workroom.actions.engine import Engine
from workroom.actions.events import WorkAppeared
from workroom.logs import get_logger
from workroom.server.background_service import BackgroundService
from workroom.server.dispatch.cancel_forwarder import CancelForwarder
from workroom.server.dispatch.rematcher import Rematcher
from workroom.store.notifications import EVENTS, MESSAGES, SERVERS, WORK, WorkNotification, listening

log = get_logger(__name__)


class NotificationListener(BackgroundService):
    """Passes each notification to those that it concerns. Reconnects after a pause."""

    name = "notification listener"
    pause = 1.0

    def __init__(
        self,
        engine: Engine,
        rematcher: Rematcher,
        cancels: CancelForwarder,
        *,
        on_events: Callable[[str], None],
        on_messages: Callable[[str], None],
        on_gap: Callable[[], None],
        on_work: Callable[[], None],
    ) -> None:
        """`on_gap` is called when the session was lost, and notifications with it; `on_work` when jobs were queued."""
        super().__init__()
        self._engine = engine
        self._rematcher = rematcher
        self._cancels = cancels
        self._on_events = on_events
        self._on_messages = on_messages
        self._on_gap = on_gap
        self._on_work = on_work
        self._has_listened = False

    async def run_once(self) -> None:
        handlers = {WORK: self._receive_work, SERVERS: self._receive_for_servers}
        try:
            async with listening(self._engine.database.url, handlers) as listener:
                if self._has_listened:
                    self._on_gap()
                self._has_listened = True
                await listener.run()
        except psycopg.OperationalError as error:
            log.info("connection for notifications lost; reconnecting", reason=str(error)[:200])

    def _receive_work(self, payload: str) -> None:
        notification = WorkNotification.read(payload)
        if notification.job is None:
            self._rematcher.announce([WorkAppeared((notification.extension_id,))])
            self._cancels.add(notification.extension_id)
            self._on_work()

    def _receive_for_servers(self, payload: str) -> None:
        if payload.startswith(EVENTS):
            self._on_events(payload.removeprefix(EVENTS))
        elif payload.startswith(MESSAGES):
            self._on_messages(payload.removeprefix(MESSAGES))
