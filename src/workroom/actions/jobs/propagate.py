"""Consequences of job transitions: counters of postings, dependents, failure notices in the chat, idle workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import JobsMoved, PostingEnded
from workroom.actions.jobs.assign import announce_and_assign
from workroom.actions.rooms.chat import post_failures
from workroom.domain.jobs.states import FINAL, State
from workroom.store.queue_tables import jobs, postings
from workroom.store.queue_tables.job_rows import Transition
from workroom.store.queue_tables.postings import PostingProgress


async def propagate(transaction: Transaction, moved: Sequence[Transition]) -> None:
    """Apply all consequences of these transitions, and of the transitions they cause in turn."""
    current = list(moved)
    pending_extensions: set[int] = set()
    failed_in_rooms: list[Transition] = []
    while current:
        transaction.record(JobsMoved(tuple(current)))
        pending_extensions.update(job.extension_id for job in current if job.state == State.PENDING)
        # A posting may have thousands of failures; it lists them itself, and the chat does not.
        failed_in_rooms += [
            job for job in current if job.state == State.FAILED and job.room is not None and job.posting_id is None
        ]
        ended = await _count(transaction, current)
        current = await _release_or_fail_dependents(transaction, current, ended)
    if failed_in_rooms:
        await post_failures(transaction, failed_in_rooms)
    if pending_extensions:
        await announce_and_assign(transaction, sorted(pending_extensions))
        await jobs.notify_pools(transaction.connection, sorted(pending_extensions))


async def _count(transaction: Transaction, moved: Iterable[Transition]) -> list[PostingProgress]:
    """Add ended jobs to the counters of their postings; returns the postings that ended."""
    counts: dict[UUID, Counter[str]] = {}
    for job in moved:
        if job.posting_id is not None and job.state in FINAL:
            counts.setdefault(job.posting_id, Counter())[job.state] += job.jobs
    if not counts:
        return []
    ids = sorted(counts)
    counted = await postings.count_ended_jobs(
        transaction.connection,
        ids=ids,
        completed=[counts[posting][State.COMPLETED] for posting in ids],
        failed=[counts[posting][State.FAILED] for posting in ids],
        cancelled=[counts[posting][State.CANCELLED] for posting in ids],
    )
    ended = [posting for posting in counted if posting.status in FINAL]
    await _notify_ended(transaction, ended)
    return ended


async def _notify_ended(transaction: Transaction, ended: Sequence[PostingProgress]) -> None:
    for posting in ended:
        transaction.record(PostingEnded(posting.id, posting.status))
    if ended:
        await postings.notify_ended(transaction.connection, [posting.id for posting in ended])


async def _release_or_fail_dependents(
    transaction: Transaction, moved: Iterable[Transition], ended: Iterable[PostingProgress]
) -> list[Transition]:
    """Unblock dependents of completed jobs and postings; fail dependents of failed or cancelled ones."""
    completed_jobs = [job.id for job in moved if job.has_dependents and job.state == State.COMPLETED]
    failed_jobs = [job.id for job in moved if job.has_dependents and job.state in (State.FAILED, State.CANCELLED)]
    completed_postings = [
        posting.id for posting in ended if posting.has_dependents and posting.status == State.COMPLETED
    ]
    failed_postings = [posting.id for posting in ended if posting.has_dependents and posting.status != State.COMPLETED]
    dependents: list[Transition] = []
    if completed_jobs or completed_postings:
        dependents += await jobs.unblock(transaction.connection, jobs=completed_jobs, postings=completed_postings)
    if failed_jobs or failed_postings:
        dependents += await jobs.fail_dependents(transaction.connection, jobs=failed_jobs, postings=failed_postings)
    return dependents


async def end_counted_posting(transaction: Transaction, posting_id: UUID) -> None:
    """End a posting whose jobs are all counted.

    It has no jobs, or a standalone `complete` left it open because it has dependents.
    """
    counted = await postings.count_ended_jobs(
        transaction.connection, ids=[posting_id], completed=[0], failed=[0], cancelled=[0]
    )
    ended = [posting for posting in counted if posting.status in FINAL]
    await _notify_ended(transaction, ended)
    await propagate(transaction, await _release_or_fail_dependents(transaction, [], ended))


async def end_counted_postings(engine: Engine) -> int:
    """End postings that a stopped process left open after it counted their last job; returns how many."""
    async with engine.database.connection() as connection:
        open_postings = await postings.counted_open(connection)
    for posting_id in open_postings:
        await engine.transaction(partial(end_counted_posting, posting_id=posting_id))
    return len(open_postings)
