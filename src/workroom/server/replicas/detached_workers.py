"""Attaches workers again that count as detached although this server has their sockets.

Another server detaches the workers of a server whose session with the database has ended. The session may only have
been interrupted, e.g. by a restart of the database.
"""

from __future__ import annotations

from workroom.actions.engine import Engine
from workroom.actions.workers import lifecycle
from workroom.domain.errors import WorkerLost
from workroom.logs import get_logger
from workroom.server.auth.tokens import WorkerToken
from workroom.server.background_service import BackgroundService
from workroom.server.realtime.hub import SocketHub

log = get_logger(__name__)


class AttachmentCheck(BackgroundService):
    name = "attachment check"

    def __init__(self, sockets: SocketHub, engine: Engine) -> None:
        super().__init__()
        self._hub = sockets
        self._engine = engine
        self.pause = engine.timing.sweep
        self._detached: set[str] = set()  # sockets of workers that counted as detached in the last round

    async def run_once(self) -> None:
        await lifecycle.detach_orphans(self._engine)
        held = {token.worker_id: (sid, token) for sid, token in self._hub.tokens() if isinstance(token, WorkerToken)}
        before, self._detached = self._detached, set()
        for worker_id in await lifecycle.detached(self._engine, sorted(held)) if held else []:
            sid, token = held[worker_id]
            if self._hub.token(sid) is not token:
                continue  # disconnected meanwhile
            self._detached.add(sid)
            if sid not in before:
                continue  # it has just connected, and is about to be attached
            log.info("worker attached again", worker=str(worker_id))
            try:
                await lifecycle.attach(self._engine, worker_id, token.incarnation, sid)
            except WorkerLost:
                await self._hub.disconnect(sid)
