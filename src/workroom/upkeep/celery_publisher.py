"""The job publisher: sends messages about waiting jobs to a Celery broker.

The database knows which jobs wait; the broker only wakes workers. So the publisher keeps no record that must survive
it: after a restart, or when another server takes over, jobs get a second message at worst, which no worker can claim.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import psycopg

from workroom.actions.engine import Engine
from workroom.actions.queries.broker import fleet, still_waiting, to_publish
from workroom.domain.errors import Unavailable
from workroom.logs import get_logger
from workroom.store.leadership import acquire_publishing, candidate, still_leads
from workroom.store.queue_tables.celery import WaitingJob
from workroom.upkeep.periodic_service import Service, end_tasks

log = get_logger(__name__)

_SHORTEST_PAUSE = 0.02  # between two rounds while workers claim jobs
_LONGEST_PAUSE = 0.25  # between two rounds while messages wait in the broker
_FLEET_SECONDS = 1.0  # between two polls of the workers
_BROKER_SECONDS = 1.0  # until the next attempt after the broker has failed

Send = Callable[[str, Sequence[WaitingJob]], None]


@dataclass(slots=True)
class _Queue:
    """A queue of the broker, as the workers that read it are together."""

    slots: dict[str, int] = field(default_factory=dict[str, int])  # of each node
    held: int = 0  # jobs
    extension_ids: set[int] = field(default_factory=set[int])

    @property
    def capacity(self) -> int:
        return sum(self.slots.values())


@dataclass(slots=True)
class _Progress:
    """How far the workers have come with the messages of a queue, which they receive in order."""

    claimed_at: float = 0.0  # when they last claimed a job
    newest: float = 0.0  # when the newest message was sent whose job they have claimed


@dataclass(frozen=True, slots=True)
class _Message:
    attempt: int
    queue: str
    sent_at: float


class CeleryPublisher(Service):
    """Runs in every server with the engine `celery`; an advisory lock decides which one publishes.

    It sends at most `ahead` messages for each slot of the fleet, so that a flooded broker is bounded and an urgent job
    waits behind few others. A message that is older than `republish_seconds` is sent again if a worker is free, and has
    claimed a job of a newer message or none at all for as long: then the broker has lost it.
    """

    name = "celery_publisher"
    pause = 1.0

    def __init__(self, engine: Engine, send: Send, *, ahead: int, republish_seconds: float) -> None:
        super().__init__()
        self._engine = engine
        self._send = send
        self._ahead = ahead
        self._republish_seconds = republish_seconds
        self._published: dict[UUID, _Message] = {}  # jobs that no worker has claimed yet
        self._queues: dict[str, _Queue] = {}
        self._progress: defaultdict[str, _Progress] = defaultdict(_Progress)
        self._fleet_seen_at = 0.0
        self._quiet_pause = _SHORTEST_PAUSE
        self._broker_failed = False

    async def run(self) -> None:
        while True:
            try:
                async with candidate(self._engine.database.url) as session:
                    while not await acquire_publishing(session):  # noqa: ASYNC110 - PostgreSQL does not notify
                        await asyncio.sleep(self._engine.timing.sweep)
                    await self._publish_while_leading(session)
            except psycopg.OperationalError as error:
                log.warning("publishing paused, database not reachable", reason=str(error).splitlines()[0])
            await asyncio.sleep(min(1.0, self._engine.timing.sweep))

    async def _publish_while_leading(self, session: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
        log.info("this server publishes jobs to the broker")
        self._published = {}
        publishing = asyncio.create_task(super().run(), name=self.name)
        try:
            while await still_leads(session):  # noqa: ASYNC110 - PostgreSQL does not notify
                await asyncio.sleep(self._engine.timing.sweep)
        finally:
            await end_tasks([publishing])

    async def run_once(self) -> float | None:
        """One round; returns the seconds until the next one."""
        await self._look_at_fleet()
        before = len(self._published)
        await self._forget_claimed()
        claimed = before - len(self._published)
        sent = 0
        for name, queue in self._queues.items():
            try:
                sent += await self._fill(name, queue)
            except Unavailable:
                raise
            except Exception as error:  # each transport of the broker has errors of its own
                self._report_failure(error)
                return _BROKER_SECONDS
        if not self._published:
            return None
        self._quiet_pause = _SHORTEST_PAUSE if claimed or sent else min(1.5 * self._quiet_pause, _LONGEST_PAUSE)
        return self._quiet_pause

    async def _look_at_fleet(self) -> None:
        now = time.monotonic()
        if now - self._fleet_seen_at < _FLEET_SECONDS:
            return
        queues: defaultdict[str, _Queue] = defaultdict(_Queue)
        for worker in await fleet(self._engine):
            for name in worker.queues:
                queue = queues[name]
                queue.slots[worker.node] = worker.slots
                queue.held += worker.held
                queue.extension_ids.update(worker.extension_ids)
        self._queues = dict(queues)
        self._fleet_seen_at = now
        self._forget_lost(now)

    def _forget_lost(self, now: float) -> None:
        """Forget messages that free workers should have received by now, so that they are sent again."""
        lost = [
            job_id
            for job_id, message in self._published.items()
            if now - message.sent_at > self._republish_seconds and self._is_overdue(message, now)
        ]
        for job_id in lost:
            del self._published[job_id]
        if lost:
            log.warning("messages seem to be lost in the broker: sending them again", messages=len(lost))

    def _is_overdue(self, message: _Message, now: float) -> bool:
        queue, progress = self._queues.get(message.queue), self._progress[message.queue]
        if queue is not None and queue.held >= queue.capacity:
            return False
        is_overtaken = progress.newest > message.sent_at
        return queue is None or is_overtaken or now - progress.claimed_at > self._republish_seconds

    async def _forget_claimed(self) -> None:
        if not self._published:
            return
        waiting = await still_waiting(self._engine, list(self._published))
        for job_id, message in list(self._published.items()):
            if (job_id, message.attempt) not in waiting:
                del self._published[job_id]
                progress = self._progress[message.queue]
                progress.claimed_at = time.monotonic()
                progress.newest = max(progress.newest, message.sent_at)

    async def _fill(self, name: str, queue: _Queue) -> int:
        """Send messages until `ahead` of them wait for each slot; returns how many."""
        in_broker = Counter(message.queue for message in self._published.values())[name]
        room = queue.capacity * self._ahead - in_broker
        if room <= 0:
            return 0
        jobs = await to_publish(self._engine, sorted(queue.extension_ids), published=list(self._published), limit=room)
        if not jobs:
            return 0
        await asyncio.to_thread(self._send, name, jobs)
        now = time.monotonic()
        self._published |= {job.id: _Message(job.attempt, name, now) for job in jobs}
        if self._broker_failed:
            self._broker_failed = False
            log.info("the broker accepts messages again")
        return len(jobs)

    def _report_failure(self, error: Exception) -> None:
        if not self._broker_failed:
            self._broker_failed = True
            log.warning("the broker does not accept messages, jobs wait", reason=str(error) or type(error).__name__)
