"""ASGI middleware that refuses requests whose `Host` is not a name of this server.

A web page of another site can make its own host name point to this server's address (DNS rebinding). Its requests then
count as same-origin in the browser, but still carry the foreign name.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from workroom.domain.errors import UnknownHost
from workroom.server.http.error_handlers import problem

_LOCAL = ("localhost", "127.0.0.1", "::1")


class AllowedHosts:
    """Answers 421, also to WebSockets, unless the request names this server.

    These names are allowed: localhost, the address that the server listens on, and the setting `hosts`. A server that
    listens on other addresses than loopback is also known by the name of its machine, and one that listens on all
    addresses by each of them: no page of another site can have an IP address as its name.
    """

    def __init__(self, app: ASGIApp, *, bound: str, hosts: Sequence[str]) -> None:
        self._app = app
        self._any_name = "*" in hosts
        self._suffixes = tuple(host[1:].lower() for host in hosts if host.startswith("*."))
        self._names = {host.lower().rstrip(".") for host in (*_LOCAL, bound.strip("[]"), *hosts)}
        address = _address(bound)
        self._any_address = address is not None and address.is_unspecified
        if address is None or not address.is_loopback:
            self._names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = [value for name, value in scope["headers"] if name == b"host"]
        host = given[0].decode("latin-1") if len(given) == 1 else ""
        if self.allows(host):
            await self._app(scope, receive, send)
            return
        error = UnknownHost(_message(host), host=host[:200])
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": "unknown host"})
            return
        await problem(error.status, error.code, error.message, error.detail)(scope, receive, send)

    def allows(self, header: str) -> bool:
        """Whether a `Host` header, with or without a port, names this server."""
        if self._any_name:
            return True
        name = _name(header)
        if name in self._names or (self._suffixes and name.endswith(self._suffixes)):
            return True
        return self._any_address and _address(name) is not None


def _name(header: str) -> str:
    """The name of a `Host` header, without the port and the brackets of an IPv6 address."""
    if header.startswith("["):
        name, _, rest = header[1:].partition("]")
    else:
        name, colon, rest = header.partition(":")
        rest = colon + rest
    if rest and not (rest[0] == ":" and rest[1:].isdigit()):
        return ""
    return name.lower().rstrip(".")


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None


def _message(host: str) -> str:
    shown = host if len(host) <= 100 else host[:100] + "…"
    return (
        f"This server does not answer requests for the host {shown!r}. "
        "Name it in the setting `hosts` (WORKROOM_HOSTS) if the server should be reached by this name."
    )
