"""Cancel or retry many jobs with one request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from workroom.actions.accounts.audit import record_admin_act
from workroom.actions.jobs.cancel import cancel_many
from workroom.actions.jobs.retry import retry_jobs
from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import BadInput, NotFound, WorkroomError
from workroom.domain.jobs.states import ACTIVE, FINAL, WAITING
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Person, Principal, authorize
from workroom.server.auth.bearer import PersonAuth
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.routes.jobs.job_lists import conditions
from workroom.store.queue_tables.job_rows import JobSummary
from workroom.wire.job_lists import MOST_BULK_JOBS, BulkAction, BulkRefusal, BulkResult, JobFilter

router = make_router("/api", tag="jobs")

_STATES = {"cancel": WAITING | ACTIVE, "retry": FINAL}


@router.post("/jobs/bulk", summary="Cancel or retry many jobs")
async def act_on_jobs(context: Context, principal: Person, token: PersonAuth, body: BulkAction) -> BulkResult:
    """Each job needs the rights that its own route needs. Jobs that are refused do not affect the others."""
    states = _STATES[body.action]
    if (body.job_ids is None) == (body.filter is None):
        raise BadInput("Name the jobs by `jobIds` or by `filter`, and not by both.")
    if body.filter is not None:
        rows = await _matching(context, principal, token, body.filter, states)
    else:
        rows = await job_queries.job_summaries(context.engine, list(dict.fromkeys(body.job_ids or ())))
    rows = [row for row in rows if row.state in states]
    allowed, refusals = await _authorised(context, principal, token, rows, retry=body.action == "retry")
    done = 0
    if not body.dry_run and allowed:
        done, errors = await _act(context, principal, body.action, allowed)
        refusals += errors
        foreign = sum(row.submitter != principal.account_id for row in allowed)
        if principal.is_admin and foreign:
            subject = f"{foreign} jobs"
            await record_admin_act(context.engine, principal.account_id, f"job.{body.action}", subject)
    counts = Counter((error.code, str(error)) for error in refusals)
    return BulkResult(
        matched=len(allowed),
        done=done,
        refused=[BulkRefusal(code=code, message=message, count=count) for (code, message), count in counts.items()],
    )


async def _matching(
    context: ServerContext, principal: Principal, token: PersonToken, jobs: JobFilter, states: frozenset[str]
) -> list[JobSummary]:
    if jobs.room is not None:
        await authorize(context, token, jobs.room, Rights.READ)
    own = jobs.mine or (jobs.room is None and not principal.is_admin)
    chosen = replace(
        conditions(jobs),
        room=jobs.room,
        submitter=principal.account_id if own else None,
        visible_to=None if principal.is_admin else principal.account_id,
        states=sorted(states & set(jobs.status) if jobs.status else states),
    )
    rows = (await job_queries.jobs_of(context.engine, chosen, limit=MOST_BULK_JOBS + 1)).rows
    if len(rows) > MOST_BULK_JOBS:
        raise BadInput(f"More than {MOST_BULK_JOBS:,} jobs match. Narrow the filter, for example to one extension.")
    return [row.job for row in rows]


async def _authorised(
    context: ServerContext, principal: Principal, token: PersonToken, rows: Sequence[JobSummary], *, retry: bool
) -> tuple[list[JobSummary], list[WorkroomError]]:
    """The jobs that the caller may cancel or retry, and why not the others. Each room is checked once."""
    if principal.is_admin:
        return list(rows), []
    by_room: dict[str | None, list[JobSummary]] = {}
    for row in rows:
        by_room.setdefault(row.room, []).append(row)
    allowed: list[JobSummary] = []
    refusals: list[WorkroomError] = []
    for room, some in by_room.items():
        others = await _refusal(context, token, room, Rights.WRITE)
        # The submitter of a job may cancel it with the right to read its room.
        needed = Rights.WRITE if retry else Rights.READ
        own = None if room is None else await _refusal(context, token, room, needed)
        for row in some:
            error = own if row.submitter == principal.account_id else others
            if error is None:
                allowed.append(row)
            else:
                refusals.append(error)
    return allowed, refusals


async def _refusal(
    context: ServerContext, token: PersonToken, room: str | None, needed: Rights
) -> WorkroomError | None:
    """Why the caller has no access to the jobs of a room; a job without a room is its submitter's alone."""
    hidden = NotFound("There is no such job.")
    if room is None:
        return hidden
    try:
        await authorize(context, token, room, needed)
    except NotFound:
        return hidden
    except WorkroomError as error:
        return error
    return None


async def _act(
    context: ServerContext, principal: Principal, action: str, rows: Sequence[JobSummary]
) -> tuple[int, list[WorkroomError]]:
    ids: list[UUID] = [row.id for row in rows]
    if action == "cancel":
        return len(await cancel_many(context.engine, ids)), []
    context.submission_limit.hit(str(principal.account_id), len(ids))
    outcomes = await retry_jobs(context.engine, ids, principal.account_id)
    errors = [outcome for outcome in outcomes if isinstance(outcome, WorkroomError)]
    return len(outcomes) - len(errors), errors
