"""Workers: register, heartbeat, drain, go."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from fastapi import Path, status

from workroom.actions.extensions import register as extension_registration
from workroom.actions.extensions.arguments import check_schema
from workroom.actions.extensions.register import ExtensionSpec
from workroom.actions.queries import jobs as job_queries
from workroom.actions.queries import workers as worker_queries
from workroom.actions.workers import register
from workroom.actions.workers.register import WorkerSpec
from workroom.domain.errors import AdminNeeded, BadInput, Forbidden, NotFound
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Person, Principal, Reader, authorize, load_principal
from workroom.server.auth.bearer import Bearer, BearerOrPool, WorkerAuth
from workroom.server.auth.tokens import PersonToken, PoolToken, WorkerToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import jobs as job_serializers
from workroom.store.queue_tables.workers import WorkerRow
from workroom.wire.jobs import Jobs
from workroom.wire.workers import (
    ExtensionOffer,
    Heartbeat,
    OfferedExtension,
    Registration,
    WorkerInfo,
    WorkerRegistered,
    Workers,
)

router = make_router("/api", tag="workers")
WorkerId = Annotated[UUID, Path(alias="id")]
_BUILT_IN_ALONE = "The server's pool offers built-in extensions, and no others."


@router.post("/workers/register", status_code=status.HTTP_201_CREATED, summary="Register a worker and its extensions")
async def register_worker(context: Context, token: BearerOrPool, body: Registration) -> WorkerRegistered:
    """All extensions are registered, or none. Only a worker whose socket is attached is assigned jobs.

    Registering again with `workerId` re-attaches as a new incarnation.
    """
    principal = await _registering(context, token, body)
    specs = [_spec(offer, body.room, principal) for offer in body.extensions]
    welcome = await register.register_worker(
        context.engine,
        WorkerSpec(
            kind="remote",
            extensions=specs,
            account_id=None if principal is None else principal.account_id,
            room=body.room,
            capacity=body.capacity,
            info=body.info,
            worker_id=body.worker_id,
            ships=principal is None,
        ),
    )
    seconds = context.settings.worker_token_seconds
    return WorkerRegistered(
        worker_id=welcome.worker_id,
        incarnation=welcome.incarnation,
        worker_token=context.tokens.issue(WorkerToken(welcome.worker_id, welcome.incarnation), seconds),
        expires_in=seconds,
        heartbeat_seconds=context.settings.heartbeat_seconds,
        lease_seconds=context.settings.lease_seconds,
        extensions=[
            OfferedExtension(scope=spec.scope, category=spec.category, name=spec.name, schema_hash=made.schema_hash)
            for spec, made in zip(specs, welcome.extensions, strict=True)
        ],
    )


@router.put("/workers/{id}/heartbeat", summary="Say that a worker is alive")
async def heartbeat(context: Context, caller: WorkerAuth, id: WorkerId) -> Heartbeat:
    _itself(caller, id)
    await register.heartbeat(context.engine, caller.worker_id, caller.incarnation)
    seconds = context.settings.worker_token_seconds
    return Heartbeat(worker_token=context.tokens.issue(caller, seconds), expires_in=seconds)


@router.post("/workers/{id}/shutdown", summary="Drain: finish what it has, get nothing more")
async def shutdown(context: Context, token: Bearer, id: WorkerId) -> WorkerInfo:
    """A worker without jobs is gone at once; one with jobs goes when it disconnects after the last of them."""
    await _of_caller(context, token, id)
    await register.drain(context.engine, id)
    row = await worker_queries.worker(context.engine, id)
    if row.active == 0:
        await register.leave(context.engine, id)
        row = await worker_queries.worker(context.engine, id)
    return job_serializers.worker(row)


@router.get("/workers/{id}", summary="One worker")
async def get_worker(context: Context, token: Bearer, id: WorkerId) -> WorkerInfo:
    return job_serializers.worker(await _of_caller(context, token, id))


@router.get("/workers/{id}/jobs", summary="The jobs a worker has now")
async def jobs_of_worker(context: Context, token: Bearer, id: WorkerId) -> Jobs:
    await _of_caller(context, token, id)
    rows = await job_queries.jobs_of(context.engine, worker_id=id, states=["assigned", "running"], limit=1_000)
    return Jobs(items=[job_serializers.job_brief(row) for row in rows], next=None)


@router.delete("/workers/{id}", status_code=status.HTTP_204_NO_CONTENT, summary="Remove a worker by force")
async def remove(context: Context, token: BearerOrPool, id: WorkerId) -> None:
    """What it still had is dealt with at once, as each job's policy says."""
    if isinstance(token, PoolToken):
        await _of_pool(context, id)
        await register.leave(context.engine, id, reason="lost")
        return
    await _of_caller(context, token, id)
    await register.leave(context.engine, id, reason="removed")


