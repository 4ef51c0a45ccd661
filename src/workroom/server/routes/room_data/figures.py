"""Figures: Plotly plots whose points may be linked to frames or atoms."""

from __future__ import annotations

from typing import Any

from workroom.actions.rooms import items
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.room_items import ItemKey, item_name
from workroom.wire.room_items import FigureBody, FigureInfo, FigureNames, Figures, ItemsWritten

router = make_router("/api/rooms/{room}/figures", tag="figures")
WRITES = error_responses(403, 404, 409, 413, 423)


@router.get("", summary="The names of the figures", responses=error_responses(404))
async def names(context: Context, access: Reader) -> FigureNames:
    """With the revision at which each was last set, so that a client fetches only figures that changed."""
    return FigureNames(
        items=[item_name(row) for row in await items.list_names(context.engine, access.room, Kind.FIGURE)]
    )


@router.put("", summary="Replace all figures", responses=WRITES)
async def replace(context: Context, writer: WriterDep, body: Figures) -> ItemsWritten:
    values = {key: _to_value(figure) for key, figure in body.figures.items()}
    return ItemsWritten.model_validate(
        await items.replace(context.engine, writer.room, writer.context, Kind.FIGURE, values)
    )


@router.get("/{key}", summary="One figure", responses=error_responses(404), response_model_exclude_unset=True)
async def get(context: Context, access: Reader, key: ItemKey) -> FigureInfo:
    row = await items.get_item(context.engine, access.room, Kind.FIGURE, key)
    return FigureInfo.model_validate(row.value | {"key": row.key, "revision": row.revision})


@router.put("/{key}", summary="Set a figure", responses=WRITES)
async def put(context: Context, writer: WriterDep, key: ItemKey, body: FigureBody) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.FIGURE, {key: _to_value(body)})
    return ItemsWritten.model_validate(written)


@router.delete("/{key}", summary="Remove a figure", responses=WRITES)
async def remove(context: Context, writer: WriterDep, key: ItemKey) -> ItemsWritten:
    return ItemsWritten.model_validate(
        await items.remove(context.engine, writer.room, writer.context, Kind.FIGURE, key)
    )


def _to_value(body: FigureBody) -> dict[str, Any]:
    figure: dict[str, Any] = {"data": body.data, "layout": body.layout}
    if body.frames is not None:
        figure["frames"] = body.frames
    if body.links is not None:
        figure["links"] = [link.model_dump(mode="json", by_alias=True) for link in body.links]
    return figure
