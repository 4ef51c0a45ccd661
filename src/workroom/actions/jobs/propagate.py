"""What follows when jobs have moved: postings count, dependents are freed or fall, idle workers get work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from workroom.actions.engine import Transaction
from workroom.actions.events import JobsMoved, PostingEnded
from workroom.actions.jobs.assign import announce_and_assign
from workroom.actions.rooms.chat import post_failures
from workroom.domain.jobs.states import FINAL, State
from workroom.store.queue_tables import jobs, postings
from workroom.store.queue_tables.job_rows import Transition
from workroom.store.queue_tables.postings import PostingProgress


async def propagate(transaction: Transaction, moved: Sequence[Transition]) -> None:
    """Draw every consequence of these moves, and of the moves they cause in turn."""
    waiting = list(moved)
    freed: set[int] = set()
    mourned: list[Transition] = []
    while waiting:
        transaction.record(JobsMoved(tuple(waiting)))
        freed.update(job.extension_id for job in waiting if job.state == State.PENDING)
        # Of a posting's thousand failures the posting tells; the chat is for people.
        mourned += [
            job for job in waiting if job.state == State.FAILED and job.room is not None and job.posting_id is None
        ]
        ended = await _count(transaction, waiting)
        waiting = await _release_or_fail_dependents(transaction, waiting, ended)
    if mourned:
        await post_failures(transaction, mourned)
    if freed:
        await announce_and_assign(transaction, sorted(freed))
        await jobs.hint(transaction.connection, sorted(freed))


async def _count(transaction: Transaction, moved: Iterable[Transition]) -> list[PostingProgress]:
    """Count ended jobs in their postings; the postings that ended with them."""
    tallies: dict[UUID, Counter[str]] = {}
    for job in moved:
        if job.posting_id is not None and job.state in FINAL:
            tallies.setdefault(job.posting_id, Counter())[job.state] += job.jobs
    if not tallies:
        return []
    ids = sorted(tallies)
    counted = await postings.count(
        transaction.connection,
        ids=ids,
        completed=[tallies[posting][State.COMPLETED] for posting in ids],
        failed=[tallies[posting][State.FAILED] for posting in ids],
        cancelled=[tallies[posting][State.CANCELLED] for posting in ids],
    )
    ended = [posting for posting in counted if posting.status in FINAL]
    await _tell_ended(transaction, ended)
    return ended


async def _tell_ended(transaction: Transaction, ended: Sequence[PostingProgress]) -> None:
    for posting in ended:
        transaction.record(PostingEnded(posting.id, posting.status))
    if ended:
        await postings.tell_ended(transaction.connection, [posting.id for posting in ended])


async def _release_or_fail_dependents(
    transaction: Transaction, moved: Iterable[Transition], ended: Iterable[PostingProgress]
) -> list[Transition]:
    """Free the jobs that waited for what has completed; let fall those that waited for what has not."""
    done_jobs = [job.id for job in moved if job.has_dependents and job.state == State.COMPLETED]
    lost_jobs = [job.id for job in moved if job.has_dependents and job.state in (State.FAILED, State.CANCELLED)]
    done_postings = [posting.id for posting in ended if posting.has_dependents and posting.status == State.COMPLETED]
    lost_postings = [posting.id for posting in ended if posting.has_dependents and posting.status != State.COMPLETED]
    further: list[Transition] = []
    if done_jobs or done_postings:
        further += await jobs.unblock(transaction.connection, jobs=done_jobs, postings=done_postings)
    if lost_jobs or lost_postings:
        further += await jobs.abandon(transaction.connection, jobs=lost_jobs, postings=lost_postings)
    return further


async def propagate_posting(transaction: Transaction, posting: PostingProgress) -> None:
    """A posting has ended without a job of it moving: it was sealed after its last job had ended."""
    await _tell_ended(transaction, [posting])
    await propagate(transaction, await _release_or_fail_dependents(transaction, [], [posting]))
