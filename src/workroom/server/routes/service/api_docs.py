"""The API documentation: the explorer that is built with the web app.

Without a build it is one page rendered from the OpenAPI document. Neither contacts other hosts.
"""

from __future__ import annotations

from html import escape
from typing import Any

import orjson
from fastapi import Request
from starlette.responses import HTMLResponse, Response

from workroom.server.context import Context
from workroom.server.http.static_files import respond
from workroom.server.http.strict_json import make_router
from workroom.server.routes.service.webapp import POLICY, built_page

router = make_router(tag="health")

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{background:#f4f4f4;padding:1rem;overflow:auto}
summary{cursor:pointer;padding:.3rem 0}.m{display:inline-block;min-width:4.5rem;font-weight:600}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#2a2a2a}}
"""


@router.get("/api/docs", response_class=HTMLResponse, include_in_schema=False)
async def docs(context: Context, request: Request) -> Response:
    explorer = built_page("explorer.html", context.settings.root_path)
    return _plain_page(request) if explorer is None else respond(request, explorer, "no-cache", POLICY)


def _plain_page(request: Request) -> HTMLResponse:
    document: dict[str, Any] = request.app.openapi()
    tags: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            tags.setdefault(operation.get("tags", ["other"])[0], []).append(_operation(method, path, operation))
    sections = "".join(f"<h2>{escape(tag)}</h2>{''.join(items)}" for tag, items in tags.items())
    schemas = escape(orjson.dumps(document["components"]["schemas"], option=orjson.OPT_INDENT_2).decode())
    page = (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Workroom API</title><style>{_STYLE}</style>"
        f"<h1>Workroom API</h1><p>{escape(document['info']['description'])} "
        f"The OpenAPI document: <a href='openapi.json'>openapi.json</a>.</p>{sections}"
        f"<h2>Schemas</h2><details><summary>All schemas, as JSON</summary><pre>{schemas}</pre></details></html>"
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"})


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    body = orjson.dumps(
        {key: operation[key] for key in ("parameters", "requestBody", "responses") if key in operation},
        option=orjson.OPT_INDENT_2,
    ).decode()
    return (
        f"<details><summary><span class='m'>{escape(method.upper())}</span> <code>{escape(path)}</code> "
        f"{escape(operation.get('summary', ''))}</summary>"
        f"<p>{escape(operation.get('description', ''))}</p><pre>{escape(body)}</pre></details>"
    )
