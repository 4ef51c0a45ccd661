"""Listens on the database's channels for servers.

A process that posts or cancels jobs directly in the database cannot reach the sockets of remote workers. It sends a
NOTIFY, which pools and servers receive. Without it remote workers would wait for the next sweep. Shared events and
messages of other servers arrive in the same session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Self

import psycopg

from workroom.actions.engine import Engine
from workroom.actions.events import WorkAppeared
from workroom.logs import get_logger
from workroom.server.background_service import BackgroundService
from workroom.server.dispatch.cancel_forwarder import CancelForwarder
from workroom.server.dispatch.rematcher import Rematcher
from workroom.store.notifications import EVENTS, MESSAGES, SERVERS, WORK, WorkNotification, listening

log = get_logger(__name__)

_START_SECONDS = 5.0  # how long a server that starts waits until it listens


class NotificationListener(BackgroundService):
    """Passes each notification to those that it concerns, from its start on. Reconnects after a pause."""

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
        self._listens = asyncio.Event()
        self._may_have_missed = False

    async def __aenter__(self) -> Self:
        """What is read and cached from now on follows the changes of other processes."""
        await super().__aenter__()
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self._listens.wait()
        except TimeoutError:
            self._may_have_missed = True
        return self

    async def run_once(self) -> None:
        handlers = {WORK: self._receive_work, SERVERS: self._receive_for_servers}
        try:
            async with listening(self._engine.database.url, handlers) as listener:
                if self._may_have_missed:
                    self._on_gap()
                self._listens.set()
                self._may_have_missed = True  # when it listens again
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
