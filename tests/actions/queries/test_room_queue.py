"""The queue of a room, as its jobs panel shows it."""

from __future__ import annotations

from tests.workshop import Workshop

from workroom.actions.queries import room_queue


async def test_the_head_of_the_queue_has_the_next_jobs_and_those_of_the_viewer(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    viewer = await workshop.another_person("viewer")
    await workshop.completed_job(relax, worker)
    running = await workshop.running_job(relax, worker)
    waiting = [await workshop.pending_job(relax) for _ in range(8)]
    blocked = await workshop.blocked_job(relax, waiting[0], submitter=viewer)
    own = await workshop.pending_job(relax, submitter=viewer)
    urgent = await workshop.pending_job(relax, priority=9)
    await workshop.sql("UPDATE job SET turn = CASE WHEN id = %s THEN 9 ELSE 0 END WHERE state = 'pending'", own)
    queue = await room_queue.of_room(workshop.engine, "lab", viewer)
    assert (queue.working, queue.waiting) == (1, 11)
    assert [one.id for one in queue.head] == [running.id, urgent, *waiting[:4], own, blocked]
    assert (await room_queue.of_room(workshop.engine, "elsewhere", viewer)).head == []
