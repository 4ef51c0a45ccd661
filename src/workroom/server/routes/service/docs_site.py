"""The documentation: the site that `make docs` builds into `server/docs_site`. A wheel of `make dist` contains it."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from html import escape
from pathlib import Path

from fastapi import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from workroom.server.context import Context
from workroom.server.http.static_files import BuiltFile, BuiltFolder, respond
from workroom.server.http.strict_json import make_router

router = make_router(tag="app")
SITE = BuiltFolder(Path(__file__).parents[2] / "docs_site")

# The pages contact no other host. Their few inline scripts are allowed by their hashes.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' {hashes}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_PLAIN_PAGE = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    "<title>Workroom documentation</title><h1>Workroom documentation</h1><p>{message}</p>"
    "<p>The API is documented at <a href='{root}/api/docs'>/api/docs</a>. Every command explains itself: "
    "<code>workroom --help</code>.</p></html>"
)
_NOT_BUILT = (
    "This server has no built documentation. In the source folder <code>make docs</code> builds it; then reload "
    "this page. The same pages are in the folder <code>docs</code> of the source, as Markdown."
)
_NO_PAGE = "There is no page {path} in the documentation. It starts <a href='{root}/docs/'>here</a>."


@router.get("/docs", include_in_schema=False)
async def start(context: Context) -> Response:
    return RedirectResponse(f"{context.settings.root_path}/docs/", 307)  # links in the pages are relative


@router.get("/docs/{path:path}", include_in_schema=False)
async def manual(context: Context, request: Request, path: str) -> Response:
    root = context.settings.root_path
    file = SITE.find(path or "index.html")
    if file is None:
        message = _NO_PAGE.format(path=escape(path[:200]), root=root) if SITE.built_at() else _NOT_BUILT
        page = _PLAIN_PAGE.format(message=message, root=root)
        return HTMLResponse(page, 404, headers={"Content-Security-Policy": _POLICY.format(hashes="")})
    return respond(request, file, "no-cache", _policy(file) if file.is_page else "")


def _policy(page: BuiltFile) -> str:
    return _POLICY.format(hashes=_hashes(page))


@lru_cache(maxsize=512)
def _hashes(page: BuiltFile) -> str:
    found = (hashlib.sha256(script).digest() for script in _INLINE_SCRIPT.findall(page.body))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in found)
