"""Requests to a server on behalf of somebody: with their token, over pooled connections, patient while it restarts."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import httpx2
import orjson

from workroom.client.credentials import Tokens
from workroom.client.problems import error_in
from workroom.client.whereabouts import is_local
from workroom.domain.backoff import backoff_seconds
from workroom.domain.errors import NotSignedIn, ServerUnreachable, Unavailable

# A server takes a few seconds to restart; nobody needs to hear of it.
PATIENCE = 20.0
_REPEATABLE = frozenset({"GET", "PUT", "DELETE"})


def http_client(url: str, *, connections: int = 20) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        base_url=url,
        timeout=httpx2.Timeout(30.0, connect=5.0),
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
        trust_env=not is_local(url),
    )


class Access:
    """A way to a server."""

    def __init__(self, url: str, http: httpx2.AsyncClient, tokens: Tokens, *, patience: float = PATIENCE) -> None:
        self.url = url
        self.http = http
        self.tokens = tokens
        self.patience = patience

    async def get(self, path: str, **params: Any) -> Any:
        return await self.request("GET", path, params={k: v for k, v in params.items() if v is not None})

    async def post(self, path: str, body: Any = None, *, repeatable: bool = False) -> Any:
        return await self.request("POST", path, body=body, repeatable=repeatable)

    async def put(self, path: str, body: Any = None) -> Any:
        return await self.request("PUT", path, body=body)

    async def delete(self, path: str) -> Any:
        return await self.request("DELETE", path)

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: dict[str, Any] | None = None,
        repeatable: bool | None = None,
    ) -> Any:
        """The answer's JSON. What may be sent twice is sent again while the server is away, up to our patience."""
        may_repeat = method in _REPEATABLE if repeatable is None else repeatable
        give_up_at = time.monotonic() + self.patience
        failures = 0
        while True:
            try:
                return await self._once(method, path, body, params)
            except httpx2.InvalidURL as error:
                raise ServerUnreachable(f"{self.url} is no URL: {error}.") from None
            except httpx2.TransportError as error:
                never_sent = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
                trouble = unreachable(self.url, error)
                if not (may_repeat or never_sent):
                    raise trouble from error
            except Unavailable as error:
                trouble = error
                if not may_repeat:
                    raise
            failures += 1
            pause = backoff_seconds(failures, 0.1, 2.0, random.random())  # noqa: S311 - spreads clients, guards nothing
            if time.monotonic() + pause > give_up_at:
                raise trouble
            await asyncio.sleep(pause)

    async def _once(self, method: str, path: str, body: Any, params: dict[str, Any] | None) -> Any:
        token = await self.tokens.token()
        answer = await self._send(method, path, body, params, token)
        if answer.status_code == 401:
            try:
                token = await self.tokens.renewed(token)
            except NotSignedIn:
                raise error_in(answer) from None
            answer = await self._send(method, path, body, params, token)
        if not answer.is_success:
            raise error_in(answer)
        return orjson.loads(answer.content) if answer.content else None

    async def _send(
        self, method: str, path: str, body: Any, params: dict[str, Any] | None, token: str
    ) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {token}"}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = orjson.dumps(body)
        return await self.http.request(method, path, content=content, params=params, headers=headers)


def unreachable(url: str, error: BaseException) -> ServerUnreachable:
    why = str(error) or type(error).__name__
    return ServerUnreachable(
        f"No server answers at {url} ({why}). Is it running? `workroom serve` starts one; url=… names another."
    )
