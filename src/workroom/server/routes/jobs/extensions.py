"""Extensions of a room: list them, submit jobs to them, read their stored settings and statistics."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, status

from workroom.actions.extensions import resolve
from workroom.actions.extensions import settings_category as extension_settings
from workroom.actions.extensions.remove import remove_extension
from workroom.actions.jobs import checked_requests
from workroom.actions.jobs.checked_requests import SubmitRequest
from workroom.actions.jobs.options import JobOptions
from workroom.actions.queries import extensions as extension_queries
from workroom.actions.queries import jobs as job_queries
from workroom.domain.errors import Forbidden, NotFound
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import WaitingFor
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Reader, RoomAccess, RoomName, Writer, authorize, authorize_from_cache
from workroom.server.auth.admin_audit import audit_if_foreign
from workroom.server.auth.bearer import PersonAuth, VisitorToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import jobs as job_serializers
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Submitted
from workroom.wire.forms.choices import ChoicesAnswer, ChoicesQuestion
from workroom.wire.jobs import Accepted, AllAccepted, Extensions, Stats, Submission, Submissions

router = make_router("/api/rooms/{room}/extensions", tag="extensions")


@router.get("", summary="The extensions a room sees")
async def extensions_of_room(
    context: Context, access: Reader, category: Annotated[str | None, Query(max_length=50)] = None
) -> Extensions:
    rows = await extension_queries.extensions_of(context.engine, access.room, category=category)
    return Extensions(
        items=[
            job_serializers.extension(
                row, removable=row.offline_since is not None and _may_remove(access, row.scope, row.owner_id)
            )
            for row in rows
        ]
    )


@router.delete(
    "/{category}/{name}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Remove an offline extension",
    responses=error_responses(403, 404, 409),
)
async def remove(
    context: Context,
    access: Reader,
    token: PersonAuth,
    category: str,
    name: str,
    scope: Annotated[str | None, Query(description="room or global; the first that matches if omitted.")] = None,
) -> None:
    """For its owner, the owners of its room and admins. Waiting jobs of it are cancelled. One with a worker stays."""
    extension = await resolve.find_extension(context.engine, access.room, category, name, scope)
    if not _may_remove(access, extension.scope, extension.owner_id):
        raise Forbidden(f"Only the owner of {category}/{name}, an owner of the room or an admin may remove it.")
    await remove_extension(context.engine, extension)
    await audit_if_foreign(
        context,
        token,
        "extension.remove",
        f"{category}/{name}",
        owner=extension.owner_id,
        scope=extension.scope,
        room=extension.room,
    )


def _may_remove(access: RoomAccess, scope: str, owner_id: UUID | None) -> bool:
    """An extension of all rooms belongs to admins, a built-in one to the server."""
    if access.job is not None or scope not in ("room", "global"):
        return False
    caller = access.principal
    if caller.is_admin or owner_id == caller.account_id:
        return True
    return scope == "room" and access.rights.allows(Rights.OWN)


@router.post("/{category}/{name}/submit", status_code=status.HTTP_202_ACCEPTED, summary="Submit a job")
async def submit(
    context: Context, token: VisitorToken, room: RoomName, category: str, name: str, body: Submission
) -> Accepted:
    """The arguments are checked against the extension's schema; the job is assigned at once when a worker is idle."""
    cached_access = authorize_from_cache(context, token, room, Rights.WRITE)
    cached = context.extension_cache.get(room, category, name, body.scope)
    if (
        cached_access is not None
        and cached is not None
        and cached.category != extension_settings.SETTINGS
        and not body.depends_on
    ):
        context.submission_limit.hit(str(cached_access.principal.account_id))
        try:
            submitted = await _submit(context, cached, body, cached_access)
        except NotFound:
            # The insert compares the cached facts with the tables. They differ and nothing was written: read again.
            access = await authorize(context, token, room, Rights.WRITE)
        else:
            return await accepted(context, submitted)
    else:
        access = await authorize(context, token, room, Rights.WRITE)
        context.submission_limit.hit(str(access.principal.account_id))
    extension = await _extension_to_run(context, room, category, name, body.scope)
    return await accepted(context, await _submit(context, extension, body, access))


