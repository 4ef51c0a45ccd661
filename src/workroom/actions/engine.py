"""The engine: runs actions in transactions and announces their events after the commit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar
from uuid import UUID

from uuid_utils.compat import uuid7

from workroom.actions.events import Event, JobsMoved
from workroom.actions.events.cross_server import SharedEvents, shared
from workroom.actions.quotas.usage_cache import usage_cache
from workroom.actions.workers.throughput import PendingCounts
from workroom.domain.ids import made_at
from workroom.domain.jobs.ended_job_counts import HistoryCounts, HistoryKey
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.latency import LatencyCounts
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.quotas import QuotaDefaults
from workroom.store import notifications
from workroom.store.database import Database
from workroom.store.statement import Connection

T = TypeVar("T")
Announce = Callable[[Sequence[Event]], None]


def _no_listeners(_: Sequence[Event]) -> None:
    return None


@dataclass(slots=True)
class Transaction:
    """An open transaction and the events to announce after its commit."""

    connection: Connection
    can_push: bool = True  # whether this process can send assigned jobs to remote workers
    events: list[Event] = field(default_factory=list[Event])

    def record(self, event: Event) -> None:
        self.events.append(event)


class Engine:
    """Runs actions in transactions, and announces their events after the commit."""

    def __init__(
        self,
        database: Database,
        *,
        timing: Timing | None = None,
        announce: Announce = _no_listeners,
        pushes: bool = True,
        quotas: QuotaDefaults | None = None,
        server: int | None = None,
    ) -> None:
        self.database = database
        self.id = new_id().hex  # of this process, in the notifications that it sends
        self.server = server  # the number of this server; none in other processes
        # Only a server checks quotas. A program with its own access to the database is trusted.
        self.quotas = quotas
        self.usage_cache = usage_cache()
        # Only a server has the sockets of remote workers; other processes leave assignment to it.
        self.can_push = pushes
        self.timing = timing or Timing()
        self.announce = announce
        # Cache: ids of frame layouts by digest. Layouts are never deleted.
        self.layouts: dict[bytes, int] = {}
        self.pending_counts = PendingCounts()
        self.latencies = LatencyCounts()
        self.history = HistoryCounts()
        # An upload holds a connection until it ends, so uploads get at most a quarter of the pool.
        self.uploads = asyncio.Semaphore(max(1, database.connections // 4))

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._announcing(self.database.atomically, work)

    async def transaction_once(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """A transaction that is not retried, for work whose input can be read only once; a collision is an error."""
        return await self._announcing(partial(self.database.atomically, most=1), work)

    async def _announcing(
        self,
        run: Callable[[Callable[[Connection], Awaitable[T]]], Awaitable[T]],
        work: Callable[[Transaction], Awaitable[T]],
    ) -> T:
        transaction: Transaction | None = None

        async def fresh(connection: Connection) -> T:
            # A retried transaction records its events anew.
            nonlocal transaction
            transaction = Transaction(connection, self.can_push)
            answer = await work(transaction)
            await self._notify_servers(transaction)
            return answer

        answer = await run(fresh)
        if transaction is not None and transaction.events:
            self._committed(transaction.events)
        return answer

    async def autocommit(self, work: Callable[[Transaction], Awaitable[T]], *, again: bool = True) -> T:
        """Run work that is a single statement, which is its own transaction."""

        async def announced(connection: Connection) -> T:
            transaction = Transaction(connection, self.can_push)
            answer = await work(transaction)
            await self._notify_servers(transaction)
            if transaction.events:
                self._committed(transaction.events)
            return answer

        return await (self.database.repeatedly if again else self.database.once)(announced)

    def _committed(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, JobsMoved):
                self._count_ended(event)
        self.announce(events)

    def _count_ended(self, moved: JobsMoved) -> None:
        """Count ended jobs for the history. The times of calls are counted by the pool that runs them."""
        for job in moved.jobs:
            if job.state not in FINAL:
                continue
            key = HistoryKey(job.extension_id, job.room, job.posting_id if job.room is None else None)
            self.history.add_ended(key, job.state, job.jobs)
            if job.state == State.COMPLETED and job.started_at is not None and job.finished_at is not None:
                started = job.started_at.timestamp()
                self.history.add_times(key, started - made_at(job.id), job.finished_at.timestamp() - started)

    async def _notify_servers(self, transaction: Transaction) -> None:
        if events := shared(transaction.events):
            payload = SharedEvents(self.id, events).encode()
            await notifications.notify_servers(transaction.connection, [f"{notifications.EVENTS}{payload}"])


def new_id() -> UUID:
    """A new UUIDv7: larger than all before it."""
    return uuid7()
