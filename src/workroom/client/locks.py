"""Locks held by this client.

A room tracks the locks that it holds. Acquiring one again nests. Every write under a lock sends the lock's token, and a
task refreshes the lock. A lost lock stays marked as lost until its block ends, so that no write is sent without it.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from contextlib import suppress
from typing import Protocol, Self
from urllib.parse import quote
from uuid import uuid4

from workroom.client.net.event_stream import EventStream
from workroom.client.net.http import ApiClient
from workroom.domain.errors import LockLost, RoomLocked, Unavailable, WorkroomError
from workroom.domain.names import room_path
from workroom.domain.rooms.locks import TRAJECTORY, lock_target, refresh_pause
from workroom.logs import get_logger
from workroom.wire.locks import GrantedLock

log = get_logger(__name__)

WAIT_SECONDS = 10.0
_RETRY_SECONDS = (0.05, 0.5)  # pause between two attempts to acquire a lock: first, and maximum
_CLOSE_SECONDS = 2.0
_CONNECT_AFTER_SECONDS = 0.5  # only a lock that is held for longer opens a live connection


class LockingRoom(Protocol):
    name: str

    @property
    def access(self) -> ApiClient: ...
    @property
    def live(self) -> EventStream: ...


class _HeldLock:
    """A lock that this client holds."""

    def __init__(self, grant: GrantedLock) -> None:
        self.target = grant.target
        self.token = grant.token
        self.fence = grant.fence
        self.message = grant.message
        self.ttl_seconds = grant.ttl_seconds
        self.blocks = 0  # nesting depth of `with` blocks
        self.lost: LockLost | None = None
        self.refresher: asyncio.Task[None] | None = None
        self.expires_at = 0.0  # by the client's clock; the server decides
        self.extend()

    def extend(self) -> None:
        self.expires_at = time.monotonic() + self.ttl_seconds

    def mark_lost(self, error: LockLost | None = None) -> LockLost:
        self.lost = error or LockLost(
            f"The lock on the {self.target} could not be refreshed in time; another client may hold it.",
            target=self.target,
        )
        return self.lost


class HeldLocks:
    """The locks that a room holds.

    With `release_on_disconnect` the server releases them soon after the room's live connection breaks.
    """

    def __init__(self, room: LockingRoom, *, release_on_disconnect: bool) -> None:
        self._room = room
        self._release_on_disconnect = release_on_disconnect
        self.client = uuid4().hex
        self._held: dict[str, _HeldLock] = {}
        self._mutexes: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._connecting: asyncio.Task[None] | None = None

    def headers(self, target: str | None = None) -> dict[str, str]:
        """The headers of a write on this target. A write without a target may touch any, so it sends any held lock."""
        held = self._held.get(target or TRAJECTORY)
        if held is None and target is None:
            held = next(iter(self._held.values()), None)
        return {} if held is None else {"Workroom-Lock": held.token}

    async def acquire(
        self, target: str, message: str | None, ttl_seconds: float | None, wait: float | None
    ) -> _HeldLock:
        async with self._mutexes[target]:
            held = self._held.get(target)
            if held is None:
                held = self._held[target] = _HeldLock(await self._request(target, message, ttl_seconds, wait))
                held.refresher = asyncio.create_task(self._refresh_loop(held), name=f"lock on {target}")
                self._start_connecting()
            elif held.lost is not None:
                raise held.lost
            elif message is not None:
                await self.set_message(held, message)
            held.blocks += 1
            return held

    async def release(self, held: _HeldLock) -> None:
        """Release the lock at the end of the outermost block; LockLost if it was lost in the meantime."""
        async with self._mutexes[held.target]:
            held.blocks -= 1
            if held.blocks > 0:
                return
            self._held.pop(held.target, None)
            if held.refresher is not None:
                held.refresher.cancel()
            if held.lost is not None:
                raise held.lost
            await self._post(held, "release")

    async def set_message(self, held: _HeldLock, message: str) -> None:
        """Change the message that users of the room see."""
        await self._post(held, "refresh", message=message)
        held.message = message
        held.extend()

    async def close(self) -> None:
        """Release all locks."""
        locks, self._held = list(self._held.values()), {}
        if self._connecting is not None:
            self._connecting.cancel()
        for held in locks:
            if held.refresher is not None:
                held.refresher.cancel()
            with suppress(WorkroomError, TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self._post(held, "release")

    async def _request(
        self, target: str, message: str | None, ttl_seconds: float | None, wait: float | None
    ) -> GrantedLock:
        body = {"client": self.client, "message": message or "", "ttlSeconds": ttl_seconds}
        give_up_at = None if wait is None else time.monotonic() + wait
        pause, longest = _RETRY_SECONDS
        while True:
            try:
                # Repeatable: the server returns the same grant to the same client.
                answer = await self._room.access.post(f"{self._path(target)}/acquire", body, repeatable=True)
                return GrantedLock.model_validate(answer)
            except RoomLocked:
                if give_up_at is not None and time.monotonic() + pause > give_up_at:
                    raise
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, longest)

    async def _refresh_loop(self, held: _HeldLock) -> None:
        while True:
            await asyncio.sleep(refresh_pause(held.ttl_seconds))
            try:
                await self._post(held, "refresh")
                held.extend()
            except LockLost as error:
                held.mark_lost(error)
            except WorkroomError as error:
                log.warning("lock refresh failed: target=%s room=%s error=%s", held.target, self._room.name, error)
                if time.monotonic() > held.expires_at:
                    held.mark_lost()
            if held.lost is not None:
                log.warning("lock lost, writes under it fail: target=%s room=%s", held.target, self._room.name)
                return

    async def _post(self, held: _HeldLock, verb: str, **more: str) -> None:
        try:
            await self._room.access.post(
                f"{self._path(held.target)}/{verb}", {"token": held.token} | more, repeatable=verb == "refresh"
            )
        except LockLost as error:
            raise held.mark_lost(error) from None

    def _path(self, target: str) -> str:
        return f"{room_path(self._room.name)}/locks/{quote(target, safe='')}"

    def _start_connecting(self) -> None:
        """Open the live connection, so that the server releases the lock at once if this process ends."""
        if self._release_on_disconnect and (self._connecting is None or self._connecting.done()):
            self._connecting = asyncio.create_task(self._connect_later(), name="lock's connection")

    async def _connect_later(self) -> None:
        await asyncio.sleep(_CONNECT_AFTER_SECONDS)  # most locks are released by then
        if self._held:
            with suppress(WorkroomError):
                await self._room.live.join(self._room.name)


class AsyncLock:
    """A lock for the duration of a block: `async with room.lock("trajectory", msg="Uploading") as lock`."""

    def __init__(
        self,
        locks: HeldLocks,
        target: str = TRAJECTORY,
        msg: str | None = None,
        *,
        ttl: float | None = None,
        wait: float | None = WAIT_SECONDS,
    ) -> None:
        self._locks = locks
        self.target = lock_target(target)
        self._message = msg
        self._ttl = ttl
        self._wait = wait
        self._entered: list[_HeldLock] = []

    @property
    def msg(self) -> str:
        """The message that users of the room see while the lock is held."""
        return self._entered[-1].message if self._entered else self._message or ""

    @property
    def fence(self) -> int:
        """The fencing token: larger than that of every earlier grant of this lock."""
        return self._current().fence

    @property
    def is_lost(self) -> bool:
        return bool(self._entered) and self._entered[-1].lost is not None

    async def update(self, msg: str) -> None:
        """Change the message that users of the room see; LockLost if the lock is lost."""
        held = self._current()
        if held.lost is not None:
            raise held.lost
        await self._locks.set_message(held, msg)

    async def __aenter__(self) -> Self:
        self._entered.append(await self._locks.acquire(self.target, self._message, self._ttl, self._wait))
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        try:
            await self._locks.release(self._entered.pop())
        except Unavailable as error:
            log.warning("lock release failed, the lock expires by its TTL: target=%s error=%s", self.target, error)
        except WorkroomError:
            # An error of the block takes precedence.
            if kind is None:
                raise

    def _current(self) -> _HeldLock:
        if not self._entered:
            raise LockLost("The lock is not taken: use it within its `with` block.", target=self.target)
        return self._entered[-1]

    def __repr__(self) -> str:
        state = "lost" if self.is_lost else "held" if self._entered else "not held"
        return f"<{type(self).__name__} on {self.target}, {state}>"
