"""A server below a path of a proxy: accepts requests with and without this path, since proxies may remove it."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class RootPath:
    """Removes the path from the start of an address."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self._app = app
        self._root = root
        self._raw_root = root.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            path: str = scope["path"]
            if path == self._root or path.startswith(f"{self._root}/"):
                raw: bytes | None = scope.get("raw_path")
                scope = {**scope, "path": path.removeprefix(self._root) or "/"}
                if raw is not None:
                    scope["raw_path"] = raw.removeprefix(self._raw_root) or b"/"
        await self._app(scope, receive, send)
