"""Geometries: what the viewer of a room draws."""

from __future__ import annotations

from typing import Any

from workroom.actions.rooms import items
from workroom.domain.errors import NameReserved
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import WriterDep
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.serializers.room_items import ItemKey, geometry
from workroom.wire import geometries
from workroom.wire.geometries import GeometryBody
from workroom.wire.room_items import (
    Geometries,
    GeometryInfo,
    GeometrySchemas,
    ItemsWritten,
    NamedGeometry,
    RoomGeometries,
)

router = make_router("/api/rooms/{room}/geometries", tag="geometries")
WRITES = error_responses(403, 404, 409, 423)
_SCHEMAS = "schemas"


@router.get("", summary="All geometries", responses=error_responses(404))
async def get_all(context: Context, access: Reader) -> RoomGeometries:
    """A new room has spheres, bonds and the cell."""
    rows = await items.list_items(context.engine, access.room, Kind.GEOMETRY)
    return RoomGeometries(geometries={row.key: GeometryInfo(**geometry(row.value)) for row in rows})


@router.get("/schemas", summary="The JSON schema of each geometry type", responses=error_responses(404))
async def schemas(access: Reader) -> GeometrySchemas:
    return GeometrySchemas(schemas=geometries.schemas())


@router.put("", summary="Replace all geometries", responses=WRITES)
async def replace(context: Context, writer: WriterDep, body: Geometries) -> ItemsWritten:
    written = await items.replace(
        context.engine, writer.room, writer.context, Kind.GEOMETRY, _to_values(body.geometries)
    )
    return ItemsWritten.model_validate(written)


@router.patch("", summary="Set several geometries in one change", responses=WRITES)
async def put_some(context: Context, writer: WriterDep, body: Geometries) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.GEOMETRY, _to_values(body.geometries))
    return ItemsWritten.model_validate(written)


@router.get("/{key}", summary="One geometry", responses=error_responses(404))
async def get(context: Context, access: Reader, key: ItemKey) -> NamedGeometry:
    row = await items.get_item(context.engine, access.room, Kind.GEOMETRY, key)
    return NamedGeometry(key=row.key, **geometry(row.value))


@router.put("/{key}", summary="Set a geometry", responses=WRITES)
async def put(context: Context, writer: WriterDep, key: ItemKey, body: GeometryBody) -> ItemsWritten:
    written = await items.put(context.engine, writer.room, writer.context, Kind.GEOMETRY, _to_values({key: body}))
    return ItemsWritten.model_validate(written)


@router.delete("/{key}", summary="Remove a geometry", responses=WRITES)
async def remove(context: Context, writer: WriterDep, key: ItemKey) -> ItemsWritten:
    return ItemsWritten.model_validate(
        await items.remove(context.engine, writer.room, writer.context, Kind.GEOMETRY, key)
    )


def _to_values(bodies: dict[str, GeometryBody]) -> dict[str, Any]:
    if _SCHEMAS in bodies:
        raise NameReserved(f"A geometry cannot be called {_SCHEMAS!r}: that name is reserved.")
    return {key: geometries.to_wire(geometries.parse_geometry(body.type, body.data)) for key, body in bodies.items()}
