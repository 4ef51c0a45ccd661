"""Authorises access to jobs, postings and workers, which are visible to their owner and through their room.

A caller without access gets the same 404 as for an id that does not exist.
"""

from __future__ import annotations

from uuid import UUID

from workroom.actions.postings import postings
from workroom.actions.queries import jobs as job_queries
from workroom.actions.queries import workers as worker_queries
from workroom.domain.errors import Forbidden, NotFound
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Principal, authorize, load_principal
from workroom.server.auth.tokens import JobToken, PersonToken, PoolToken, Token, WorkerToken
from workroom.server.context import ServerContext
from workroom.store.queue_tables.job_rows import JobRow
from workroom.store.queue_tables.postings import PostingRow
from workroom.store.queue_tables.workers import WorkerRow


async def load_visible_job(context: ServerContext, token: Token, job_id: UUID, needed: Rights) -> JobRow:
    """Load a job that the caller may read or, with `needed` WRITE, cancel and retry."""
    row = await job_queries.job(context.engine, job_id)
    if await _may_access_job(context, token, row, needed):
        return row
    raise NotFound(f"There is no job {job_id}.")


async def _may_access_job(context: ServerContext, token: Token, row: JobRow, needed: Rights) -> bool:
    match token:
        case WorkerToken():
            return row.worker_id == token.worker_id and needed is Rights.READ
        case JobToken() if token.job_id == row.id:
            return needed is Rights.READ  # a job cannot cancel itself
        case JobToken():
            return await _has_room_access(context, token, row.room, needed)
        case PersonToken():
            principal = await load_principal(context, token)
            if principal.is_admin or row.submitter == principal.account_id:
                return True
            return await _has_room_access(context, token, row.room, needed)


async def load_visible_posting(
    context: ServerContext, token: Token, principal: Principal, posting_id: UUID, needed: Rights = Rights.READ
) -> PostingRow:
    """Load a posting that the caller may read or, with `needed` WRITE, change. A job has access to its own postings."""
    row = await postings.look_up_posting(context.engine, posting_id)
    is_owner = (
        principal.is_admin
        or (isinstance(token, PersonToken) and row.submitter == principal.account_id)
        or (isinstance(token, JobToken) and row.by_job == token.job_id)
    )
    if is_owner or await _has_room_access(context, token, row.room, needed):
        return row
    raise NotFound(f"There is no posting {posting_id}.")


async def load_own_worker(context: ServerContext, token: Token | PoolToken, worker_id: UUID) -> WorkerRow:
    """Load the worker that the caller is or owns. Admins own all workers, the pool those that it registered."""
    match token:
        case WorkerToken():
            require_same_worker(token, worker_id)
            return await worker_queries.worker(context.engine, worker_id)
        case JobToken():
            raise Forbidden("This is for workers and people.")
        case PoolToken():
            row = await worker_queries.worker(context.engine, worker_id)
            is_owner = row.kind == "remote" and row.account_id is None
        case PersonToken():
            principal = await load_principal(context, token)
            row = await worker_queries.worker(context.engine, worker_id)
            is_owner = principal.is_admin or row.account_id == principal.account_id
    if not is_owner:
        raise NotFound(f"There is no worker {worker_id}.")
    return row


def require_same_worker(token: WorkerToken, worker_id: UUID) -> None:
    if token.worker_id != worker_id:
        raise Forbidden("This token belongs to another worker.")


async def _has_room_access(context: ServerContext, token: Token, room: str | None, needed: Rights) -> bool:
    """Whether the caller has access through the room. Raises Forbidden for a caller who may read but not write it."""
    if room is None or isinstance(token, WorkerToken):
        return False
    try:
        await authorize(context, token, room, needed)
    except NotFound:
        return False
    return True
