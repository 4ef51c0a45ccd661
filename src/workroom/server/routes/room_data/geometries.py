"""Geometries: what is drawn in a room."""

from __future__ import annotations

from typing import Any

from workroom.actions.rooms import items
from workroom.domain.errors import NameReserved
from workroom.domain.rooms.items import Kind
from workroom.server.auth.access import Reader
from workroom.server.auth.write_context import AsWriter
from workroom.server.context import AtHome
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes
from workroom.server.serializers.room_items import ItemKey, geometry
from workroom.wire import geometries
from workroom.wire.geometries import GeometryBody
from workroom.wire.scene import Geometries, ItemsWritten

router = routes("/api/rooms/{room}/geometries", tag="geometries")
WRITES = documented(403, 404, 409, 423)
_SCHEMAS = "schemas"


@router.get("", summary="What is drawn", responses=documented(404))
async def drawn(house: AtHome, visit: Reader) -> dict[str, Any]:
    """A new room draws spheres, bonds and the cell."""
    rows = await items.items(house.engine, visit.room, Kind.GEOMETRY)
    return {"geometries": {row.key: geometry(row.value) for row in rows}}


@router.get("/schemas", summary="The types of geometries: a JSON schema for each", responses=documented(404))
async def schemas(visit: Reader) -> dict[str, Any]:
    return {"schemas": geometries.schemas()}


@router.put("", summary="Replace everything that is drawn", responses=WRITES)
async def replace(house: AtHome, writer: AsWriter, body: Geometries) -> ItemsWritten:
    written = await items.replace(house.engine, writer.room, writer.hand, Kind.GEOMETRY, _checked(body.geometries))
    return ItemsWritten.model_validate(written)


@router.patch("", summary="Draw several, in one change", responses=WRITES)
async def put_some(house: AtHome, writer: AsWriter, body: Geometries) -> ItemsWritten:
    written = await items.put(house.engine, writer.room, writer.hand, Kind.GEOMETRY, _checked(body.geometries))
    return ItemsWritten.model_validate(written)


@router.get("/{key}", summary="One geometry", responses=documented(404))
async def one(house: AtHome, visit: Reader, key: ItemKey) -> dict[str, Any]:
    row = await items.item(house.engine, visit.room, Kind.GEOMETRY, key)
    return {"key": row.key} | geometry(row.value)


@router.put("/{key}", summary="Draw something", responses=WRITES)
async def put(house: AtHome, writer: AsWriter, key: ItemKey, body: GeometryBody) -> ItemsWritten:
    written = await items.put(house.engine, writer.room, writer.hand, Kind.GEOMETRY, _checked({key: body}))
    return ItemsWritten.model_validate(written)


@router.delete("/{key}", summary="Draw it no more", responses=WRITES)
async def remove(house: AtHome, writer: AsWriter, key: ItemKey) -> ItemsWritten:
    return ItemsWritten.model_validate(await items.remove(house.engine, writer.room, writer.hand, Kind.GEOMETRY, key))


def _checked(given: dict[str, GeometryBody]) -> dict[str, Any]:
    if _SCHEMAS in given:
        raise NameReserved(f"A geometry cannot be called {_SCHEMAS!r}: that name is reserved.")
    return {key: geometries.on_the_wire(geometries.geometry(body.type, body.data)) for key, body in given.items()}
