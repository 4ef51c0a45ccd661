"""The documentation at /docs: served from a built site, and explained where there is none."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest

from workroom.server.app import create_rest_app
from workroom.server.http.static_files import BuiltFolder
from workroom.server.routes.service import api_docs, docs_site, webapp

SCRIPT = "document.title='a'"
PAGE = f"<!doctype html><script>{SCRIPT}</script><script src='a.js'></script><p>Backup</p>"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(docs_site, "SITE", BuiltFolder(tmp_path))
    return tmp_path


@pytest.fixture
async def http() -> AsyncGenerator[httpx2.AsyncClient]:
    app = create_rest_app()
    app.state.context = SimpleNamespace(settings=SimpleNamespace(root_path="/lab", frame_ancestors=[]))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://server") as client:
        yield client


def _write(site: Path) -> None:
    (site / "search").mkdir()
    (site / "howto").mkdir()
    for name, content in {"index.html": PAGE, "howto/backup.html": PAGE, "search/search_index.json": "{}"}.items():
        (site / f"{name}.gz").write_bytes(gzip.compress(content.encode()))
    (site / "index.html").write_text(PAGE)


async def test_a_built_site_is_served_with_a_policy_that_names_its_inline_scripts(
    site: Path, http: httpx2.AsyncClient
) -> None:
    _write(site)
    assert (await http.get("/docs")).headers["location"] == "/lab/docs/"
    page = await http.get("/docs/howto/backup.html")
    assert page.status_code == 200 and page.text == PAGE
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy and "default-src 'none'" in policy
    index = await http.get("/docs/search/search_index.json")
    assert index.headers["content-type"] == "application/json" and "content-security-policy" not in index.headers
    start = await http.get("/docs/")
    assert start.headers["content-encoding"] == "gzip" and start.text == PAGE


async def test_a_client_without_gzip_gets_the_file_unpacked(site: Path, http: httpx2.AsyncClient) -> None:
    _write(site)
    page = await http.get("/docs/howto/backup.html", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in page.headers and page.text == PAGE
    assert page.headers["vary"] == "Accept-Encoding"


async def test_a_missing_page_and_a_missing_site_say_what_to_do(site: Path, http: httpx2.AsyncClient) -> None:
    (site.parent / "secret.html").write_text("secret")
    not_built = await http.get("/docs/")
    assert not_built.status_code == 404 and "make docs" in not_built.text and "/lab/api/docs" in not_built.text
    _write(site)
    for path in ("no.html", "%2e%2e/secret.html", "index.html.gz", "<script>alert(1)</script>"):
        missing = await http.get(f"/docs/{path}")
        assert missing.status_code == 404 and "/lab/docs/" in missing.text and "<script>" not in missing.text
        assert missing.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self' ;")


async def test_the_api_page_is_the_explorer_of_the_app_or_a_plain_page(
    tmp_path: Path, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webapp, "APP", BuiltFolder(tmp_path))
    plain = await http.get("/api/docs")
    assert plain.status_code == 200 and "/api/rooms/{room}" in plain.text and "<script" not in plain.text
    (tmp_path / "index.html").write_text("app")
    (tmp_path / "explorer.html").write_text(
        '<meta name="workroom-root" content=""><script src="./assets/e.js"></script>'
    )
    explorer = await http.get("/api/docs")
    assert '<script src="/lab/assets/e.js">' in explorer.text and 'content="/lab"' in explorer.text
    assert explorer.headers["content-security-policy"] == api_docs.POLICY and "unsafe-eval" not in api_docs.POLICY
    assert (await http.get("/explorer.html")).text == "app"  # an address of the app
