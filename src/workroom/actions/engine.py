"""Where actions are carried out: the database they change, the clockwork they follow, and whom they tell."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar
from uuid import UUID

from uuid_utils.compat import uuid7

from workroom.actions.events import Event
from workroom.actions.workers.throughput import PendingCounts
from workroom.domain.jobs.timing import Timing
from workroom.store.database import Database
from workroom.store.statement import Connection

T = TypeVar("T")
Announce = Callable[[Sequence[Event]], None]


def _no_listeners(_: Sequence[Event]) -> None:
    return None


@dataclass(slots=True)
class Transaction:
    """One transaction under way, and the events it will have caused."""

    connection: Connection
    can_push: bool = True  # whether a remote worker hears of the jobs it is handed here
    events: list[Event] = field(default_factory=list[Event])

    def record(self, event: Event) -> None:
        self.events.append(event)


class Engine:
    """Hands actions their transaction, and announces their events once it is committed."""

    def __init__(
        self,
        database: Database,
        *,
        timing: Timing | None = None,
        announce: Announce = _no_listeners,
        pushes: bool = True,
    ) -> None:
        self.database = database
        self.can_push = pushes  # only a server has the sockets of remote workers; others leave handing out to it
        self.timing = timing or Timing()
        self.announce = announce
        # Ids of the layouts that frames have had so far, by their digests; layouts are never deleted.
        self.layouts: dict[bytes, int] = {}
        self.pending_counts = PendingCounts()
        # Uploads each keep a connection for as long as they take: most connections are left to everybody else.
        self.uploads = asyncio.Semaphore(max(1, database.connections // 4))

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._announcing(self.database.atomically, work)

    async def transaction_once(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """For work that cannot start over, because what it takes in comes only once: a collision is an error."""
        return await self._announcing(partial(self.database.atomically, most=1), work)

    async def _announcing(
        self,
        run: Callable[[Callable[[Connection], Awaitable[T]]], Awaitable[T]],
        work: Callable[[Transaction], Awaitable[T]],
    ) -> T:
        transaction: Transaction | None = None

        async def fresh(connection: Connection) -> T:
            # A transaction that collided starts over, and so do its events.
            nonlocal transaction
            transaction = Transaction(connection, self.can_push)
            return await work(transaction)

        answer = await run(fresh)
        if transaction is not None and transaction.events:
            self.announce(transaction.events)
        return answer

    async def autocommit(self, work: Callable[[Transaction], Awaitable[T]], *, again: bool = True) -> T:
        """For work that is a single statement, and so a transaction by itself: committed once it has answered."""

        async def announced(connection: Connection) -> T:
            transaction = Transaction(connection, self.can_push)
            answer = await work(transaction)
            if transaction.events:
                self.announce(transaction.events)
            return answer

        return await (self.database.repeatedly if again else self.database.once)(announced)


def new_id() -> UUID:
    """A fresh id: larger than all before it."""
    return uuid7()
