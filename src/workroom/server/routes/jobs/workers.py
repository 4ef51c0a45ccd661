"""Workers: register, heartbeat, drain and remove them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated
from uuid import UUID

from fastapi import Path, status

from workroom.actions.extensions import register as extension_registration
from workroom.actions.extensions.arguments import check_schema
from workroom.actions.extensions.register import ExtensionSpec
from workroom.actions.queries import jobs as job_queries
from workroom.actions.queries import workers as worker_queries
from workroom.actions.workers import lifecycle, revoke
from workroom.actions.workers.lifecycle import WorkerSpec
from workroom.domain.errors import AdminNeeded, BadInput, Forbidden
from workroom.domain.jobs.job_filter import JobFilter
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Person, Principal, Reader, Writer, authorize, load_principal
from workroom.server.auth.admin_audit import audit_if_foreign
from workroom.server.auth.bearer import Bearer, BearerOrPool, WorkerAuth
from workroom.server.auth.job_access import load_own_worker, load_removable_worker, require_same_worker
from workroom.server.auth.tokens import PersonToken, PoolToken, WorkerToken
from workroom.server.context import NEW_WORKER_COST, Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.realtime import hub
from workroom.server.serializers import jobs as job_serializers
from workroom.wire.jobs import Jobs
from workroom.wire.workers import (
    ExtensionDemand,
    ExtensionOffer,
    Heartbeat,
    OfferedExtension,
    Registration,
    WorkerDemand,
    WorkerInfo,
    WorkerRegistered,
    Workers,
)

router = make_router("/api", tag="workers")
WorkerId = Annotated[UUID, Path(alias="id")]
_ONLY_BUILT_IN = "The server's pool may only register built-in extensions."


@router.post("/workers/register", status_code=status.HTTP_201_CREATED, summary="Register a worker and its extensions")
async def register_worker(context: Context, token: BearerOrPool, body: Registration) -> WorkerRegistered:
    """Registers all extensions, or none. The worker is assigned jobs once its socket is attached.

    Registering again with `workerId` re-attaches as a new incarnation.
    """
    principal = await _load_registrant(context, token, body)
    specs = [_spec(offer, body.room, principal) for offer in body.extensions]
    for spec in specs:
        await check_schema(spec.name, spec.schema)
    registered = await lifecycle.register_worker(
        context.engine,
        WorkerSpec(
            kind="celery" if body.celery else "remote",
            has_socket=True,
            extensions=specs,
            account_id=None if principal is None else principal.account_id,
            room=body.room,
            capacity=body.capacity,
            info=body.info,
            resources=body.resources,
            seconds_left=body.seconds_left,
            worker_id=body.worker_id,
            offers_all_builtins=principal is None,
            epoch=token.epoch if isinstance(token, PersonToken) else None,
            api_token=token.api_token if isinstance(token, PersonToken) else None,
            as_admin=principal is None or principal.is_admin,
            reserved=await _reserved_names(context, specs),
        ),
    )
    if everywhere := [f"{spec.category}/{spec.name}" for spec in specs if spec.scope in ("global", "builtin")]:
        await audit_if_foreign(
            context, token, "extension.offer", str(registered.worker_id), owner=None, extensions=everywhere[:100]
        )
    seconds = context.settings.worker_token_seconds
    return WorkerRegistered(
        worker_id=registered.worker_id,
        incarnation=registered.incarnation,
        worker_token=context.tokens.issue(WorkerToken(registered.worker_id, registered.incarnation), seconds),
        expires_in=seconds,
        heartbeat_seconds=context.settings.heartbeat_seconds,
        lease_seconds=context.settings.lease_seconds,
        extensions=[
            OfferedExtension(scope=spec.scope, category=spec.category, name=spec.name, schema_hash=made.schema_hash)
            for spec, made in zip(specs, registered.extensions, strict=True)
        ],
    )


@router.put("/workers/{id}/heartbeat", summary="Extend the lease of a worker")
async def heartbeat(context: Context, caller: WorkerAuth, id: WorkerId) -> Heartbeat:
    require_same_worker(caller, id)
    await lifecycle.heartbeat(context.engine, caller.worker_id, caller.incarnation)
    seconds = context.settings.worker_token_seconds
    # The socket was opened with an older token: it stays open for as long as the new one is valid.
    context.presence.sockets.renew_tokens(hub.worker(caller.worker_id), time.time() + seconds)
    return Heartbeat(worker_token=context.tokens.issue(caller, seconds), expires_in=seconds)


@router.post("/workers/{id}/shutdown", summary="Drain a worker: it finishes its jobs and gets no new ones")
async def shutdown(context: Context, token: Bearer, id: WorkerId) -> WorkerInfo:
    """Jobs that it has not started go back to the queue. A worker without jobs ends at once, another one when it
    disconnects after the last one.
    """
    worker = await load_own_worker(context, token, id)
    await lifecycle.drain(context.engine, id)
    await audit_if_foreign(context, token, "worker.shutdown", str(id), owner=worker.account_id, room=worker.room)
    row = await worker_queries.worker(context.engine, id)
    if row.active == 0:
        await lifecycle.leave(context.engine, id)
        row = await worker_queries.worker(context.engine, id)
    return job_serializers.worker(row)


@router.get("/workers/{id}", summary="One worker")
async def get_worker(context: Context, token: Bearer, id: WorkerId) -> WorkerInfo:
    return job_serializers.worker(await load_own_worker(context, token, id))


@router.get("/workers/{id}/jobs", summary="The active jobs of a worker")
async def jobs_of_worker(context: Context, token: Bearer, id: WorkerId) -> Jobs:
    await load_own_worker(context, token, id)
    active = JobFilter(worker_id=id, states=["assigned", "running"])
    page = await job_queries.jobs_of(context.engine, active, limit=1_000)
    return Jobs(items=[job_serializers.listed_job(row) for row in page.rows], next=None, compared_since=None)


@router.delete("/workers/{id}", status_code=status.HTTP_204_NO_CONTENT, summary="Remove a worker by force")
async def remove(context: Context, token: BearerOrPool, id: WorkerId) -> None:
    """Its active jobs fail or return to the queue at once, as the policy of each job says.

    An owner of a room may remove the workers of others from it, except those of admins, which may serve all rooms. A
    worker that was removed so cannot register again under its id.
    """
    worker = await load_removable_worker(context, token, id)
    if worker.is_own:
        await lifecycle.leave(context.engine, id, reason="lost" if isinstance(token, PoolToken) else "removed")
    else:
        await revoke.evict(context.engine, id)
    row = worker.row
    await audit_if_foreign(context, token, "worker.remove", str(id), owner=row.account_id, room=row.room)


@router.get("/rooms/{room}/workers", summary="The workers of a room")
async def workers_of_room(context: Context, access: Reader) -> Workers:
    viewer = access.principal
    rows = await worker_queries.workers_of(context.engine, access.room)
    return Workers(
        items=[
            job_serializers.worker(row, to_owner=viewer.is_admin or row.account_id == viewer.account_id) for row in rows
        ]
    )


@router.get("/rooms/{room}/demand", summary="The waiting jobs that workers of yours could run")
async def demand(context: Context, access: Writer) -> WorkerDemand:
    """For programs that start workers when there is work: extensions of the room and functions, with their resources.

    Of functions the calls count that a worker of the caller would get. Admins also see the extensions of all rooms.
    """
    caller = access.principal
    rows = await worker_queries.demand(
        context.engine, room=access.room, account_id=caller.account_id, is_admin=caller.is_admin
    )
    return WorkerDemand(
        items=[
            ExtensionDemand(
                scope=row.scope,
                category=row.category,
                name=row.name,
                resources=row.resources or {},
                timeout_seconds=row.timeout_seconds,
                waiting=row.waiting,
            )
            for row in rows
        ]
    )


@router.get("/workers", summary="All workers (admins), or your own")
async def all_workers(context: Context, principal: Person) -> Workers:
    rows = await worker_queries.workers_of(context.engine, None)
    visible = [row for row in rows if principal.is_admin or row.account_id == principal.account_id]
    return Workers(items=[job_serializers.worker(row) for row in visible])


async def _load_registrant(context: ServerContext, token: object, body: Registration) -> Principal | None:
    """The account that registers the worker; None for the built-in pool of the server."""
    if isinstance(token, PoolToken):
        return None
    if not isinstance(token, PersonToken):
        raise Forbidden("A worker is registered by a person: send a token from POST /api/login.")
    principal = await load_principal(context, token)
    context.registration_limit.hit(str(principal.account_id), NEW_WORKER_COST if body.worker_id is None else 1)
    if body.room is not None:
        await authorize(context, token, body.room, Rights.WRITE)
    if body.celery and not principal.is_admin:
        raise AdminNeeded("Only an admin may register a Celery worker. Leave out `celery`, or sign in as an admin.")
    return principal


async def _reserved_names(context: ServerContext, specs: Sequence[ExtensionSpec]) -> frozenset[tuple[str, str]]:
    """The names of built-in extensions. A worker that offers only functions or built-in ones need not wait for them."""
    if context.builtin_names is None or all(spec.scope not in ("room", "global") for spec in specs):
        return frozenset()
    return await context.builtin_names.get()


def _spec(offer: ExtensionOffer, room: str | None, principal: Principal | None) -> ExtensionSpec:
    if offer.function:
        return _function_spec(offer, principal)
    scope = _scope(offer, room, principal)
    return ExtensionSpec(
        category=offer.category,
        name=offer.name,
        schema=offer.schema_,
        scope=scope,
        room=room if scope == "room" else None,
        concurrency=offer.concurrency,
        timeout_seconds=offer.timeout_seconds,
        tries=offer.tries,
        backoff_base=offer.backoff_base,
        backoff_cap=offer.backoff_cap,
        on_worker_lost=offer.on_worker_lost,
        priority=offer.priority,
        breaker_failures=offer.breaker_failures,
        breaker_seconds=offer.breaker_seconds,
        resources=offer.resources,
    )


def _function_spec(offer: ExtensionOffer, principal: Principal | None) -> ExtensionSpec:
    """The same options as a pool registers: the worker's slots limit the concurrency, and there is no breaker."""
    if principal is None:
        raise Forbidden(_ONLY_BUILT_IN)
    if offer.category != extension_registration.FUNCTIONS or offer.schema_ or offer.public:
        raise BadInput(f"The function {offer.name} has category `functions`, schema {{}} and is not `public`.")
    spec = extension_registration.function(
        offer.name, tries=offer.tries, timeout_seconds=offer.timeout_seconds, resources=offer.resources
    )
    return replace(spec, keep_settings=not principal.is_admin)


def _scope(offer: ExtensionOffer, room: str | None, principal: Principal | None) -> str:
    if principal is None and not offer.builtin:
        raise Forbidden(_ONLY_BUILT_IN)
    if offer.builtin:
        if principal is not None and not principal.is_admin:
            raise AdminNeeded(
                f"Only an admin may run the built-in {offer.name}. "
                "Leave out `builtin` (--built-in), or sign in as an admin."
            )
        return "builtin"
    if offer.public:
        if principal is None or not principal.is_admin:
            raise AdminNeeded(
                f"Only an admin may offer {offer.name} to all rooms. "
                "Leave out `public` (--global), or sign in as an admin."
            )
        return "global"
    if room is None:
        raise BadInput(f"{offer.name} is offered to one room: name the `room`, or make it `public`.")
    return "room"
