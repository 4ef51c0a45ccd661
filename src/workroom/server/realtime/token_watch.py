"""Closes sockets whose token has expired, and sockets of jobs that have ended.

A socket authenticates once, when it connects. Requests are checked each time, so only sockets need this watch.
"""

from __future__ import annotations

import time

from workroom.actions.engine import Engine
from workroom.actions.queries import jobs as job_queries
from workroom.server.auth.tokens import JobToken
from workroom.server.background_service import BackgroundService
from workroom.server.realtime.hub import SocketHub

_PAUSE_SECONDS = 0.5


class TokenWatch(BackgroundService):
    name = "token watch"
    pause = _PAUSE_SECONDS

    def __init__(self, sockets: SocketHub, engine: Engine) -> None:
        super().__init__()
        self._hub = sockets
        self._engine = engine

    async def run_once(self) -> None:
        for sid in self._hub.expired(time.time()):
            await self._hub.disconnect(sid)
        held = {sid: token for sid, token in self._hub.tokens() if isinstance(token, JobToken)}
        if held:
            attempts = {(token.job_id, token.worker_id, token.attempt) for token in held.values()}
            active = await job_queries.active_attempts(self._engine, sorted(attempts))
            for sid, token in held.items():
                if (token.job_id, token.worker_id, token.attempt) not in active:
                    await self._hub.disconnect(sid)
