"""The web app: its built files, and `index.html` for every path outside the API.

`make web` builds the app into `server/static`; a wheel contains it. The addresses in its pages are completed with the
path below which the server is reached.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from workroom.domain.errors import NotFound
from workroom.server.context import Context
from workroom.server.http.static_files import BuiltFile, BuiltFolder, respond
from workroom.server.http.strict_json import make_router

router = make_router(tag="app")
APP = BuiltFolder(Path(__file__).parents[2] / "static")

# The app contacts no other host and has no inline scripts. The UI library sets colours in style elements.
POLICY = "; ".join(
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


@lru_cache(maxsize=4)
def framed_by(sites: tuple[str, ...]) -> str:
    """The policy of the app's pages, which only these sites may show in a frame."""
    return POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(sites)}") if sites else POLICY


_NOT_BUILT = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><title>Workroom</title><h1>Workroom</h1>"
    "<p>The server runs, but its web app is not built. Run <code>make web</code> in the source folder and reload this "
    "page. The API is documented at <a href='{root}/api/docs'>/api/docs</a>.</p></html>"
)


@router.get("/{path:path}", include_in_schema=False)
async def app(context: Context, request: Request, path: str) -> Response:
    if path == "api" or path.startswith("api/"):
        raise NotFound(f"There is no /{path[:200]} in the API. /api/docs lists all routes.")
    if (file := APP.find(path)) is not None and not file.is_page:
        is_hashed = path.startswith("assets/")  # the build puts a content hash into these names
        return respond(request, file, "public, max-age=31536000, immutable" if is_hashed else "no-cache", POLICY)
    if path.startswith("assets/"):
        raise NotFound("There is no such file in this version of the app. Reload the page.")
    root = context.settings.root_path
    page = built_page("index.html", root)
    if page is None:
        return HTMLResponse(_NOT_BUILT.format(root=root), 503, headers={"Content-Security-Policy": POLICY})
    return respond(request, page, "no-cache", framed_by(tuple(context.settings.frame_ancestors)))


def built_page(name: str, root: str) -> BuiltFile | None:
    """A page of the build, with the path below which the server is reached."""
    page = APP.find(name)
    return None if page is None else _complete(page, root)


@lru_cache(maxsize=4)
def _complete(page: BuiltFile, root: str) -> BuiltFile:
    """Addresses become absolute: a page deep in the app would complete relative ones wrongly."""
    text = (
        page.body.decode()
        .replace('="./', f'="{root}/')
        .replace('name="workroom-root" content=""', f'name="workroom-root" content="{root}"')
    )
    return page._replace(content=text.encode(), is_packed=False)
