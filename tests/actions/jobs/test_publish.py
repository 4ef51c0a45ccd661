"""A message of a broker names a job and an attempt. The database decides whether its receiver gets the job."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from uuid import UUID

import pytest
from tests.workshop import Worker, Workshop, failure, spec_of

from workroom.actions.events import JobsAssigned
from workroom.actions.jobs.assign import assign_to, claim_one
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.rescue import rescue
from workroom.actions.workers.lifecycle import WorkerSpec, attach, detach_orphans, register_worker
from workroom.domain.jobs.outcomes import Started
from workroom.store.queue_tables.celery import WaitingJob
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed
from workroom.upkeep.celery_publisher import CeleryPublisher


async def _taken(worker: Worker, job_id: UUID, attempt: int = 1) -> Claimed | None:
    return await claim_one(worker.workshop.engine, worker.id, job_id, attempt)


async def test_a_message_that_is_delivered_often_runs_its_job_once(workshop: Workshop) -> None:
    relax = await workshop.extension()
    fleet = [await workshop.worker(relax, kind="celery") for _ in range(4)]
    job_id = await workshop.pending_job(relax)
    answers = await asyncio.gather(*(_taken(worker, job_id) for worker in fleet * 5))
    (job,) = [job for job in answers if job is not None]
    assert (job.id, job.attempt) == (job_id, 1)
    assert [event.jobs[0].id for event in workshop.events if isinstance(event, JobsAssigned)] == [job_id]
    assert await workshop.miscounted() == []


async def test_only_the_attempt_that_the_message_names_is_made(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=2, on_worker_lost="requeue")
    worker = await workshop.worker(relax, kind="celery")
    job_id = await workshop.pending_job(relax)
    assert await _taken(worker, job_id, 2) is None and await _taken(worker, job_id, 0) is None
    job = await _taken(worker, job_id)
    assert job is not None
    await worker.is_lost()
    await rescue(workshop.engine)
    second = await workshop.worker(relax, kind="celery")
    # The broker delivers the message of the lost worker once more.
    assert await _taken(second, job_id, 1) is None
    again = await _taken(second, job_id, 2)
    assert again is not None and again.attempt == 2


async def test_a_job_that_is_not_to_be_had_is_left_alone(workshop: Workshop) -> None:
    relax, other = await workshop.extension(), await workshop.extension("Other")
    celery, remote = await workshop.worker(relax, kind="celery"), await workshop.worker(other, kind="remote")
    cancelled = await workshop.pending_job(relax)
    await cancel(workshop.engine, cancelled)
    assert await _taken(celery, cancelled) is None
    foreign = await workshop.pending_job(other, priority=0)
    assert await _taken(celery, foreign) is None  # it does not offer the extension
    waiting = await workshop.pending_job(relax)
    assert await _taken(remote, waiting) is None  # the server decides what a remote worker gets
    await workshop.sql("UPDATE extension SET paused = true WHERE id = %s", relax.id)
    assert await _taken(celery, waiting) is None
    await workshop.sql("UPDATE extension SET paused = false WHERE id = %s", relax.id)
    await celery.is_lost()
    assert await _taken(celery, waiting) is None
    assert (await workshop.record(waiting))["state"] == "pending"


async def test_the_server_assigns_a_celery_worker_nothing_by_itself(workshop: Workshop) -> None:
    relax = await workshop.extension()
    registered = await register_worker(
        workshop.engine,
        WorkerSpec("celery", [spec_of(relax)], account_id=workshop.person, capacity=4, has_socket=True),
    )
    worker = Worker(workshop, registered.worker_id, registered.incarnation)
    assert await _taken(worker, await workshop.pending_job(relax)) is None  # its socket is not connected yet
    await attach(workshop.engine, worker.id, worker.incarnation, "socket")
    assert await assign_to(workshop.engine, worker.id) == []
    assert not [event for event in workshop.events if isinstance(event, JobsAssigned)]
    job = await _taken(worker, await workshop.pending_job(relax))
    assert job is not None
    # Its lease decides whether it is lost, not its socket: it writes heartbeats to the database.
    await workshop.sql(
        "UPDATE worker SET attached = false, detached_at = now() - interval '1 hour' WHERE id = %s", worker.id
    )
    assert await workshop.lost_workers() == []


class _Broker:
    """Keeps what was sent; a test takes messages out, or loses them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, WaitingJob]] = []
        self.is_away = False

    def send(self, queue: str, jobs: Sequence[WaitingJob]) -> None:
        if self.is_away:
            raise ConnectionError("the broker is away")
        self.sent += [(queue, job) for job in jobs]

    def names(self) -> list[UUID]:
        return [job.id for _, job in self.sent]


