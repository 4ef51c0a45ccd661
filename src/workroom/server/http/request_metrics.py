"""ASGI middleware that measures and logs requests, and adds security headers to every response."""

from __future__ import annotations

import os
import time
from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom import __version__
from workroom.logs import get_logger
from workroom.server.metrics.of_process import observe_request
from workroom.wire.base import VERSION_HEADER

log = get_logger(__name__)

_UNLOGGED = ("/healthz", "/readyz", "/metrics")
_SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


# Browsers use https alone for this host from the first response on. A host name has one setting for all its ports, so
# the names of this machine are left out: its other servers would not be reachable without TLS any more.
_STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
_LOCAL_HOSTS = ("localhost", ".localhost")

# Answers depend on who asks: neither a proxy nor the browser of a shared machine may keep them.
_NO_STORE = (b"cache-control", b"no-store")
_PRIVATE = ("/api/", "/metrics", "/readyz", "/healthz")
# Clients compare it with their own.
_VERSION = (VERSION_HEADER.encode(), __version__.encode())


def _host(scope: Scope) -> str:
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return host.rpartition(":")[0] if ":" in host else host


def _is_private(path: str) -> bool:
    return path.startswith(_PRIVATE)


def request_facts(scope: MutableMapping[str, Any]) -> dict[str, str]:
    """What is learned of a request while it is handled: its `route` (the template) and its `account`.

    Copies of its scope share them.
    """
    return scope.setdefault("workroom.request", {})


class RequestMetrics:
    """The outermost middleware, so that the measured time includes all others."""

    def __init__(self, app: ASGIApp, *, log_level: str = "off", serves_tls: bool = False) -> None:
        self._app = app
        self._log_level = log_level
        self._serves_tls = serves_tls  # else a proxy adds TLS, and the header is its own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        facts = request_facts(scope)

        async def send_measured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = list(message.get("headers", []))
                message["headers"] = headers + _SECURITY_HEADERS
                if self._serves_tls and scope["scheme"] == "https" and not _host(scope).endswith(_LOCAL_HOSTS):
                    message["headers"].append(_STRICT_TRANSPORT)
                if _is_private(scope["path"]) and not any(name.lower() == b"cache-control" for name, _ in headers):
                    message["headers"].append(_NO_STORE)
                if "/api/" in scope["path"]:  # also below the path of a proxy
                    message["headers"].append(_VERSION)
                seconds = time.perf_counter() - started
                observe_request(scope["method"], facts.get("route", "other"), message["status"], seconds)
                self._log(scope, facts, message["status"], seconds)
            await send(message)

        await self._app(scope, receive, send_measured)

    def _log(self, scope: Scope, facts: dict[str, str], status: int, seconds: float) -> None:
        """One line for each request but health checks. It has no query and no path: both may have secrets."""
        route = facts.get("route", "other")
        if self._log_level == "off" or route in _UNLOGGED:
            return
        write = log.info if self._log_level == "info" else log.debug
        client = scope.get("client")
        write(
            "request",
            method=scope["method"],
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
            account=facts.get("account"),
            address=client[0] if client else None,
            replica=os.getpid(),
        )
