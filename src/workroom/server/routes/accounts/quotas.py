"""Quotas of accounts and rooms: visible to their owners and to admins, set by admins."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path

from workroom.actions.quotas import limits
from workroom.domain.errors import AdminNeeded
from workroom.domain.quotas import ACCOUNT_QUOTAS, ROOM_QUOTAS, Usage
from workroom.server.auth.access import Admin, Person, Reader
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.paging import Limit, Offset, page_of
from workroom.server.http.strict_json import make_router
from workroom.wire.accounts import Quota, QuotaChange, Quotas, RoomSpace
from workroom.wire.base import Page

router = make_router("/api", tag="quotas")
AccountId = Annotated[UUID, Path(alias="id", description="The account's id.")]


@router.get("/users/{id}/quotas", summary="The quotas of an account", responses=error_responses(403, 404))
async def quotas_of_account(context: Context, principal: Person, id: AccountId) -> Quotas:
    """For the account itself, and for admins."""
    if id != principal.account_id and not principal.is_admin:
        raise AdminNeeded
    return _to_response(await limits.account_usage(context.engine, id))


@router.put("/users/{id}/quotas", summary="Set quotas of an account (admins)", responses=error_responses(403, 404))
async def set_quotas_of_account(context: Context, principal: Admin, id: AccountId, body: QuotaChange) -> Quotas:
    return _to_response(
        await limits.set_account_quotas(context.engine, actor=principal.account_id, account_id=id, values=body.limits)
    )


@router.get("/rooms/{room}/quotas", summary="The quotas of a room", responses=error_responses(404, 409))
async def quotas_of_room(context: Context, access: Reader) -> Quotas:
    return _to_response(await limits.room_usage(context.engine, access.room))


@router.put("/rooms/{room}/quotas", summary="Set quotas of a room (admins)", responses=error_responses(403, 404))
async def set_quotas_of_room(context: Context, access: Reader, body: QuotaChange) -> Quotas:
    principal = access.principal
    if not principal.is_admin:
        raise AdminNeeded
    return _to_response(
        await limits.set_room_quotas(context.engine, actor=principal.account_id, room=access.room, values=body.limits)
    )


@router.get("/admin/rooms", summary="The space that rooms take, the largest first", responses=error_responses(403))
async def rooms_by_size(context: Context, principal: Admin, limit: Limit = 50, offset: Offset = 0) -> Page[RoomSpace]:
    """Frames that duplicated rooms share count in each of them."""
    found = await limits.rooms_by_size(context.engine, limit=limit, offset=offset)
    return page_of(found, RoomSpace.model_validate, limit=limit, offset=offset)


def _to_response(usage: Usage) -> Quotas:
    meanings = ACCOUNT_QUOTAS if usage.subject == "account" else ROOM_QUOTAS
    return Quotas(
        items=[
            Quota(name=name, meaning=meaning, used=usage.used[name], limit=usage.limits[name])
            for name, meaning in meanings.items()
        ]
    )
