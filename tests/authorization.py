"""Checks that every route and every socket event of a server asks who its caller is.

The lists come from the server itself, so a new route or event is checked without an entry anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from workroom.server.auth.access import _require  # pyright: ignore[reportPrivateUsage]
from workroom.server.auth.bearer import BearerToken
from workroom.server.realtime.hub import SocketHub

# Routes that need no token.
OPEN = {
    ("POST", "/api/login"),
    ("POST", "/api/login/code"),  # the code is the secret
    ("GET", "/api/login/methods"),
    ("POST", "/api/login/header"),  # the proxy vouches for the caller
    ("GET", "/api/login/oidc"),
    ("GET", "/api/login/oidc/callback"),  # the provider vouches for the caller
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/api/docs"),
    ("GET", "/api/openapi.json"),
    ("HEAD", "/api/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/docs/{path:path}"),  # the documentation
    ("GET", "/{path:path}"),  # the web app
}
# Routes of a room that authorise in their body; `test_strangers_are_refused_by_every_route_of_a_room` calls them.
AUTHORISE_THEMSELVES = {("POST", "/api/rooms/{room}/extensions/{category}/{name}/submit")}
_ROOM_CHECK = _require.__qualname__ + ".<locals>"


def unprotected_routes(app: FastAPI) -> list[str]:
    """The routes that read no token, and the routes of a room that do not check the rights in it."""
    return [
        f"{method} {path}: {fault}"
        for method, path, route in _routes(app)
        if (method, path) not in OPEN and (fault := _fault(method, path, route)) is not None
    ]


def _routes(app: FastAPI) -> Iterator[tuple[str, str, Any]]:
    for route in app.routes:
        for method in sorted(getattr(route, "methods", None) or {"ANY"}):
            yield method, getattr(route, "path", repr(route)), route


def _fault(method: str, path: str, route: Any) -> str | None:
    if not isinstance(route, APIRoute):
        return "is no route of the API, so nothing checks its caller"
    calls = list(_calls([route.dependant]))
    if not any(isinstance(call, BearerToken) for call in calls):
        return "reads no token"
    in_room = path.startswith("/api/rooms/{room}")
    if in_room and (method, path) not in AUTHORISE_THEMSELVES and not any(map(_checks_room, calls)):
        return "does not check the rights in the room"
    return None


def _checks_room(call: Any) -> bool:
    return getattr(call, "__qualname__", "").startswith(_ROOM_CHECK)


def _calls(dependants: Iterable[Dependant]) -> Iterator[Any]:
    for dependant in dependants:
        yield dependant.call
        yield from _calls(dependant.dependencies)


async def unprotected_events(hub: SocketHub) -> list[str]:
    """The events whose handlers do not refuse a socket without a token before they do anything else."""
    found: list[str] = []
    for event, handler in sorted(hub.sio.handlers["/"].items()):
        if event in ("connect", "disconnect"):
            continue
        try:
            answer: dict[str, Any] | None = await handler("a socket that never signed in", {})
        except Exception as error:
            answer = {"ok": True, "code": repr(error)}
        if not answer or answer["ok"] is not False or answer["code"] != "not_signed_in":
            found.append(event)
    return found
