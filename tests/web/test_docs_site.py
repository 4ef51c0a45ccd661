"""The documentation as a site: it is built without warnings, holds together, and asks no other host for anything."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import orjson
import pytest
from tests.acceptance.live import LiveServer
from tests.web.playwright_run import ROOT, PlaywrightRun, needs_chromium

FILE, TITLE = "docs.spec.ts", "the documentation and the API explorer work in a browser, without other hosts"
SITE = ROOT / "src/workroom/server/docs_site"
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make docs` builds, unpacked."""
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert built.returncode == 0 and "WARNING" not in built.stderr, built.stderr
    unpacked = tmp_path_factory.mktemp("site") / "docs"
    shutil.copytree(SITE, unpacked)
    for file in unpacked.rglob("*.gz"):
        file.with_suffix("").write_bytes(gzip.decompress(file.read_bytes()))
    return unpacked


class _References(HTMLParser):
    """The links and the loaded addresses of a page, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values["id"]} if "id" in values else set()
        (self.links if tag == "a" else self.loads).extend(values[name] for name in ("href", "src") if name in values)


def test_every_page_is_there_and_searched(site: Path) -> None:
    sources = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    pages = {"index.html" if str(page) == "README.md" else str(page.with_suffix(".html")) for page in sources}
    assert len(pages) > 70 and [page for page in sorted(pages) if not (site / page).is_file()] == []
    searched = {entry["location"] for entry in orjson.loads((site / "search/search_index.json").read_bytes())["docs"]}
    assert pages <= searched
    navigation = _References(site / "index.html").links
    assert [page for page in sorted(pages - {"index.html"}) if page not in navigation] == []


def test_every_link_of_the_site_holds_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = {page: _References(page) for page in site.rglob("*.html")}
    checked, explorers, faults = 0, 0, list[str]()
    for page, found in pages.items():
        faults += [f"{page.name} loads {address}" for address in found.loads if re.match(r"(\w+:)?//", address)]
        for address in [*found.links, *found.loads]:
            if re.match(r"\w+:|//", address):
                continue
            checked += 1
            path, _, anchor = address.partition("#")
            target = (page.parent / path).resolve() if path else page
            if target == site.parent / "api/docs":  # a page of the server
                explorers += 1
                continue
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                faults.append(f"{page.relative_to(site)}: {address}")
    print(f"{checked} links in {len(pages)} pages")
    assert checked > 5_000 and explorers > 1 and faults == []
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(\w+:)?//", style.read_text()), style.name


@needs_chromium
@pytest.mark.skipif(not (ROOT / "web/node_modules").is_dir(), reason="the web app was not built: `make web`")
def test_the_site_and_the_explorer_work_in_a_browser(site: Path, tmp_path: Path) -> None:
    live = LiveServer().start()
    run = PlaywrightRun(live, tmp_path, {FILE})
    try:
        scenario = run.scenario(FILE, TITLE)
    finally:
        run.stop()
        live.remove()
    assert scenario["status"] == "passed", scenario["report"]
