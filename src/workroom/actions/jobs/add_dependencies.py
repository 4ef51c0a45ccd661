"""Dependencies of new jobs on jobs and postings."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Transaction
from workroom.actions.jobs.options import Dependencies
from workroom.actions.jobs.propagate import propagate
from workroom.domain.errors import NotFound
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs


async def lock_dependencies(
    transaction: Transaction, needs: Dependencies
) -> tuple[Dependencies, Dependencies, Dependencies]:
    """Lock the unfinished dependencies; returns them, those that failed or were cancelled, and those that completed."""
    if not needs:
        return needs, needs, needs
    found = await jobs.lock_dependencies(
        transaction.connection, jobs=sorted({*needs.jobs}), postings=sorted({*needs.postings})
    )
    missing = ({*needs.jobs} | {*needs.postings}) - {need.id for need in found}
    if missing:
        raise NotFound(f"There is no job or posting {min(missing)} to depend on.", missing=sorted(map(str, missing)))

    def having(*states: str) -> Dependencies:
        chosen = [need for need in found if need.state in states]
        return Dependencies(
            tuple(need.id for need in chosen if need.kind == "job"),
            tuple(need.id for need in chosen if need.kind == "posting"),
        )

    return having("unfinished"), having(State.FAILED, State.CANCELLED), having(State.COMPLETED)


async def add_dependencies(
    transaction: Transaction, made: Sequence[UUID], unmet: Dependencies, failed: Dependencies
) -> None:
    """Insert the dependencies of new jobs; jobs with a failed dependency fail at once."""
    await jobs.add_dependencies(
        transaction.connection,
        ids=made,
        jobs=unmet.jobs + failed.jobs,
        postings=unmet.postings + failed.postings,
    )
    if failed:
        moved = await jobs.fail_dependents(transaction.connection, jobs=failed.jobs, postings=failed.postings)
        await propagate(transaction, moved)


async def record_met_dependencies(transaction: Transaction, job_id: UUID, met: Dependencies) -> None:
    """Record what a job depends on that completed before the job was submitted, for the graph of its dependencies."""
    await jobs.add_dependencies(transaction.connection, ids=[job_id], jobs=met.jobs, postings=met.postings, ended=True)
