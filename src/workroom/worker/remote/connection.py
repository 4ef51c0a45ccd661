"""A worker's tie to the server: registered, connected and alive, for as long as it is wanted.

A broken connection is made again under the same incarnation. Whoever was given up as lost, or whose token has ended,
registers again under the same id and keeps the jobs that are still its own.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

import httpx2
import orjson

from workroom.client.net.http import ApiClient
from workroom.client.net.problems import error_in
from workroom.client.net.socket import Handler, Socket
from workroom.domain.errors import NotSignedIn, TooManyRequests, WorkerLost, WorkroomError
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.wire.workers import Heartbeat, WorkerRegistered

log = logging.getLogger("workroom.worker")

_LONGEST_PAUSE = 5.0
_MISSES_BEFORE_SUSPICION = 2


class WorkerConnection:
    """Keeps one worker attached."""

    def __init__(
        self,
        access: ApiClient,
        registration: Callable[[], dict[str, Any]],
        handlers: Mapping[str, Handler],
        returned: Callable[[], Awaitable[None]],
    ) -> None:
        self._access = access
        self._registration = registration
        self._returned = returned  # called after registering again
        self._socket = Socket(access.url, handlers)
        self._welcome: WorkerRegistered | None = None
        self._token = ""
        self._token_seconds = 0.0
        self._stale = False  # whether the server no longer knows this incarnation
        self._registering = asyncio.Lock()
        self._attached = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def worker_id(self) -> UUID | None:
        return None if self._welcome is None else self._welcome.worker_id

    @property
    def incarnation(self) -> int:
        return 0 if self._welcome is None else self._welcome.incarnation

    @property
    def is_attached(self) -> bool:
        return self._attached.is_set()

    async def attached(self) -> None:
        await self._attached.wait()

    async def register(self) -> None:
        """Register, or register anew with what is offered now. Raises what the server objects to."""
        known = self.worker_id
        await self._register(known)
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._stay_attached(), name="stay attached"),
                asyncio.create_task(self._heartbeat_loop(), name="heartbeat"),
            ]
        else:
            await self._socket.disconnect()
        await self.attached()

    async def call(self, name: str, body: Any) -> Any:
        """Say something by socket and hear the acknowledgement."""
        return await self._socket.call(name, body)

    async def request(self, method: str, path: str, body: Any = None) -> Any:
        """Say something by REST, once, as the worker."""
        content = None if body is None else orjson.dumps(body)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            answer = await self._access.http.request(
                method, path, content=content, headers=headers, timeout=max(2.0, self._heartbeat_seconds)
            )
        except httpx2.TransportError as error:
            raise OSError(str(error) or type(error).__name__) from error
        if answer.is_success:
            return orjson.loads(answer.content) if answer.content else None
        raise error_in(answer)

    async def renew(self, incarnation: int) -> None:
        """The server takes this incarnation's word no more: unless it is past already, register and connect anew."""
        if incarnation != self.incarnation:
            return
        self._stale = True
        await self._socket.disconnect()

    async def leave(self) -> None:
        """Stop being attached. What the server does with jobs still held here is up to their policies."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self._attached.clear()
        await self._socket.close()

    @property
    def _heartbeat_seconds(self) -> float:
        return 1.0 if self._welcome is None else self._welcome.heartbeat_seconds

    @property
    def _longest_pause(self) -> float:
        """Between two tries to connect: short enough to come back within the server's grace once it can be reached."""
        return _LONGEST_PAUSE if self._welcome is None else min(_LONGEST_PAUSE, self._welcome.lease_seconds / 6)

    async def _register(self, worker_id: UUID | None) -> None:
        async with self._registering:
            body = self._registration()
            if worker_id is not None:
                body["workerId"] = str(worker_id)
            answer = await self._register_with_backoff(body)
            self._welcome = WorkerRegistered.model_validate(answer)
            self._token, self._token_seconds = self._welcome.worker_token, self._welcome.expires_in
            self._stale = False
        if worker_id is not None:
            await self._returned()

    async def _register_with_backoff(self, body: dict[str, Any]) -> Any:
        while True:
            try:
                return await self._access.post("/api/workers/register", body, repeatable="workerId" in body)
            except TooManyRequests as error:
                pause = float(error.detail.get("retryAfter", 1))
                log.warning("too many registrations: the next one in %g s", pause)
                await asyncio.sleep(pause)

    async def _stay_attached(self) -> None:
        failures = 0
        while True:
            try:
                if self._stale:
                    await self._register_again()
                await self._socket.connect(self._token)
                failures = 0
                self._attached.set()
                await self._socket.closed.wait()
                log.info("disconnected; connecting again")
            except NotSignedIn:
                self._stale = True
            except (WorkroomError, httpx2.TransportError) as error:
                log.warning("not attached: %s", error)
            finally:
                self._attached.clear()
            failures += 1
            await asyncio.sleep(backoff_seconds(failures, 0.1, self._longest_pause, random.random()))  # noqa: S311

    async def _register_again(self) -> None:
        try:
            await self._register(self.worker_id)
            log.info("registered again")
        except WorkerLost:
            log.warning("the server knows this worker no more; registering as a new one")
            await self._register(None)

    async def _heartbeat_loop(self) -> None:
        misses = 0
        while True:
            await asyncio.sleep(min(self._heartbeat_seconds, self._token_seconds / 3))
            incarnation = self.incarnation
            try:
                await self._heartbeat()
                misses = 0
            except (NotSignedIn, WorkerLost) as error:
                log.info("heartbeat refused: %s", error)
                await self.renew(incarnation)
            except (WorkroomError, OSError) as error:
                misses += 1
                log.info("heartbeat missed: %s", error)
                if misses == _MISSES_BEFORE_SUSPICION:
                    await self._socket.disconnect()  # it may hang, unnoticed
            await self._keep_signed_in()

    async def _heartbeat(self) -> None:
        welcome = self._welcome
        beat = Heartbeat.model_validate(await self.request("PUT", f"/api/workers/{self.worker_id}/heartbeat"))
        if self._welcome is welcome:
            self._token, self._token_seconds = beat.worker_token, beat.expires_in

    async def _keep_signed_in(self) -> None:
        """The owner's token is needed should the worker have to register again, in days perhaps."""
        try:
            await self._access.tokens.token()
        except (WorkroomError, httpx2.TransportError) as error:
            log.info("the owner's token could not be renewed: %s", error)
