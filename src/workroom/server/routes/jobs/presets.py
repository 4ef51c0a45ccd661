"""Presets of forms: list, save and delete the named values of an extension in a room."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, status

from workroom.actions.forms import presets
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import Reader, RoomAccess, Writer
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.store.room_tables.presets import FormKey
from workroom.wire.forms.presets import Preset, Presets, PresetValues

router = make_router("/api/rooms/{room}/extensions/{category}/{name}/presets", tag="extensions")

Category = Annotated[str, Path(max_length=50)]
Name = Annotated[str, Path(max_length=100)]
PresetName = Annotated[str, Path(min_length=1, max_length=100)]


@router.get("", summary="The presets of a form")
async def list_presets(context: Context, access: Reader, category: Category, name: Name) -> Presets:
    rows = await presets.list_presets(context.engine, FormKey(access.room, category, name))
    return Presets(
        items=[
            Preset(name=row.name, data=row.data, user_id=row.account_id, user=row.author, updated_at=row.updated_at)
            for row in rows
        ]
    )


@router.put(
    "/{preset}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Save the values of a form",
    responses=error_responses(403, 404, 409, 413, 429),
)
async def save(
    context: Context, access: Writer, category: Category, name: Name, preset: PresetName, body: PresetValues
) -> None:
    """All people of the room see it. Its author and owners of the room may replace it."""
    context.submission_limit.hit(str(access.principal.account_id))
    form = FormKey(access.room, category, name)
    await presets.save(context.engine, form, preset, access.principal.account_id, body.data, any_author=_owns(access))


@router.delete(
    "/{preset}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Delete a preset of a form",
    responses=error_responses(403, 404, 409),
)
async def delete(context: Context, access: Writer, category: Category, name: Name, preset: PresetName) -> None:
    """Its author and owners of the room may delete it."""
    form = FormKey(access.room, category, name)
    await presets.delete(context.engine, form, preset, access.principal.account_id, any_author=_owns(access))


def _owns(access: RoomAccess) -> bool:
    return access.rights is Rights.OWN
