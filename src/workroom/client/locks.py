"""Locks, from the side of a client that has them.

A room remembers which locks it has: taking one again nests, every write under a lock names its token, and a task
refreshes it. A lock that got lost stays known as lost until its block ends, so that no write slips through without it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from contextlib import suppress
from typing import Protocol, Self
from uuid import uuid4

from workroom.client.net.event_stream import EventStream
from workroom.client.net.http import ApiClient
from workroom.domain.errors import LockLost, RoomLocked, Unavailable, WorkroomError
from workroom.domain.rooms.locks import TRAJECTORY, lock_target, refresh_pause
from workroom.wire.locks import GrantedLock

log = logging.getLogger("workroom.client")

WAIT_SECONDS = 10.0
_LOOKS = (0.05, 0.5)  # seconds between two tries to get a lock, at first and at most
_FAREWELL_SECONDS = 2.0
_BRIEF_SECONDS = 0.5  # a lock that is held for longer is worth a connection


class LockingRoom(Protocol):
    name: str

    @property
    def access(self) -> ApiClient: ...
    @property
    def live(self) -> EventStream: ...


class _Held:
    """A lock we have."""

    def __init__(self, grant: GrantedLock) -> None:
        self.target = grant.target
        self.token = grant.token
        self.fence = grant.fence
        self.message = grant.message
        self.ttl_seconds = grant.ttl_seconds
        self.blocks = 0  # how many `with` are under way
        self.lost: LockLost | None = None
        self.refresher: asyncio.Task[None] | None = None
        self.good_until = 0.0  # by our clock, and so no promise
        self.renewed()

    def renewed(self) -> None:
        self.good_until = time.monotonic() + self.ttl_seconds

    def is_lost(self, why: LockLost | None = None) -> LockLost:
        self.lost = why or LockLost(
            f"The lock on the {self.target} could not be refreshed in time; somebody else may have it.",
            target=self.target,
        )
        return self.lost


class HeldLocks:
    """The locks a room has. `bound`: they are freed soon after the room's live connection is gone."""

    def __init__(self, room: LockingRoom, *, bound: bool) -> None:
        self._room = room
        self._bound = bound
        self.client = uuid4().hex
        self._held: dict[str, _Held] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._joining: asyncio.Task[None] | None = None

    def headers(self, target: str | None = None) -> dict[str, str]:
        """What a write on this target says besides; without a target, what one says that may touch anything."""
        held = self._held.get(target or TRAJECTORY)
        if held is None and target is None:
            held = next(iter(self._held.values()), None)
        return {} if held is None else {"Workroom-Lock": held.token}

    async def enter(self, target: str, message: str | None, ttl_seconds: float | None, wait: float | None) -> _Held:
        async with self._turns[target]:
            held = self._held.get(target)
            if held is None:
                held = self._held[target] = _Held(await self._granted(target, message, ttl_seconds, wait))
                held.refresher = asyncio.create_task(self._keep(held), name=f"lock on {target}")
                self._join()
            elif held.lost is not None:
                raise held.lost
            elif message is not None:
                await self.say(held, message)
            held.blocks += 1
            return held

    async def leave(self, held: _Held) -> None:
        """Give it back at the end of the outermost block; LockLost when it was lost meanwhile."""
        async with self._turns[held.target]:
            held.blocks -= 1
            if held.blocks > 0:
                return
            self._held.pop(held.target, None)
            if held.refresher is not None:
                held.refresher.cancel()
            if held.lost is not None:
                raise held.lost
            await self._post(held, "release")

    async def say(self, held: _Held, message: str) -> None:
        """Tell everybody what it is for now."""
        await self._post(held, "refresh", message=message)
        held.message = message
        held.renewed()

    async def close(self) -> None:
        """Give everything back."""
        held, self._held = list(self._held.values()), {}
        if self._joining is not None:
            self._joining.cancel()
        for one in held:
            if one.refresher is not None:
                one.refresher.cancel()
            with suppress(WorkroomError, TimeoutError):
                async with asyncio.timeout(_FAREWELL_SECONDS):
                    await self._post(one, "release")

    async def _granted(
        self, target: str, message: str | None, ttl_seconds: float | None, wait: float | None
    ) -> GrantedLock:
        body = {"client": self.client, "message": message or "", "ttlSeconds": ttl_seconds}
        give_up_at = None if wait is None else time.monotonic() + wait
        pause, longest = _LOOKS
        while True:
            try:
                # The same client gets the same grant: it may be asked for twice.
                answer = await self._room.access.post(f"{self._path(target)}/acquire", body, repeatable=True)
                return GrantedLock.model_validate(answer)
            except RoomLocked:
                if give_up_at is not None and time.monotonic() + pause > give_up_at:
                    raise
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, longest)

    async def _keep(self, held: _Held) -> None:
        while True:
            await asyncio.sleep(refresh_pause(held.ttl_seconds))
            try:
                await self._post(held, "refresh")
                held.renewed()
            except LockLost as error:
                held.is_lost(error)
            except WorkroomError as error:
                log.warning("the lock on the %s is not refreshed: %s", held.target, error)
                if time.monotonic() > held.good_until:
                    held.is_lost()
            if held.lost is not None:
                log.warning("the lock on the %s in room %s is lost", held.target, self._room.name)
                return

    async def _post(self, held: _Held, verb: str, **more: str) -> None:
        try:
            await self._room.access.post(
                f"{self._path(held.target)}/{verb}", {"token": held.token} | more, repeatable=verb == "refresh"
            )
        except LockLost as error:
            raise held.is_lost(error) from None

    def _path(self, target: str) -> str:
        return f"/api/rooms/{self._room.name}/locks/{target}"

    def _join(self) -> None:
        """Be connected, so that the lock need not wait for its time should we be gone."""
        if self._bound and (self._joining is None or self._joining.done()):
            self._joining = asyncio.create_task(self._joined(), name="lock's connection")

    async def _joined(self) -> None:
        await asyncio.sleep(_BRIEF_SECONDS)  # most locks are given back by then
        if self._held:
            with suppress(WorkroomError):
                await self._room.live.join(self._room.name)


class AsyncLock:
    """The right to write, for the length of a block: `async with room.lock("trajectory", msg="Uploading") as lock`."""

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
        self._entered: list[_Held] = []

    @property
    def msg(self) -> str:
        """What everybody in the room is told about it."""
        return self._entered[-1].message if self._entered else self._message or ""

    @property
    def fence(self) -> int:
        """Larger with every grant of this lock to anybody."""
        return self._now().fence

    @property
    def is_lost(self) -> bool:
        return bool(self._entered) and self._entered[-1].lost is not None

    async def update(self, msg: str) -> None:
        """Tell everybody what it is for now; LockLost when it is lost."""
        held = self._now()
        if held.lost is not None:
            raise held.lost
        await self._locks.say(held, msg)

    async def __aenter__(self) -> Self:
        self._entered.append(await self._locks.enter(self.target, self._message, self._ttl, self._wait))
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        try:
            await self._locks.leave(self._entered.pop())
        except Unavailable as error:
            log.warning("the lock on the %s was not given back, and ends by itself: %s", self.target, error)
        except WorkroomError:
            # Whatever went wrong in the block comes first.
            if kind is None:
                raise

    def _now(self) -> _Held:
        if not self._entered:
            raise LockLost("The lock is not taken: use it within its `with` block.", target=self.target)
        return self._entered[-1]

    def __repr__(self) -> str:
        state = "lost" if self.is_lost else "held" if self._entered else "not held"
        return f"<{type(self).__name__} on {self.target}, {state}>"
