"""Rooms: list, create, change, duplicate and delete them."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query, status

from workroom.actions.rooms import rooms
from workroom.actions.rooms.delete import delete_room
from workroom.domain.errors import Forbidden
from workroom.domain.rooms.rights import Rights, rights_in_room
from workroom.server.auth.access import Owner, Person, Reader, RoomAccess
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.paging import Limit, Offset, Search, page_of
from workroom.server.http.strict_json import make_router
from workroom.store.room_tables.rooms import ListedRoomRow, RoomRow
from workroom.wire.base import Page
from workroom.wire.rooms import Duplicate, ListedRoom, NewRoom, Room, RoomChange

router = make_router("/api/rooms", tag="rooms")


@router.get("", summary="The rooms visible to the caller, by name", responses=error_responses())
async def find(
    context: Context,
    principal: Person,
    q: Search = "",
    archived: Annotated[bool | None, Query(description="Only archived rooms, or only others.")] = None,
    sort: Annotated[
        Literal["name", "changed", "frames", "bytes"], Query(description="By name, or the largest or latest first.")
    ] = "name",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[ListedRoom]:
    found = await rooms.list_rooms(
        context.engine,
        account_id=principal.account_id,
        is_admin=principal.is_admin,
        search=q,
        archived=archived,
        sort=sort,
        limit=limit,
        offset=offset,
    )
    return page_of(found, lambda row: _to_listed(row, is_admin=principal.is_admin), limit=limit, offset=offset)


@router.post("", status_code=status.HTTP_201_CREATED, summary="Create a room", responses=error_responses(409))
async def create(context: Context, principal: Person, body: NewRoom) -> Room:
    """The creator owns the room. In a public room all signed-in people may write."""
    created = await rooms.create_room(
        context.engine,
        owner=principal.account_id,
        name=body.name,
        description=body.description,
        visibility=body.visibility,
        extensions_from=body.extensions_from,
    )
    return room_response(created, is_admin=principal.is_admin)


@router.get("/{room}", summary="One room", responses=error_responses(404, 409))
async def get(context: Context, access: Reader) -> Room:
    row = await rooms.get_room(context.engine, access.room, account_id=access.principal.account_id)
    return _to_response(row, access.rights)


@router.patch("/{room}", summary="Change a room (owners)", responses=error_responses(403, 404, 409))
async def change(context: Context, access: Owner, body: RoomChange) -> Room:
    changed = await rooms.update_room(
        context.engine,
        access.room,
        actor=access.principal.account_id,
        description=body.description,
        visibility=body.visibility,
        locked=body.locked,
        extensions_from=body.extensions_from,
        archived=body.archived,
    )
    return _to_response(changed, access.rights)


@router.delete(
    "/{room}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Delete a room (owners)",
    responses=error_responses(403, 404, 409),
)
async def delete(context: Context, access: Owner) -> None:
    """Deletes all data of the room, cancels its jobs and removes its extensions. This cannot be undone."""
    await delete_room(context.engine, access.room, actor=access.principal.account_id)


@router.post(
    "/{room}/duplicate",
    status_code=status.HTTP_201_CREATED,
    summary="Duplicate a room",
    responses=error_responses(403, 404, 409),
)
async def duplicate(context: Context, access: Reader, body: Duplicate) -> Room:
    """The caller owns the copy, which has no other members. The copy of a private room is private."""
    created = await rooms.duplicate(context.engine, source=access.room, name=body.name, owner=_require_person(access))
    return _to_response(created, Rights.OWN)


def room_response(row: RoomRow, *, is_admin: bool) -> Room:
    """A room with the rights of the caller in it."""
    rights = rights_in_room(
        admin=is_admin, owned=row.owned, public=row.visibility == "public", member=row.member_rights
    )
    return _to_response(row, rights or Rights.READ)


def _to_listed(row: ListedRoomRow, *, is_admin: bool) -> ListedRoom:
    content = row._asdict()
    del content["room"]
    return ListedRoom.model_validate({**room_response(row.room, is_admin=is_admin).model_dump(), **content})


def _to_response(row: RoomRow, rights: Rights) -> Room:
    return Room.model_validate({**row._asdict(), "rights": rights})


def _require_person(access: RoomAccess) -> UUID:
    if access.job is not None:
        raise Forbidden("A job works in its own room and cannot create rooms.")
    return access.principal.account_id
