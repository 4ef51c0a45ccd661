"""ASGI middleware that remembers the other end of the connection, before the headers of a proxy replace it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

_KEY = "workroom.peer"


class PeerAddress:
    """The outermost middleware where the headers of a proxy are believed: the peer is the one of the connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            client = scope.get("client")
            scope[_KEY] = client[0] if client else None
        await self._app(scope, receive, send)


def peer_of(scope: MutableMapping[str, Any]) -> str | None:
    """The address of the other end of the connection; None for a UNIX socket, and without the middleware."""
    peer = scope.get(_KEY)
    return None if peer is None else str(peer)
