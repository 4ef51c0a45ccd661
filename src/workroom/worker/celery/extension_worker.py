"""Runs jobs of built-in extensions that Celery's messages name.

The server sends the job, with the token for its room, by socket. From then on everything is as with any other worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.workers.lifecycle import heartbeat
from workroom.client.net.http import ApiClient, http_client
from workroom.client.net.login_tokens import Login, UserTokens
from workroom.client.net.problems import check_acknowledgement
from workroom.client.portal import background
from workroom.domain.errors import WorkroomError
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.outcomes import Failed
from workroom.logs import get_logger
from workroom.store.database import Database
from workroom.worker.builtin.__main__ import BuiltinPlan, serve
from workroom.worker.celery.claim_named_jobs import REFUSED
from workroom.worker.celery.node_info import CeleryNode
from workroom.worker.execution.execution_state import Execution
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import AttemptKey, RemoteWorker
from workroom.worker.walltime import Walltime

log = get_logger(__name__)

_ATTACH_SECONDS = 10.0  # how long a message waits for a connection to the server
_STOP_SECONDS = 5.0  # how long jobs may run on after Celery has stopped; after a warm shutdown there are none
_ASSIGNMENT_SECONDS = 10.0  # how long a claimed job may take to arrive


class NamedJobWorker(RemoteWorker):
    """A worker that asks the server for the jobs that messages name; the server assigns it no others."""

    def __init__(self, *args: Any, node: CeleryNode, **options: Any) -> None:
        self._node = node
        self._ended: dict[AttemptKey, asyncio.Future[Execution]] = {}
        super().__init__(*args, **options)

    async def run_named(self, job_id: UUID, attempt: int) -> dict[str, Any]:
        """Claim a job, and wait until it has ended; returns whether it ran here, and its error."""
        key = (job_id, attempt)
        if key in self._ended:
            return REFUSED  # the message was delivered twice
        ended = self._ended[key] = asyncio.get_running_loop().create_future()
        try:
            if not await self._claim(job_id, attempt):
                return REFUSED
            while not ended.done():
                await asyncio.wait([ended], timeout=_ASSIGNMENT_SECONDS)
                if not ended.done() and key not in self._executions:
                    log.warning("job %s was claimed and has not arrived: the server releases it", job_id)
                    return REFUSED
            outcome = ended.result().outcome
        except (WorkroomError, TimeoutError, OSError) as error:
            log.warning("job %s cannot be claimed now, it waits: %s", job_id, error)
            return REFUSED
        finally:
            del self._ended[key]
        error = f"{outcome.error['type']}: {outcome.error['message']}" if isinstance(outcome, Failed) else None
        return {"ran": outcome is not None, "error": error}

    async def run(self, execution: Execution) -> None:
        try:
            await super().run(execution)
        finally:
            ended = self._ended.get(execution.assignment.key)
            if ended is not None and not ended.done():
                ended.set_result(execution)

    async def _claim(self, job_id: UUID, attempt: int) -> bool:
        async with asyncio.timeout(_ATTACH_SECONDS):
            await self.connection.attached()
        answer = await self.connection.call("job:claim", {"jobId": str(job_id), "attempt": attempt})
        check_acknowledgement(answer)
        return bool(answer["assigned"])

    def _registration(self) -> dict[str, Any]:
        message = super()._registration()
        return message | {"celery": True, "info": message["info"] | self._node.as_info()}


class ExtensionWorker:
    """The worker on the background loop of this process, for the threads of Celery."""

    def __init__(
        self,
        plan: BuiltinPlan,
        offers: Sequence[Offer],
        url: str,
        login: Login,
        database: str,
        timing: Timing,
        node: CeleryNode,
        walltime: Walltime | None = None,
    ) -> None:
        self._walltime = walltime
        self._plan = plan
        self._offers = offers
        self._url = url
        self._login = login
        self._database = database
        self._timing = timing
        self._node = node
        self._worker: NamedJobWorker | None = None
        self._stop: asyncio.Event | None = None
        self._serving: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Return when the worker is registered. Raises what keeps it from that, e.g. wrong credentials."""

        async def begin() -> None:
            self._stop = asyncio.Event()
            registered = asyncio.Event()
            serving = asyncio.create_task(self._serve(registered, self._stop))
            waiting = asyncio.create_task(registered.wait())
            await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if serving.done():
                serving.result()
            self._serving = serving

        background().call(begin())

    def run_job(self, job_id: UUID, attempt: int) -> dict[str, Any]:
        assert self._worker is not None
        return background().call(self._worker.run_named(job_id, attempt))

    def stop(self) -> None:
        """Unregister. Celery has let the running jobs end before."""

        async def end() -> None:
            if self._stop is not None and self._serving is not None:
                self._stop.set()
                await asyncio.gather(self._serving, return_exceptions=True)

        background().call(end())

    async def _serve(self, registered: asyncio.Event, stop: asyncio.Event) -> None:
        def keep(worker: RemoteWorker) -> None:
            assert isinstance(worker, NamedJobWorker)
            self._worker = worker
            registered.set()

        async def stop_requested() -> float:
            await stop.wait()
            return _STOP_SECONDS

        async with http_client(self._url) as http, Database(self._database, connections=1) as database:
            heartbeats = asyncio.create_task(self._send_heartbeats(Engine(database, timing=self._timing, pushes=False)))
            try:
                # Wrong credentials fail at once; later the worker waits for a server that is unavailable.
                await ApiClient(self._url, http, tokens := UserTokens(http, self._login), retry_seconds=0).get(
                    "/api/users/me"
                )
                await serve(
                    ApiClient(self._url, http, tokens),
                    self._plan,
                    self._offers,
                    registered=keep,
                    stop_requested=stop_requested,
                    make_worker=partial(NamedJobWorker, node=self._node, walltime=self._walltime),
                )
            finally:
                heartbeats.cancel()
                await asyncio.gather(heartbeats, return_exceptions=True)

    async def _send_heartbeats(self, engine: Engine) -> None:
        """Extend the lease in the database itself: the worker is not lost while no server runs."""
        while True:
            worker = self._worker
            if worker is not None and worker.id is not None:
                try:
                    await heartbeat(engine, worker.id, worker.connection.incarnation)
                except WorkroomError as error:
                    log.debug("heartbeat not stored: %s", error.message)
            await asyncio.sleep(engine.timing.heartbeat)
