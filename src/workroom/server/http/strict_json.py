"""Strict parsing of JSON request bodies.

The standard parser accepts NaN and any nesting depth. PostgreSQL cannot store such values, so orjson refuses them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from workroom.domain.errors import BadInput
from workroom.domain.values.exact_json import parse_64_bits
from workroom.server.http.request_metrics import request_facts


class _StrictRequest(Request):
    async def json(self) -> Any:
        try:
            return parse_64_bits(await self.body())
        except BadInput as error:  # FastAPI replaces the message of any other error
            raise json.JSONDecodeError(error.message, "", 0) from None


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