@pytest.fixture
def broker() -> _Broker:
    return _Broker()


async def _fleet(workshop: Workshop, *offered: ExtensionRow, queue: str = "workroom") -> Worker:
    worker = await workshop.worker(*offered, kind="celery")
    await workshop.sql(
        """UPDATE worker SET info = jsonb_build_object('node', id, 'slots', 1, 'queues', jsonb_build_array(%s::text))
           WHERE id = %s""",
        queue,
        worker.id,
    )
    return worker


def _publisher(workshop: Workshop, broker: _Broker, seconds: float = 60.0) -> CeleryPublisher:
    return CeleryPublisher(workshop.engine, broker.send, ahead=2, republish_seconds=seconds)


async def test_few_messages_wait_in_the_broker_and_urgent_jobs_come_first(workshop: Workshop, broker: _Broker) -> None:
    relax, other = await workshop.extension(), await workshop.extension("Other")
    worker = await _fleet(workshop, relax, other)
    plain = [await workshop.pending_job(relax) for _ in range(5)]
    foreign = await workshop.pending_job(other)
    urgent = await workshop.pending_job(relax, priority=9)
    publisher = _publisher(workshop, broker)
    await publisher.run_once()
    # Two for its one slot: the urgent one, then the extensions in turn.
    assert broker.names() == [urgent, plain[0]]
    queue, job = broker.sent[0]
    assert (queue, job.attempt, job.category, job.name) == ("workroom", 1, "modifiers", "Relax")
    await publisher.run_once()
    assert len(broker.sent) == 2
    assert await _taken(worker, urgent) is not None
    await publisher.run_once()
    assert len(broker.sent) == 3 and broker.names()[2] in (plain[1], foreign)


async def test_jobs_go_to_a_queue_whose_workers_offer_their_extension(workshop: Workshop, broker: _Broker) -> None:
    relax, other = await workshop.extension(), await workshop.extension("Other")
    await _fleet(workshop, relax, queue="cpu")
    await _fleet(workshop, other, queue="gpu")
    for extension in (other, relax):
        await workshop.pending_job(extension)
    unoffered = await workshop.pending_job(await workshop.extension("Nobody"))
    await _publisher(workshop, broker).run_once()
    assert sorted((queue, job.name) for queue, job in broker.sent) == [("cpu", "Relax"), ("gpu", "Other")]
    assert unoffered not in broker.names()


async def test_jobs_that_need_resources_reach_only_workers_that_offer_them(workshop: Workshop, broker: _Broker) -> None:
    relax = await workshop.extension(resources={"gpus": 1})
    plain = await _fleet(workshop, relax, queue="cpu")
    job_id = await workshop.pending_job(relax)
    await _publisher(workshop, broker).run_once()
    assert broker.names() == []
    assert await _taken(plain, job_id) is None
    equipped = await _fleet(workshop, relax, queue="gpu")
    await workshop.sql("""UPDATE worker SET resources = '{"gpus": 1}' WHERE id = %s""", equipped.id)
    await _publisher(workshop, broker).run_once()
    assert [queue for queue, _ in broker.sent] == ["gpu"]
    assert await _taken(equipped, job_id) is not None
    assert await _taken(equipped, await workshop.pending_job(relax)) is None  # its only GPU is in use