async def _extension_to_run(
    context: ServerContext, room: str, category: str, name: str, scope: str | None
) -> ExtensionRow:
    """The extension of this name. A built-in one is waited for while the pool starts for the first time."""

    async def fetch() -> ExtensionRow:
        return await context.extension_cache.fetch(room, category, name, scope)

    if context.builtin_names is None or scope not in (None, "builtin"):
        return await fetch()
    return await context.builtin_names.until_registered(category, name, fetch)


async def _submit(
    context: ServerContext, extension: ExtensionRow, body: Submission, access: RoomAccess
) -> Submitted | None:
    """Submit one job. Returns None when the extension only stores its arguments as settings."""
    if extension.category == extension_settings.SETTINGS:
        await extension_settings.store_settings(
            context.engine, access.room, access.principal.account_id, extension, body.data
        )
        return None
    options = JobOptions(
        submitter=access.principal.account_id,
        submitter_name=access.principal.name,
        room=access.room,
        priority=body.priority,
        tries=body.tries,
        run_at=body.run_at,
        idempotency_key=body.idempotency_key,
        access_snapshot=access.snapshot,
    )
    return await context.submit_batcher.submit(
        SubmitRequest(extension, body.data, options, depends_on=tuple(body.depends_on))
    )


@router.post("/{category}/{name}/submit-many", status_code=status.HTTP_202_ACCEPTED, summary="Submit many jobs")
async def submit_many(context: Context, access: Writer, category: str, name: str, body: Submissions) -> AllAccepted:
    """All are queued, or none."""
    context.submission_limit.hit(str(access.principal.account_id), len(body.data))
    extension = await _extension_to_run(context, access.room, category, name, body.scope)
    options = JobOptions(submitter=access.principal.account_id, room=access.room, priority=body.priority)
    submitted = await checked_requests.submit_many(context.engine, extension, list(body.data), options)
    return AllAccepted(job_ids=[job.id for job in submitted])


@router.post(
    "/{category}/{name}/choices", summary="The choices of a field", responses=error_responses(400, 403, 404, 429, 503)
)
async def choices(
    context: Context, access: Writer, token: PersonAuth, category: str, name: str, body: ChoicesQuestion
) -> ChoicesAnswer:
    """A worker that is online answers, with the method of the extension that `@choices` marks."""
    context.submission_limit.hit(str(access.principal.account_id))
    extension = await resolve.find_extension(context.engine, access.room, category, name, body.scope)
    return ChoicesAnswer(choices=await context.choices.ask(token, access.room, extension, body.field, body.data))


@router.get("/{category}/{name}/values", summary="Your stored values of a settings extension")
async def values(context: Context, access: Reader, category: str, name: str) -> dict[str, Any]:
    await resolve.find_extension(context.engine, access.room, category, name)
    return await extension_settings.setting(context.engine, access.room, access.principal.account_id, name) or {}


@router.get("/{scope}/{category}/{name}/stats", summary="Workers and jobs of an extension")
async def stats(context: Context, access: Reader, scope: str, category: str, name: str) -> Stats:
    extension = await resolve.find_extension(context.engine, access.room, category, name, _scope(scope, access))
    return job_serializers.stats(await extension_queries.stats(context.engine, extension.id))


async def accepted(context: ServerContext, submitted: Submitted | None) -> Accepted:
    """The response to a submission. A job that already has a worker needs no queue position."""
    if submitted is None:
        return Accepted(job_id=None, status="stored", waiting_for=WaitingFor.NOTHING)
    if submitted.state == State.ASSIGNED:
        return Accepted(job_id=submitted.id, status=submitted.state)
    outlook = await job_queries.queue_outlook(context.engine, submitted.id)
    return Accepted(
        job_id=submitted.id,
        status=outlook.state,
        queue_position=outlook.queue_position,
        eta_seconds=outlook.eta_seconds,
        waiting_for=outlook.waiting_for,
        waiting_text=outlook.reason.text,
    )


def _scope(scope: str, access: RoomAccess) -> str:
    """The room's name is accepted as an alias of the scope `room`."""
    return "room" if scope == access.room else scope
