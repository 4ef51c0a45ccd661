"""Authenticated HTTP requests over pooled connections, retried while the server restarts."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol, TypeVar

import httpx2
import orjson

from workroom.client.discovery import is_local
from workroom.client.net.brokered_connections import http_transport
from workroom.client.net.check_server_version import check_version
from workroom.client.net.login_tokens import Tokens
from workroom.client.net.problems import error_in, json_in, no_workroom_server
from workroom.domain.errors import BadInput, NotSignedIn, ServerUnreachable, Unavailable
from workroom.domain.jobs.backoff import backoff_seconds

# Long enough for a restart of the server, which takes a few seconds.
RETRY_SECONDS = 20.0
_UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"  # in the text of the error; trying again does not help
# The server may queue an upload behind others.
_SMALL_BYTES = 1_000_000
_UPLOAD_TIMEOUT = httpx2.Timeout(600.0, connect=5.0)
_REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
_OTHER_PATH = re.compile(r"[#\\\x00-\x20\x7f]|//|/\.{1,2}(?:/|\Z)|%(?![0-9A-F]{2})")
T = TypeVar("T")


class Sink(Protocol):
    """Receives the body of a response as it arrives."""

    def begin(self, headers: Any) -> None: ...
    def feed(self, piece: bytes) -> None: ...
    def end(self) -> None: ...


def http_client(url: str, *, connections: int = 20) -> httpx2.AsyncClient:
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    local = is_local(url)
    # Requests to this machine bypass proxies, but a private authority (SSL_CERT_FILE) counts for them too.
    verify = httpx2.create_ssl_context() if local and url.startswith("https:") else True
    return httpx2.AsyncClient(
        base_url=url,
        verify=verify,
        timeout=httpx2.Timeout(30.0, connect=5.0),
        limits=limits,
        transport=http_transport(limits),
        trust_env=not local,
        event_hooks={"response": [check_version]},
    )


class ApiClient:
    """The HTTP client of a server, with a user's tokens."""

    def __init__(
        self, url: str, http: httpx2.AsyncClient, tokens: Tokens, *, retry_seconds: float = RETRY_SECONDS
    ) -> None:
        self.url = url
        self.http = http
        self.tokens = tokens
        self.retry_seconds = retry_seconds

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
        """Return the response's JSON. Repeatable requests are retried for `retry_seconds` while the server is away."""
        sent = dict(headers or {})
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            try:
                content = orjson.dumps(body)
            except TypeError as error:  # e.g. a large integer as the default of a field, or in metadata
                raise BadInput(f"The request holds a value that JSON does not have: {error}.") from None

        async def once() -> Any:
            return await self._json(method, path, content, params, sent)

        return await self.with_retries(once, may_repeat=method in _REPEATABLE if repeatable is None else repeatable)

    async def upload(
        self, path: str, params: dict[str, Any], content: bytes | AsyncIterator[bytes], headers: dict[str, str]
    ) -> Any:
        """Send binary content, whole or streamed. It is not repeated once it was sent."""

        async def once() -> Any:
            return await self._json("POST", path, content, params, headers)

        return await self.with_retries(once, may_repeat=False, single_attempt=not isinstance(content, bytes))

    async def download(self, path: str, params: dict[str, Any], sink: Sink) -> None:
        """Pass a binary response to a sink as it arrives. After a broken connection it starts again."""

        async def once() -> None:
            token = await self.tokens.token()
            if await self._try_download(path, params, token, sink, last=False):
                return
            await self._try_download(path, params, await self.tokens.renewed(token), sink, last=True)

        await self.with_retries(once, may_repeat=True)

    async def with_retries(
        self, once: Callable[[], Awaitable[T]], *, may_repeat: bool, single_attempt: bool = False
    ) -> T:
        """Send a request, and repeat it while the server is away if that is safe."""
        give_up_at = time.monotonic() + self.retry_seconds
        failures = 0
        while True:
            try:
                return await once()
            except httpx2.InvalidURL as error:
                raise ServerUnreachable(f"{self.url} is not a valid URL: {error}.") from None
            except httpx2.TransportError as error:
                never_sent = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
                failure = unreachable(self.url, error)
                if single_attempt or _UNTRUSTED in str(error) or not (may_repeat or never_sent):
                    raise failure from error
            except Unavailable as error:
                failure = error
                if single_attempt or not may_repeat:
                    raise
            failures += 1
            pause = backoff_seconds(failures, 0.1, 2.0, random.random())  # noqa: S311 - jitter, not security
            if time.monotonic() + pause > give_up_at:
                raise failure
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
        answer = await self._send(method, _checked(path), content, params, headers, token)
        if answer.status_code == 401 and (content is None or isinstance(content, bytes)):
            try:
                token = await self.tokens.renewed(token)
            except NotSignedIn:
                raise error_in(answer) from None
            answer = await self._send(method, path, content, params, headers, token)
        if not answer.is_success:
            raise error_in(answer)
        return json_in(answer, self.url)

    async def _send(
        self,
        method: str,
        path: str,
        content: bytes | AsyncIterator[bytes] | None,
        params: dict[str, Any] | None,
        headers: dict[str, str],
        token: str,
    ) -> httpx2.Response:
        is_small = content is None or (isinstance(content, bytes) and len(content) < _SMALL_BYTES)
        return await self.http.request(
            method,
            path,
            content=content,
            params=params or None,  # httpx2 replaces the query of the path, also with an empty one
            headers={"Authorization": f"Bearer {token}"} | headers,
            timeout=self.http.timeout if is_small else _UPLOAD_TIMEOUT,
        )

    async def _try_download(self, path: str, params: dict[str, Any], token: str, sink: Sink, *, last: bool) -> bool:
        """Download once; False if the token must be renewed first."""
        headers = {"Authorization": f"Bearer {token}"}
        async with self.http.stream("GET", _checked(path), params=params or None, headers=headers) as answer:
            if answer.status_code == 401 and not last:
                return False
            if not answer.is_success:
                await answer.aread()
                raise error_in(answer)
            if answer.headers.get("Content-Type", "").startswith("text/html"):  # no route of the API answers so
                raise no_workroom_server(self.url)
            sink.begin(answer.headers)
            async for piece in answer.aiter_raw():
                sink.feed(piece)
            sink.end()
        return True


def _checked(path: str) -> str:
    """Refuse a path in which a name would change the path: a fragment, or another folder."""
    if _OTHER_PATH.search(path):
        raise BadInput(f"{path!r} is no path of the server: a name in it has characters that names cannot have.")
    return path


def unreachable(url: str, error: BaseException) -> ServerUnreachable:
    reason = str(error) or type(error).__name__
    if _UNTRUSTED in reason:
        return ServerUnreachable(
            f"The certificate of {url} is not trusted ({reason}). For a private certificate authority set "
            "SSL_CERT_FILE to its certificate."
        )
    return ServerUnreachable(
        f"No server answers at {url} ({reason}). Is it running? `workroom serve` starts one; --url, url=… or "
        "WORKROOM_URL names another."
    )
