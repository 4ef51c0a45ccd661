"""A server of accounts and rooms alone, behind real HTTP, and people who talk to it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx2
import uvicorn
from fastapi import FastAPI

from workroom.actions.accounts.accounts import create_account
from workroom.actions.engine import Engine
from workroom.actions.events import Event
from workroom.server.auth import passwords
from workroom.server.auth.tokens import PersonToken, TokenIssuer
from workroom.server.context import ServerContext
from workroom.server.http import error_handlers
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.presence import PresenceTracker
from workroom.server.routes.accounts import admin, login, users
from workroom.server.routes.rooms import members, rooms
from workroom.server.settings import Settings

SECRET = "a secret that is long enough for anybody's taste, HS512 included, it is"
PASSWORD = "correct horse"
NOBODY = UUID(int=0)


@dataclass
class Caller:
    """Somebody with a token, or nobody."""

    client: httpx2.AsyncClient
    name: str = ""
    id: UUID = NOBODY
    token: str | None = None

    async def __call__(self, method: str, path: str, body: Any = None, **query: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return await self.client.request(method, f"/api{path}", json=body, params=query, headers=headers)

    async def ok(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """The answer, which must be a good one."""
        response = await self(method, path, body, **query)
        assert response.is_success, (method, path, response.status_code, response.text)
        return response.json() if response.content else None


@dataclass
class RoomsApp:
    context: ServerContext
    client: httpx2.AsyncClient
    events: list[Event] = field(default_factory=list[Event])
    _hash: str | None = None

    async def account(self, name: str, role: str = "user") -> Caller:
        """Somebody with a password and a token; hashing it once is slow enough."""
        self._hash = self._hash or await passwords.hash_password(PASSWORD)
        made = await create_account(self.context.engine, actor=None, name=name, role=role, password_hash=self._hash)
        return Caller(self.client, name, made.id, self.context.tokens.issue(PersonToken(made.id, 0), 3600))

    async def guest(self, name: str) -> Caller:
        return await self.signed_in(name)

    async def signed_in(self, name: str, password: str | None = None) -> Caller:
        body = {"user": name} | ({"password": password} if password else {})
        answer = await self.nobody.ok("POST", "/login", body)
        return Caller(self.client, name, UUID(answer["user"]["id"]), answer["token"])

    def bearer(self, token: str) -> Caller:
        return Caller(self.client, token=token)

    @property
    def nobody(self) -> Caller:
        return Caller(self.client)


def configured(**settings: Any) -> Settings:
    """Settings that differ from the defaults in these."""
    return Settings(**settings)


@asynccontextmanager
async def rooms_app(engine: Engine, **settings: Any) -> AsyncGenerator[RoomsApp]:
    app = FastAPI()
    error_handlers.install(app)
    for routes in (login, users, rooms, members, admin):
        app.router.routes.extend(routes.router.routes)
    context = ServerContext(
        configured(**settings), engine, TokenIssuer(SECRET), PresenceTracker(SocketHub(origins=None), engine)
    )
    app.state.context = context
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none"))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            async with httpx2.AsyncClient(base_url=address, timeout=30) as client:
                running = RoomsApp(context, client)
                engine.announce = running.events.extend
                yield running
        finally:
            server.should_exit = True
            await serving
