"""Admin pages: audit log, queues and settings."""

from __future__ import annotations

from typing import Any, Literal, cast

from workroom.actions.accounts.audit import list_audit
from workroom.actions.extensions.adjust_queue import adjust_queue, close_breakers
from workroom.actions.extensions.pause import set_queue_paused
from workroom.actions.extensions.resolve import find_extension
from workroom.actions.queries import extensions as extension_queries
from workroom.actions.queries import overview
from workroom.domain.errors import BadInput
from workroom.server.auth.access import Admin
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.paging import Limit, Offset, page_of
from workroom.server.http.strict_json import make_router
from workroom.server.settings import SECRETS, Settings
from workroom.wire.accounts import AuditEntry
from workroom.wire.admin import (
    BreakersClosed,
    Queue,
    QueueAdjusted,
    QueueAdjustment,
    QueueName,
    QueuePaused,
    Queues,
    Setting,
    SettingsList,
    SettingValue,
)
from workroom.wire.base import Page

router = make_router("/api/admin", tag="admin")


@router.get("/audit", summary="The audit log, newest first", responses=error_responses(403))
async def entries(context: Context, principal: Admin, limit: Limit = 50, offset: Offset = 0) -> Page[AuditEntry]:
    found = await list_audit(context.engine, limit=limit, offset=offset)
    return page_of(found, AuditEntry.model_validate, limit=limit, offset=offset)


@router.get("/queues", summary="All queues, the longest first", responses=error_responses(403))
async def queues(context: Context, principal: Admin, limit: Limit = 100) -> Queues:
    totals = await overview.totals(context.engine)
    rows = await extension_queries.queues(context.engine, limit=limit)
    return Queues(jobs=totals.jobs, workers=totals.workers, items=[Queue.model_validate(row) for row in rows])


@router.put("/queues", summary="Change the concurrency or the priority of a queue", responses=error_responses(403, 404))
async def adjust(context: Context, principal: Admin, body: QueueAdjustment) -> QueueAdjusted:
    """Workers that register leave what an admin has set, until `asRegistered`."""
    if body.concurrency is None and body.priority is None and not body.as_registered:
        raise BadInput("Name what to change: `concurrency`, `priority` or `asRegistered`.")
    queue = await find_extension(context.engine, body.room, body.category, body.name, body.scope)
    adjusted = await adjust_queue(
        context.engine,
        queue,
        actor=principal.account_id,
        concurrency=body.concurrency,
        priority=body.priority,
        as_registered=body.as_registered,
    )
    return QueueAdjusted.model_validate(adjusted)


@router.post("/queues/breakers", summary="Close the breakers of a queue", responses=error_responses(403, 404))
async def reset_breakers(context: Context, principal: Admin, body: QueueName) -> BreakersClosed:
    """Workers that failed too often in a row get jobs of it again at once."""
    queue = await find_extension(context.engine, body.room, body.category, body.name, body.scope)
    return BreakersClosed(workers=await close_breakers(context.engine, queue, actor=principal.account_id))


@router.post("/queues/{act}", summary="Pause or resume a queue", responses=error_responses(403, 404))
async def act_on_queue(
    context: Context, principal: Admin, act: Literal["pause", "resume"], body: QueueName
) -> QueuePaused:
    """No further job of a paused queue is assigned; running jobs continue, and jobs that are submitted wait."""
    queue = await set_queue_paused(
        context.engine,
        actor=principal.account_id,
        room=body.room,
        category=body.category,
        name=body.name,
        scope=body.scope,
        paused=act == "pause",
    )
    return QueuePaused.model_validate(queue._asdict() | {"paused": act == "pause"})


@router.get("/settings", summary="The settings of this server", responses=error_responses(403))
async def settings(context: Context, principal: Admin) -> SettingsList:
    """Flags, environment variables and the configuration file change settings. The values of secrets are not shown."""
    return SettingsList(
        items=[
            Setting(name=name, value=_to_value(name, getattr(context.settings, name)), meaning=field.description or "")
            for name, field in Settings.model_fields.items()
        ]
    )


def _to_value(name: str, value: Any) -> SettingValue:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list):
        return [str(item) for item in cast(list[object], value)]
    return "set" if name in SECRETS else str(value)
