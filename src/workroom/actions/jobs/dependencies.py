"""What jobs wait for."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Transaction
from workroom.actions.jobs.options import Needs
from workroom.actions.jobs.propagate import settle
from workroom.domain.errors import NotFound
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs


async def await_needs(transaction: Transaction, needs: Needs) -> tuple[Needs, Needs]:
    """What of these needs is still to come, and what has ended badly; what has completed is no need any more."""
    if not needs:
        return needs, needs
    found = await jobs.await_needs(
        transaction.connection, jobs=sorted({*needs.jobs}), postings=sorted({*needs.postings})
    )
    missing = ({*needs.jobs} | {*needs.postings}) - {need.id for need in found}
    if missing:
        raise NotFound(f"There is no job or posting {min(missing)} to depend on.", missing=sorted(map(str, missing)))

    def having(*states: str) -> Needs:
        chosen = [need for need in found if need.state in states]
        return Needs(
            tuple(need.id for need in chosen if need.kind == "job"),
            tuple(need.id for need in chosen if need.kind == "posting"),
        )

    return having("unfinished"), having(State.FAILED, State.CANCELLED)


async def depend(transaction: Transaction, made: Sequence[UUID], unmet: Needs, doomed: Needs) -> None:
    """Write down what new jobs wait for; those that wait for something ended badly fall at once."""
    await jobs.depend(
        transaction.connection,
        ids=made,
        jobs=unmet.jobs + doomed.jobs,
        postings=unmet.postings + doomed.postings,
    )
    if doomed:
        fallen = await jobs.abandon(transaction.connection, jobs=doomed.jobs, postings=doomed.postings)
        await settle(transaction, fallen)
