"""Keeps a worker registered and connected: registration, socket, heartbeats and tokens.

A broken socket reconnects under the same incarnation. A worker that was declared lost, or whose token has expired,
registers again under the same id and keeps the jobs that it still holds.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

import httpx2
import orjson

from workroom.client.net.http import ApiClient
from workroom.client.net.problems import error_in, json_in
from workroom.client.net.socket import Socket
from workroom.client.net.socketio_connection import Handler
from workroom.domain.errors import NotSignedIn, TooManyRequests, WorkerLost, WorkroomError
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.logs import get_logger
from workroom.wire.workers import Heartbeat, WorkerRegistered

log = get_logger(__name__)

_LONGEST_PAUSE = 5.0
_MISSES_BEFORE_RECONNECT = 2


class WorkerConnection:
    """The connection of one worker."""

    def __init__(
        self,
        access: ApiClient,
        registration: Callable[[], dict[str, Any]],
        handlers: Mapping[str, Handler],
        on_reregistered: Callable[[], Awaitable[None]],
        *,
        attaches: bool = True,
    ) -> None:
        self._access = access
        self._registration = registration
        self._on_reregistered = on_reregistered
        self._attaches = attaches  # False: only registered, so that it is assigned no jobs
        self._socket = Socket(access.url, handlers)
        self._registered: WorkerRegistered | None = None
        self._token = ""
        self._token_seconds = 0.0
        self._stale = False  # whether the server rejected this incarnation
        self._renewing = False  # whether the socket is about to reconnect with a new registration
        self._registering = asyncio.Lock()
        self._attached = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def worker_id(self) -> UUID | None:
        return None if self._registered is None else self._registered.worker_id

    @property
    def incarnation(self) -> int:
        return 0 if self._registered is None else self._registered.incarnation

    @property
    def is_attached(self) -> bool:
        return self._attached.is_set()

    async def attached(self) -> None:
        await self._attached.wait()

    async def register(self) -> None:
        """Register, or register again with the current offers. Raises the error of a server that refuses."""
        known = self.worker_id
        await self._register(known)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._heartbeat_loop(), name="heartbeat")]
            if self._attaches:
                self._tasks.append(asyncio.create_task(self._connect_loop(), name="stay attached"))
        else:
            self._renewing = True
            await self._socket.disconnect()
        if self._attaches:
            await self.attached()

    async def call(self, name: str, body: Any, *, answer_seconds: float = 10.0) -> Any:
        """Send an event by socket and return its acknowledgement; ServerUnreachable if none comes in time."""
        return await self._socket.call(name, body, timeout_seconds=answer_seconds)

    async def request(self, method: str, path: str, body: Any = None) -> Any:
        """Send one REST request with the worker's token."""
        content = None if body is None else orjson.dumps(body)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            answer = await self._access.http.request(
                method, path, content=content, headers=headers, timeout=max(2.0, self._heartbeat_seconds)
            )
        except httpx2.TransportError as error:
            raise OSError(str(error) or type(error).__name__) from error
        if answer.is_success:
            return json_in(answer, self._access.url)
        raise error_in(answer)

    async def reregister(self, incarnation: int) -> None:
        """The server rejected this incarnation: reconnect and re-register, unless a newer one is active."""
        if incarnation != self.incarnation:
            return
        self._stale = True
        await self._socket.disconnect()

    async def leave(self) -> None:
        """Disconnect. The server treats jobs that are still held here by their policy."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self._attached.clear()
        await self._socket.close()

    @property
    def _heartbeat_seconds(self) -> float:
        return 1.0 if self._registered is None else self._registered.heartbeat_seconds

    @property
    def _longest_pause(self) -> float:
        """Between two attempts to connect: short enough to reconnect within the server's grace period."""
        return _LONGEST_PAUSE if self._registered is None else min(_LONGEST_PAUSE, self._registered.lease_seconds / 6)

    async def _register(self, worker_id: UUID | None) -> None:
        async with self._registering:
            body = self._registration()
            if worker_id is not None:
                body["workerId"] = str(worker_id)
            answer = await self._register_with_backoff(body)
            self._registered = WorkerRegistered.model_validate(answer)
            self._token, self._token_seconds = self._registered.worker_token, self._registered.expires_in
            self._stale = False
        if worker_id is not None:
            await self._on_reregistered()

    async def _register_with_backoff(self, body: dict[str, Any]) -> Any:
        while True:
            try:
                return await self._access.post("/api/workers/register", body, repeatable="workerId" in body)
            except TooManyRequests as error:
                pause = float(error.detail.get("retryAfter", 1))
                log.warning("registration rate limit reached: retrying in %g s", pause)
                await asyncio.sleep(pause)

    async def _connect_loop(self) -> None:
        failures = 0
        while True:
            try:
                if self._stale:
                    await self._register_again()
                await self._socket.connect(self._token)
                failures = 0
                self._renewing = False
                self._attached.set()
                await self._socket.closed.wait()
                if not self._renewing:
                    log.info("disconnected from the server: reconnecting")
            except NotSignedIn:
                self._stale = True
            except (WorkroomError, httpx2.TransportError) as error:
                log.warning("cannot connect to the server, retrying: %s", error)
            finally:
                self._attached.clear()
            failures += 1
            await asyncio.sleep(backoff_seconds(failures, 0.1, self._longest_pause, random.random()))  # noqa: S311

    async def _register_again(self) -> None:
        try:
            await self._register(self.worker_id)
            log.info("worker registered again")
        except WorkerLost:
            log.warning("the server does not know this worker any more: registering as a new one")
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
                if self._attaches:
                    await self.reregister(incarnation)
                else:
                    await self._register_without_socket()
            except (WorkroomError, OSError) as error:
                misses += 1
                log.info("heartbeat missed: %s", error)
                if misses == _MISSES_BEFORE_RECONNECT:
                    await self._socket.disconnect()  # the socket may hang without an error
            await self._refresh_owner_token()

    async def _register_without_socket(self) -> None:
        try:
            await self._register_again()
        except (WorkroomError, httpx2.TransportError) as error:
            log.warning("cannot register, retrying: %s", error)

    async def _heartbeat(self) -> None:
        welcome = self._registered
        answer = Heartbeat.model_validate(await self.request("PUT", f"/api/workers/{self.worker_id}/heartbeat"))
        if self._registered is welcome:
            self._token, self._token_seconds = answer.worker_token, answer.expires_in

    async def _refresh_owner_token(self) -> None:
        """Keep the owner's token valid: the worker needs it to register again, perhaps days later."""
        try:
            await self._access.tokens.token()
        except (WorkroomError, httpx2.TransportError) as error:
            log.info("the owner's token could not be renewed: %s", error)
