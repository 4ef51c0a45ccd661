"""An HTTP transport over connections that the parent process opens: for a process that may open no sockets."""

from __future__ import annotations

import select
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Generator, Iterable
from contextlib import contextmanager
from typing import Any, cast

import anyio
import anyio.abc
import httpcore2
import httpx2
from anyio.streams.tls import TLSStream

from workroom.client.net.brokered_connections import Broker


class BrokeredTransport(httpx2.AsyncBaseTransport):
    """Sends the requests of an HTTP client through a connection pool that gets its connections from a broker."""

    def __init__(self, broker: Broker, limits: httpx2.Limits) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=_Backend(broker),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        with _http_errors():
            response = await self._pool.handle_async_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=cast("dict[str, Any]", response.extensions),
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    """The body of a response."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _http_errors():
            async for part in cast(AsyncIterable[bytes], self._response.stream):
                yield part

    async def aclose(self) -> None:
        await self._response.aclose()


class _Backend(httpcore2.AsyncNetworkBackend):
    """Opens the connections of a pool. The parent decides where they go, whatever the request names."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface of the library
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        with _stream_errors(httpcore2.ConnectTimeout, httpcore2.ConnectError), anyio.fail_after(timeout):
            return _Stream(await anyio.abc.SocketStream.from_socket(await self._broker.connect()))

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


class _Stream(httpcore2.AsyncNetworkStream):
    """One connection."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        with _stream_errors(httpcore2.ReadTimeout, httpcore2.ReadError), anyio.fail_after(timeout):
            try:
                return await self._stream.receive(max_bytes)
            except anyio.EndOfStream:
                return b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        with _stream_errors(httpcore2.WriteTimeout, httpcore2.WriteError), anyio.fail_after(timeout):
            await self._stream.send(buffer)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        with _stream_errors(httpcore2.ConnectTimeout, httpcore2.ConnectError), anyio.fail_after(timeout):
            return _Stream(
                await TLSStream.wrap(
                    self._stream, hostname=server_hostname, ssl_context=ssl_context, standard_compatible=False
                )
            )

    def get_extra_info(self, info: str) -> Any:
        """The pool asks whether an idle connection is readable: then the server has closed it."""
        if info != "is_readable":
            return None
        poll = select.poll()
        connection = self._stream.extra(anyio.abc.SocketAttribute.raw_socket)  # noqa: S610 - not Django's `extra`
        poll.register(connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))


@contextmanager
def _stream_errors(timeout: type[Exception], other: type[Exception]) -> Generator[None]:
    try:
        yield
    except TimeoutError as error:
        raise timeout(str(error)) from error
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError) as error:
        raise other(str(error)) from error


@contextmanager
def _http_errors() -> Generator[None]:
    """Errors of httpcore as those that a caller of an HTTP client knows: both libraries give them the same names."""
    try:
        yield
    except (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise getattr(httpx2, type(error).__name__, httpx2.TransportError)(str(error)) from error
