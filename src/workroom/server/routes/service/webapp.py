"""The web app: its built files, and its one page for every address that is not the interface's.

The app is built into `server/static` (`make web`; a wheel brings it along). Files are read once and kept.
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

# No other host is ever contacted and no script is ever inline. Colours come in style elements.
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
    "<p>The server runs; its web app was not built. Run <code>make web</code> in the source folder and load this page "
    "again. The interface is described at <a href='/api/docs'>/api/docs</a>.</p></html>"
)
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))


class _File(NamedTuple):
    body: bytes
    packed: dict[str, bytes]  # by encoding
    kind: str


@router.get("/{path:path}", include_in_schema=False)
async def app(request: Request, path: str) -> Response:
    if path == "api" or path.startswith("api/"):
        raise NotFound(f"There is no /{path[:200]} in the interface; /api/docs lists what there is.")
    if (file := _built(path)) is not None and path != "index.html":
        lasting = path.startswith("assets/")  # their names carry a hash of what is in them
        return _answer(request, file, "public, max-age=31536000, immutable" if lasting else "no-cache")
    if path.startswith("assets/"):
        raise NotFound("There is no such file in this version of the app. Load the page again.")
    page = _built("index.html")
    if page is None:
        return HTMLResponse(_NOT_BUILT, 503, headers={"Content-Security-Policy": _POLICY})
    return _answer(request, page, "no-cache")


def _answer(request: Request, file: _File, caching: str) -> Response:
    wanted = request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
    if file.kind.startswith("text/html"):
        headers["Content-Security-Policy"] = _POLICY
    for encoding, _ in _ENCODINGS:
        if encoding in wanted and encoding in file.packed:
            headers["Content-Encoding"] = encoding
            return Response(file.packed[encoding], media_type=file.kind, headers=headers)
    return Response(file.body, media_type=file.kind, headers=headers)


def _built(path: str) -> _File | None:
    """A file of the built app, by a name that the build wrote down: no other path reaches the file system."""
    names, age = _names()
    return _read(path, age) if path in names else None


def _names() -> tuple[frozenset[str], float]:
    """What was built, looked at again after another build."""
    try:
        age = (STATIC / "index.html").stat().st_mtime
    except OSError:
        return frozenset(), 0.0
    return _listed(age), age


@lru_cache(maxsize=1)
def _listed(age: float) -> frozenset[str]:
    files = (file.relative_to(STATIC) for file in STATIC.rglob("*") if file.is_file())
    return frozenset(str(PurePosixPath(file)) for file in files if file.suffix not in (".br", ".gz"))


@lru_cache(maxsize=512)
def _read(path: str, age: float) -> _File:
    file = STATIC / path
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    packed = {
        encoding: twin.read_bytes()
        for encoding, suffix in _ENCODINGS
        if (twin := file.with_name(file.name + suffix)).is_file()
    }
    return _File(file.read_bytes(), packed, kind)
