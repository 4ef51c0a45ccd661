"""The web app: its built files, and `index.html` for every path outside the API.

`make web` builds the app into `server/static`; a wheel contains it. Files are read once and cached.
"""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from workroom.domain.errors import NotFound
from workroom.server.http.strict_json import make_router

router = make_router(tag="app")
STATIC = Path(__file__).parents[2] / "static"

# The app contacts no other host and has no inline scripts. The UI library sets colours in style elements.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_NOT_BUILT = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><title>Workroom</title><h1>Workroom</h1>"
    "<p>The server runs, but its web app is not built. Run <code>make web</code> in the source folder and reload this "
    "page. The API is documented at <a href='/api/docs'>/api/docs</a>.</p></html>"
)
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))


class _File(NamedTuple):
    body: bytes
    compressed: dict[str, bytes]  # by content encoding
    media_type: str


@router.get("/{path:path}", include_in_schema=False)
async def app(request: Request, path: str) -> Response:
    if path == "api" or path.startswith("api/"):
        raise NotFound(f"There is no /{path[:200]} in the API. /api/docs lists all routes.")
    if (file := _find_file(path)) is not None and path != "index.html":
        is_hashed = path.startswith("assets/")  # the build puts a content hash into these names
        return _respond(request, file, "public, max-age=31536000, immutable" if is_hashed else "no-cache")
    if path.startswith("assets/"):
        raise NotFound("There is no such file in this version of the app. Reload the page.")
    page = _find_file("index.html")
    if page is None:
        return HTMLResponse(_NOT_BUILT, 503, headers={"Content-Security-Policy": _POLICY})
    return _respond(request, page, "no-cache")


def _respond(request: Request, file: _File, cache_control: str) -> Response:
    accepted = request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": cache_control, "Vary": "Accept-Encoding"}
    if file.media_type.startswith("text/html"):
        headers["Content-Security-Policy"] = _POLICY
    for encoding, _ in _ENCODINGS:
        if encoding in accepted and encoding in file.compressed:
            headers["Content-Encoding"] = encoding
            return Response(file.compressed[encoding], media_type=file.media_type, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)


def _find_file(path: str) -> _File | None:
    """A file of the built app. Only listed names are read: a request path never reaches the file system."""
    names, built_at = _list_files()
    return _read(path, built_at) if path in names else None


def _list_files() -> tuple[frozenset[str], float]:
    """The files of the build, listed again after each build."""
    try:
        built_at = (STATIC / "index.html").stat().st_mtime
    except OSError:
        return frozenset(), 0.0
    return _list_build(built_at), built_at


@lru_cache(maxsize=1)
def _list_build(built_at: float) -> frozenset[str]:
    files = (file.relative_to(STATIC) for file in STATIC.rglob("*") if file.is_file())
    return frozenset(str(PurePosixPath(file)) for file in files if file.suffix not in (".br", ".gz"))


@lru_cache(maxsize=512)
def _read(path: str, built_at: float) -> _File:
    file = STATIC / path
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    compressed = {
        encoding: variant.read_bytes()
        for encoding, suffix in _ENCODINGS
        if (variant := file.with_name(file.name + suffix)).is_file()
    }
    return _File(file.read_bytes(), compressed, media_type)
