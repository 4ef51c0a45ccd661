"""Strict parsing of JSON request bodies.

The standard parser accepts NaN and any nesting depth. PostgreSQL cannot store such values, so orjson refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from workroom.server.http.request_metrics import request_facts


class _StrictRequest(Request):
    async def json(self) -> Any:
        return orjson.loads(await self.body())


class StrictRoute(APIRoute):
    """A route that parses its JSON body with orjson."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            request_facts(request.scope)["route"] = self.path
            return await handler(_StrictRequest(request.scope, request.receive))

        return handle_strictly


def make_router(prefix: str = "", *, tag: str) -> APIRouter:
    """The router of one module of routes."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=StrictRoute)
