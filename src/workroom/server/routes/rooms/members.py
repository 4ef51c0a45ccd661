"""Members of a room, and share links that make people members."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, status

from workroom.actions.rooms import members as member_actions
from workroom.actions.rooms import rooms
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Owner, Person, Reader
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.rooms.rooms import room_response
from workroom.store.room_tables.rooms import MemberRow
from workroom.wire.rooms import Grant, Join, Link, Links, MadeLink, Member, Members, NewLink, Room

router = make_router("/api", tag="rooms")
Who = Annotated[str, Path(description="An account's id or name.", examples=["ada"])]


@router.get("/rooms/{room}/members", summary="The members of a room", responses=error_responses(404, 409))
async def members(context: Context, access: Reader) -> Members:
    return Members(items=[_member(row) for row in await member_actions.list_members(context.engine, access.room)])


@router.put(
    "/rooms/{room}/members/{who}",
    summary="Add a member, or change the rights of one (owners)",
    responses=error_responses(403, 404, 409),
)
async def put_member(context: Context, access: Owner, who: Who, body: Grant) -> Member:
    return _member(
        await member_actions.put_member(
            context.engine, access.room, actor=access.principal.account_id, who=who, rights=body.rights
        )
    )


@router.delete(
    "/rooms/{room}/members/{who}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Remove a member (owners), or leave the room",
    responses=error_responses(403, 404, 409),
)
async def remove_member(context: Context, access: Reader, who: Who) -> None:
    await member_actions.remove_member(
        context.engine,
        access.room,
        actor=access.principal.account_id,
        who=who,
        may_remove_others=access.rights is Rights.OWN,
    )


@router.get("/rooms/{room}/links", summary="The valid share links (owners)", responses=error_responses(403, 404, 409))
async def links(context: Context, access: Owner) -> Links:
    return Links(
        items=[Link.model_validate(row) for row in await member_actions.list_share_links(context.engine, access.room)]
    )


@router.post(
    "/rooms/{room}/links",
    status_code=status.HTTP_201_CREATED,
    summary="Create a share link (owners)",
    responses=error_responses(403, 404, 409),
)
async def make_link(context: Context, access: Owner, body: NewLink) -> MadeLink:
    """An account that sends the `link` to `POST /api/join` becomes a member. Only this response contains the link."""
    created, secret = await member_actions.create_share_link(
        context.engine,
        access.room,
        actor=access.principal.account_id,
        rights=body.rights,
        seconds=body.expires_in_seconds,
    )
    return MadeLink.model_validate({**created._asdict(), "link": secret})


@router.delete(
    "/rooms/{room}/links/{id}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Revoke a share link (owners)",
    responses=error_responses(403, 404, 409),
)
async def revoke_link(context: Context, access: Owner, id: UUID) -> None:
    """People who joined with the link stay members."""
    await member_actions.delete_share_link(context.engine, access.room, id, actor=access.principal.account_id)


@router.delete(
    "/rooms/{room}/links",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Revoke all share links (owners)",
    responses=error_responses(403, 404, 409),
)
async def revoke_links(context: Context, access: Owner) -> None:
    """People who joined with them stay members."""
    await member_actions.delete_share_links(context.engine, access.room, actor=access.principal.account_id)


@router.post("/join", summary="Join a room with a share link", responses=error_responses(403, 404))
async def join(context: Context, principal: Person, body: Join) -> Room:
    room = await member_actions.join_by_link(context.engine, body.link, account_id=principal.account_id)
    row = await rooms.get_room(context.engine, room, account_id=principal.account_id)
    return room_response(row, is_admin=principal.is_admin)


def _member(row: MemberRow) -> Member:
    return Member(
        id=row.account_id, name=row.name, rights=Rights(row.rights), creator=row.creator, added_at=row.added_at
    )
