"""Authorises access to jobs, postings and workers, which are visible to their owner and through their room.

A caller without access gets the same 404 as for an id that does not exist.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from workroom.actions.accounts.accounts import get_account
from workroom.actions.postings import postings
from workroom.actions.queries import jobs as job_queries
from workroom.actions.queries import workers as worker_queries
from workroom.domain.errors import Forbidden, NotFound
from workroom.domain.jobs.states import State
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Principal, authorize, load_principal, load_submitter
from workroom.server.auth.tokens import JobToken, PersonToken, PoolToken, Token, WorkerToken
from workroom.server.context import ServerContext
from workroom.store.queue_tables.job_rows import JobRow
from workroom.store.queue_tables.postings import PostingRow
from workroom.store.queue_tables.workers import WorkerRow

_AT_WORKER = (State.ASSIGNED, State.RUNNING)


async def load_visible_job(
    context: ServerContext, token: Token, job_id: UUID, needed: Rights, *, own: Rights | None = None
) -> JobRow:
    """Load a job that the caller may read or, with `needed` WRITE, cancel and retry.

    `own` is what a person needs for a job that they submitted, if less. A job in a room always needs rights in the
    room: a person who has lost them sees the job no longer.
    """
    row = await job_queries.job(context.engine, job_id)
    if await _may_access_job(context, token, row, needed, own or needed):
        return row
    raise NotFound(f"There is no job {job_id}.")


async def _may_access_job(
    context: ServerContext, token: Token, row: JobRow, needed: Rights, needed_by_submitter: Rights
) -> bool:
    match token:
        case WorkerToken():
            return row.worker_id == token.worker_id and row.state in _AT_WORKER and needed is Rights.READ
        case JobToken() if token.job_id == row.id:
            await load_submitter(context, token)
            return needed is Rights.READ  # a job cannot cancel itself
        case JobToken():
            return await _has_room_access(context, token, row.room, needed)
        case PersonToken():
            principal = await load_principal(context, token)
            is_submitter = row.submitter == principal.account_id
            if principal.is_admin or (is_submitter and row.room is None):
                return True
            return await _has_room_access(context, token, row.room, needed_by_submitter if is_submitter else needed)


async def load_visible_posting(
    context: ServerContext,
    token: Token,
    principal: Principal,
    posting_id: UUID,
    needed: Rights = Rights.READ,
    *,
    own: Rights | None = None,
) -> PostingRow:
    """Load a posting that the caller may read or, with `needed` WRITE, change. A job has access to its own postings.

    `own` is what the caller needs for an own posting, if less. A posting in a room always needs rights in the room.
    """
    row = await postings.look_up_posting(context.engine, posting_id)
    by_caller = row.by_job == token.job_id if isinstance(token, JobToken) else row.submitter == principal.account_id
    if principal.is_admin or (by_caller and row.room is None):
        return row
    if await _has_room_access(context, token, row.room, own if own is not None and by_caller else needed):
        return row
    raise NotFound(f"There is no posting {posting_id}.")


class RemovableWorker(NamedTuple):
    row: WorkerRow
    is_own: bool  # otherwise it serves a room of the caller


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


async def load_removable_worker(context: ServerContext, token: Token | PoolToken, worker_id: UUID) -> RemovableWorker:
    """Load a worker that the caller owns, or that serves a room which the caller owns."""
    try:
        return RemovableWorker(await load_own_worker(context, token, worker_id), is_own=True)
    except NotFound:
        row = await worker_queries.worker(context.engine, worker_id)
        if not isinstance(token, PersonToken) or not await _owns_room(context, token, row.room):
            raise
        # A worker of an admin may serve all rooms, also when it was registered from this one.
        if row.account_id is None or (await get_account(context.engine, row.account_id)).role == "admin":
            raise
        return RemovableWorker(row, is_own=False)


async def _owns_room(context: ServerContext, token: PersonToken, room: str | None) -> bool:
    try:
        return await _has_room_access(context, token, room, Rights.OWN)
    except Forbidden:
        return False


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