@router.get("/rooms/{room}/workers", summary="The workers a room sees")
async def workers_of_room(context: Context, access: Reader) -> Workers:
    return Workers(
        items=[job_serializers.worker(row) for row in await worker_queries.workers_of(context.engine, access.room)]
    )


@router.get("/workers", summary="All workers (admins), or your own")
async def all_workers(context: Context, principal: Person) -> Workers:
    rows = await worker_queries.workers_of(context.engine, None)
    mine = [row for row in rows if principal.is_admin or row.account_id == principal.account_id]
    return Workers(items=[job_serializers.worker(row) for row in mine])


async def _registering(context: ServerContext, token: object, body: Registration) -> Principal | None:
    """Who brings the worker; nobody when it is the server's own pool."""
    if isinstance(token, PoolToken):
        return None
    if not isinstance(token, PersonToken):
        raise Forbidden("A worker is registered by a person: send a token from POST /api/login.")
    principal = await load_principal(context, token)
    context.registration_limit.hit(str(principal.account_id))
    if body.room is not None:
        await authorize(context, token, body.room, Rights.WRITE)
    return principal


def _spec(offer: ExtensionOffer, room: str | None, principal: Principal | None) -> ExtensionSpec:
    if offer.function:
        return _function(offer, principal)
    scope = _scope(offer, room, principal)
    check_schema(offer.name, offer.schema_)
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
    )


def _function(offer: ExtensionOffer, principal: Principal | None) -> ExtensionSpec:
    """As pools offer it: as many at once as the worker has slots, and no breaker."""
    if principal is None:
        raise Forbidden(_BUILT_IN_ALONE)
    if offer.category != extension_registration.FUNCTIONS or offer.schema_ or offer.public:
        raise BadInput(f"The function {offer.name} has category `functions`, schema {{}} and is not `public`.")
    spec = extension_registration.function(offer.name, tries=offer.tries, timeout_seconds=offer.timeout_seconds)
    return replace(spec, modest=not principal.is_admin)


def _scope(offer: ExtensionOffer, room: str | None, principal: Principal | None) -> str:
    if principal is None and not offer.builtin:
        raise Forbidden(_BUILT_IN_ALONE)
    if offer.builtin:
        if principal is not None and not principal.is_admin:
            raise AdminNeeded(
                f"Only an admin may run the built-in {offer.name}. Leave out `builtin`, or sign in as an admin."
            )
        return "builtin"
    if offer.public:
        if principal is None or not principal.is_admin:
            raise AdminNeeded(
                f"Only an admin may offer {offer.name} to all rooms. Leave out `public`, or sign in as an admin."
            )
        return "global"
    if room is None:
        raise BadInput(f"{offer.name} is offered to one room: name the `room`, or make it `public`.")
    return "room"


def _itself(caller: WorkerToken, worker_id: UUID) -> None:
    if caller.worker_id != worker_id:
        raise Forbidden("This token is another worker's.")


async def _of_caller(context: ServerContext, token: object, worker_id: UUID) -> WorkerRow:
    """The worker, if it is the caller itself or belongs to the caller, or for an admin; a stranger learns nothing."""
    if isinstance(token, WorkerToken):
        _itself(token, worker_id)
        return await worker_queries.worker(context.engine, worker_id)
    if not isinstance(token, PersonToken):
        raise Forbidden("This is for workers and people.")
    principal = await load_principal(context, token)
    row = await worker_queries.worker(context.engine, worker_id)
    if not principal.is_admin and row.account_id != principal.account_id:
        raise NotFound(f"There is no worker {worker_id}.")
    return row


async def _of_pool(context: ServerContext, worker_id: UUID) -> None:
    """The pool may remove what it has been before, and nobody else's worker."""
    row = await worker_queries.worker(context.engine, worker_id)
    if row.kind != "remote" or row.account_id is not None:
        raise NotFound(f"There is no worker {worker_id}.")
