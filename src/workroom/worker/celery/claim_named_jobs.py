"""Claims the jobs that the parent process names, for a process of a Celery worker.

The parent sends the id and the attempt of a job, one at a time, and gets an answer when the job's outcome is stored.
"""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.jobs.assign import claim_one
from workroom.domain.errors import DatabaseBusy, Unavailable
from workroom.domain.jobs.outcomes import Failed, Outcome
from workroom.logs import get_logger
from workroom.store.notifications import WorkNotification
from workroom.worker.pool.completer import Completer
from workroom.worker.pool.fetcher import JobFetcher
from workroom.worker.pool.state import PoolState
from workroom.worker.pool.worker_registration import PoolSession

log = get_logger(__name__)

READY = b"ready"  # the first message to the parent
REFUSED: dict[str, Any] = {"ran": False}


class RequestedJobs(JobFetcher):
    """In place of the fetcher: it claims a job when it is named, and none otherwise."""

    def __init__(self, state: PoolState, session: PoolSession, completer: Completer, connection: Connection) -> None:
        super().__init__(state, session, completer)
        self._connection = connection

    async def run(self) -> None:
        self._answer(READY)
        while not self._state.stopping:
            request = await self._next_request()
            if request is None:
                self._state.stop()
                return
            job_id, attempt = orjson.loads(request)
            self._answer(orjson.dumps(await self._run(UUID(job_id), attempt)))

    def on_notification(self, payload: str) -> None:
        """Only cancellations matter here."""
        state = self._state
        if WorkNotification.read(payload).extension_id in self._session.functions:
            state.cancel_notified = bool(state.is_claiming or state.buffer or state.current)

    async def _run(self, job_id: UUID, attempt: int) -> dict[str, Any]:
        """Claim a job and hand it to the main thread; returns the answer when the database has its outcome."""
        state, session = self._state, self._session
        state.is_claiming = True
        try:
            job = await claim_one(session.engine, session.worker_id, job_id, attempt)
        except DatabaseBusy:
            return REFUSED
        except Unavailable as error:
            # The claim may have been committed although its answer was lost. Unregistering releases the job.
            log.warning("the answer to a claim was lost, restarting the process: %s", error.message)
            state.stop()
            return REFUSED
        finally:
            state.is_claiming = False
        if job is None:
            return REFUSED
        state.nothing_held.clear()
        state.last_outcome = None
        self._receive([job], prefetch=False)
        await state.nothing_held.wait()
        outcome = self._last_outcome()  # the main thread has set it meanwhile
        error = f"{outcome.error['type']}: {outcome.error['message']}" if isinstance(outcome, Failed) else None
        return {"ran": outcome is not None, "error": error}

    def _last_outcome(self) -> Outcome | None:
        return self._state.last_outcome

    async def _next_request(self) -> bytes | None:
        """None when the parent has closed its end."""
        readable = asyncio.Event()
        descriptor = self._connection.fileno()
        self._loop.add_reader(descriptor, readable.set)
        try:
            await readable.wait()
        finally:
            self._loop.remove_reader(descriptor)
        try:
            return self._connection.recv_bytes()
        except (EOFError, OSError):
            return None

    def _answer(self, message: bytes) -> None:
        try:
            self._connection.send_bytes(message)
        except OSError:
            self._state.stop()  # the parent is dead
