"""Requests to a server on behalf of somebody: with their token, over pooled connections, patient while it restarts."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol, TypeVar

import httpx2
import orjson

from workroom.client.discovery import is_local
from workroom.client.net.credentials import Tokens
from workroom.client.net.problems import error_in
from workroom.domain.errors import NotSignedIn, ServerUnreachable, Unavailable
from workroom.domain.jobs.backoff import backoff_seconds

# A server takes a few seconds to restart; nobody needs to hear of it.
PATIENCE = 20.0
# An upload may wait for others to end before the server takes it.
_SMALL = 1_000_000
_UPLOAD_TIMEOUT = httpx2.Timeout(600.0, connect=5.0)
_REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
T = TypeVar("T")


class Sink(Protocol):
    """Takes an answer as it arrives."""

    def begin(self, headers: Any) -> None: ...
    def feed(self, piece: bytes) -> None: ...
    def end(self) -> None: ...


def http_client(url: str, *, connections: int = 20) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        base_url=url,
        timeout=httpx2.Timeout(30.0, connect=5.0),
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
        trust_env=not is_local(url),
    )


class ApiClient:
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
        headers: dict[str, str] | None = None,
        repeatable: bool | None = None,
    ) -> Any:
        """The answer's JSON. What may be sent twice is sent again while the server is away, up to our patience."""
        sent = dict(headers or {})
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            content = orjson.dumps(body)

        async def once() -> Any:
            return await self._json(method, path, content, params, sent)

        return await self.with_retries(once, may_repeat=method in _REPEATABLE if repeatable is None else repeatable)

    async def upload(
        self, path: str, params: dict[str, Any], content: bytes | AsyncIterator[bytes], headers: dict[str, str]
    ) -> Any:
        """Send what is no JSON, in one piece or as it comes. It is not sent twice once it has left."""

        async def once() -> Any:
            return await self._json("POST", path, content, params, headers)

        return await self.with_retries(once, may_repeat=False, never_again=not isinstance(content, bytes))

    async def download(self, path: str, params: dict[str, Any], sink: Sink) -> None:
        """Hand an answer that is no JSON to whoever takes it, as it arrives; from the start when it broke off."""

        async def once() -> None:
            token = await self.tokens.token()
            if await self._downloaded(path, params, token, sink, last=False):
                return
            await self._downloaded(path, params, await self.tokens.renewed(token), sink, last=True)

        await self.with_retries(once, may_repeat=True)

    async def with_retries(self, once: Callable[[], Awaitable[T]], *, may_repeat: bool, never_again: bool = False) -> T:
        """Try, and try again while the server is away if that does no harm."""
        give_up_at = time.monotonic() + self.patience
        failures = 0
        while True:
            try:
                return await once()
            except httpx2.InvalidURL as error:
                raise ServerUnreachable(f"{self.url} is no URL: {error}.") from None
            except httpx2.TransportError as error:
                never_sent = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
                trouble = unreachable(self.url, error)
                if never_again or not (may_repeat or never_sent):
                    raise trouble from error
            except Unavailable as error:
                trouble = error
                if never_again or not may_repeat:
                    raise
            failures += 1
            pause = backoff_seconds(failures, 0.1, 2.0, random.random())  # noqa: S311 - spreads clients, guards nothing
            if time.monotonic() + pause > give_up_at:
                raise trouble
            await asyncio.sleep(pause)

    async def _json(
        self,
        method: str,
        path: str,
        content: bytes | AsyncIterator[bytes] | None,
        params: dict[str, Any] | None,
        headers: dict[str, str],
    ) -> Any:
        token = await self.tokens.token()
        answer = await self._send(method, path, content, params, headers, token)
        if answer.status_code == 401 and (content is None or isinstance(content, bytes)):
            try:
                token = await self.tokens.renewed(token)
            except NotSignedIn:
                raise error_in(answer) from None
            answer = await self._send(method, path, content, params, headers, token)
        if not answer.is_success:
            raise error_in(answer)
        return orjson.loads(answer.content) if answer.content else None

    async def _send(
        self,
        method: str,
        path: str,
        content: bytes | AsyncIterator[bytes] | None,
        params: dict[str, Any] | None,
        headers: dict[str, str],
        token: str,
    ) -> httpx2.Response:
        is_small = content is None or (isinstance(content, bytes) and len(content) < _SMALL)
        return await self.http.request(
            method,
            path,
            content=content,
            params=params,
            headers={"Authorization": f"Bearer {token}"} | headers,
            timeout=self.http.timeout if is_small else _UPLOAD_TIMEOUT,
        )

    async def _downloaded(self, path: str, params: dict[str, Any], token: str, sink: Sink, *, last: bool) -> bool:
        """Whether it was; not, when the token is to be renewed first."""
        headers = {"Authorization": f"Bearer {token}"}
        async with self.http.stream("GET", path, params=params, headers=headers) as answer:
            if answer.status_code == 401 and not last:
                return False
            if not answer.is_success:
                await answer.aread()
                raise error_in(answer)
            sink.begin(answer.headers)
            async for piece in answer.aiter_raw():
                sink.feed(piece)
            sink.end()
        return True


def unreachable(url: str, error: BaseException) -> ServerUnreachable:
    why = str(error) or type(error).__name__
    return ServerUnreachable(
        f"No server answers at {url} ({why}). Is it running? `workroom serve` starts one; url=… names another."
    )
