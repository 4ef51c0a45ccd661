"""No route and no socket event is without authorisation, and the check that says so finds those that are."""

from __future__ import annotations

import re
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from tests.acceptance.live import LiveServer, PlainWorker, Someone
from tests.acceptance.rooms_app import configured
from tests.authorization import OPEN, unprotected_events, unprotected_routes
from tests.workshop import Workshop

from workroom.server.app import create_rest_app
from workroom.server.auth.access import Person
from workroom.server.auth.tokens import TokenIssuer
from workroom.server.context import ServerContext
from workroom.server.realtime.handlers import SocketHandlers
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.presence import PresenceTracker

# Bodies of routes that authorise only after they have parsed a valid body.
_BODIES: dict[str, dict[str, Any]] = {"/submit": {"data": {}}}
_CALL: dict[str, Any] = {}  # without arguments


@pytest.fixture
def app() -> FastAPI:
    """The routes of a server; a copy, so that a test may add some."""
    return create_rest_app()


@pytest.fixture
def sockets(workshop: Workshop) -> SocketHub:
    hub = SocketHub(origins=None)
    tokens = TokenIssuer("a secret that is long enough for everyone")
    SocketHandlers(hub, ServerContext(configured(), workshop.engine, tokens, PresenceTracker(hub, workshop.engine)))
    return hub


def test_every_route_reads_a_token_and_every_route_of_a_room_checks_the_rights_in_it(app: FastAPI) -> None:
    assert unprotected_routes(app) == []
    assert len(app.routes) > 100


def test_a_new_route_without_a_token_is_reported(app: FastAPI) -> None:
    @app.get("/api/leak")
    async def leak() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        return {}

    @app.get("/hidden", include_in_schema=False)
    async def hidden() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        return {}

    assert unprotected_routes(app) == ["GET /api/leak: reads no token", "GET /hidden: reads no token"]


def test_a_new_route_of_a_room_that_only_signs_in_is_reported(app: FastAPI) -> None:
    @app.post("/api/rooms/{room}/leak")
    async def leak(principal: Person, room: str) -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        return {}

    app.mount("/files", FastAPI())
    assert unprotected_routes(app) == [
        "POST /api/rooms/{room}/leak: does not check the rights in the room",
        "ANY /files: is no route of the API, so nothing checks its caller",
    ]


async def test_every_event_refuses_a_socket_without_a_token(sockets: SocketHub) -> None:
    assert await unprotected_events(sockets) == []
    assert len(sockets.sio.handlers["/"]) > 10


async def test_a_new_event_without_authorisation_is_reported(sockets: SocketHub) -> None:
    async def leak(sid: str, body: Any) -> dict[str, Any]:
        return {"ok": True}

    async def careless(sid: str, body: Any) -> dict[str, Any]:
        raise KeyError(sid)

    sockets.on("room:peek", leak)
    sockets.on("room:poke", careless)
    assert await unprotected_events(sockets) == ["room:peek", "room:poke"]


async def test_strangers_are_refused_by_every_route_of_a_room(
    server: LiveServer, ada: Someone, workers: list[PlainWorker]
) -> None:
    """With a good token, ids that exist, and no rights: each route of a private room answers 404."""
    private = await ada.makes_room(f"{ada.name}-closed", "private")
    stranger = await Someone.signs_in(server, f"outside-of-{ada.name}")
    worker = await PlainWorker.online(ada, private, "Relax")
    workers.append(worker)
    job = (await ada.submits(private, "Relax"))["jobId"]
    posted = await ada.http.post("/api/postings", json={"function": "closed", "room": private, "jobs": [_CALL]})
    ids = {"jobs": job, "postings": posted.json()["postingId"], "workers": worker.id, "users": ada.id}
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        paths = (await http.get("/api/openapi.json")).json()["paths"]
    tried = 0
    for path, operations in paths.items():
        noun = path.split("/")[2] if path.startswith("/api/") else ""
        if not (path.startswith("/api/rooms/{room}") or ("{id}" in path and noun in ids)):
            continue
        filled = path.replace("{room}", private).replace("{id}", ids.get(noun, job))
        filled = re.sub(r"\{act\}", "pause", filled)
        filled = re.sub(r"\{\w+\}", "modifiers", filled)
        for method in operations:
            if (method.upper(), path) in OPEN:
                continue
            body = next((body for end, body in _BODIES.items() if path.endswith(end)), _CALL)
            answer = await stranger.http.request(method.upper(), filled, json=body)
            # 401: for workers alone. 403: for admins, or for the owner of an account.
            assert answer.status_code in (401, 403, 404), (method, path, answer.status_code, answer.text[:300])
            assert answer.status_code == 404 or noun != "rooms", (method, path, answer.text[:300])
            tried += 1
    print(f"{tried} routes refuse a stranger")
    assert tried > 70
    await stranger.close()