async def test_a_lost_message_is_sent_again_and_one_that_waits_for_a_slot_is_not(
    workshop: Workshop, broker: _Broker
) -> None:
    relax = await workshop.extension()
    worker = await _fleet(workshop, relax)
    first, second = [await workshop.pending_job(relax) for _ in range(2)]
    publisher = _publisher(workshop, broker, seconds=0.05)
    await publisher.run_once()
    assert broker.names() == [first, second]
    running = await _taken(worker, first)
    assert running is not None

    async def rounds(until: float) -> None:
        while time.monotonic() < until:
            await publisher.run_once()
            await asyncio.sleep(0.05)

    await rounds(time.monotonic() + 2.5)  # the publisher looks at the fleet once a second
    assert broker.names() == [first, second]  # the only worker is busy
    await worker.finish(running)
    deadline = time.monotonic() + 10
    while broker.names().count(second) < 2:
        assert time.monotonic() < deadline, "the message was not sent again"
        await rounds(time.monotonic() + 0.1)


async def test_the_next_attempt_of_a_job_gets_a_message_of_its_own(workshop: Workshop, broker: _Broker) -> None:
    relax = await workshop.extension(tries=2, backoff_base=0.0)
    worker = await _fleet(workshop, relax)
    job_id = await workshop.pending_job(relax, tries=2)
    publisher = _publisher(workshop, broker)
    await publisher.run_once()
    job = await _taken(worker, job_id)
    assert job is not None
    await worker.say(job, Started())
    await worker.say(job, failure())
    await workshop.sql("UPDATE job SET run_at = NULL WHERE id = %s", job_id)  # its back-off has ended
    await publisher.run_once()
    assert [(job.id, job.attempt) for _, job in broker.sent] == [(job_id, 1), (job_id, 2)]


async def test_jobs_wait_while_the_broker_is_away(workshop: Workshop, broker: _Broker) -> None:
    relax = await workshop.extension()
    await _fleet(workshop, relax)
    job_id = await workshop.pending_job(relax)
    publisher = _publisher(workshop, broker)
    broker.is_away = True
    await publisher.run_once()
    broker.is_away = False
    await publisher.run_once()
    assert broker.names() == [job_id]


async def test_jobs_of_a_paused_extension_get_new_messages_at_once_when_it_goes_on(
    workshop: Workshop, broker: _Broker
) -> None:
    """Workers have dropped the messages meanwhile."""
    relax = await workshop.extension()
    await _fleet(workshop, relax)
    job_id = await workshop.pending_job(relax)
    publisher = _publisher(workshop, broker)
    await publisher.run_once()
    await workshop.sql("UPDATE extension SET paused = true WHERE id = %s", relax.id)
    await publisher.run_once()
    assert broker.names() == [job_id]
    await workshop.sql("UPDATE extension SET paused = false WHERE id = %s", relax.id)
    await publisher.run_once()
    assert broker.names() == [job_id, job_id]


async def test_no_message_is_sent_to_a_worker_whose_server_has_ended(workshop: Workshop, broker: _Broker) -> None:
    """It cannot ask for the job. A worker of functions needs no server."""
    relax, function = await workshop.extension(), await workshop.extension("Function")
    extensions, functions = await _fleet(workshop, relax), await _fleet(workshop, function)
    await workshop.sql("UPDATE worker SET attached = true, server = 4711 WHERE id = %s", extensions.id)
    assert await detach_orphans(workshop.engine) == [extensions.id]
    await workshop.pending_job(relax)
    runs = await workshop.pending_job(function)
    await _publisher(workshop, broker).run_once()
    assert broker.names() == [runs]
    assert await workshop.sql("SELECT attached FROM worker WHERE id = %s", functions.id) == [(True,)]
