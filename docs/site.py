"""Hooks of MkDocs for the site that `make docs` builds.

The site contains all pages of `docs/` and those of the project's top folder. Text files are kept compressed alone, as
the server sends them.
"""

from __future__ import annotations

import gzip
import posixpath
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
# Pages outside of `docs/`, by their path in the site.
PROJECT_PAGES = {f"project/{name}": name for name in ("CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md")}
_SECTIONS = {
    "tutorial": "Tutorials",
    "howto": "How-to",
    "reference": "Reference",
    "explanation": "Explanation",
    "decisions": "Decisions",
}
_LINK = re.compile(r"(\]\()(?!\w+:|#|/)([^)#\s]+)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages that the navigation does not list to the section of their folder."""
    navigation: list[dict[str, Any]] = cast(Any, config).nav
    listed = set(_pages(navigation))
    sections: dict[str, Any] = {title: pages for entry in navigation for title, pages in entry.items()}
    for folder, title in _SECTIONS.items():
        found = sorted(f"{folder}/{page.name}" for page in (ROOT / "docs" / folder).glob("*.md"))
        sections[title].extend(page for page in found if page not in listed)
    return config


def _pages(entry: Any) -> Iterator[str]:
    """The pages of a navigation, which nests lists and mappings of titles."""
    if isinstance(entry, str):
        yield entry
        return
    parts: Iterable[Any] = cast(Any, entry).values() if isinstance(entry, dict) else entry
    for part in parts:
        yield from _pages(part)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and the icon that are outside of `docs/`."""
    for address, name in PROJECT_PAGES.items():
        files.append(File.generated(config, address, content=(ROOT / name).read_text()))
    files.append(File.generated(config, "images/icon.svg", abs_src_path=str(ROOT / "web/public/icon.svg")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Let links between `docs/` and the top folder lead to the same pages in the site."""
    source = PROJECT_PAGES.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return _LINK.sub(lambda link: link[1] + site_link(link[2], source, page.file.src_uri), markdown)


def site_link(target: str, source: str, address: str) -> str:
    """A link of the file `source` of the repository, as it is at `address` in the site."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    in_site = {name: address for address, name in PROJECT_PAGES.items()}.get(path, path.removeprefix("docs/"))
    if in_site == path or (path.startswith("docs/") and source.startswith("docs/")):
        return target
    return posixpath.relpath(in_site, posixpath.dirname(address))


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """Lead to the explorer of the server that serves the page."""
    top = "../" * (page.file.dest_uri.count("/") + 1)
    explorer = "<code>/api/docs</code>"
    return html.replace(explorer, f'<a href="{top}api/docs">{explorer}</a>')


def on_post_build(config: MkDocsConfig) -> None:
    """Remove what the server does not serve, and compress the rest. The search is in English alone.

    The start page stays as it is too: its time is that of the build.
    """
    site = Path(config.site_dir)
    for unused in (site / "404.html", site / "sitemap.xml", site / "sitemap.xml.gz", *site.rglob("*.map")):
        unused.unlink(missing_ok=True)
    shutil.rmtree(site / "assets/javascripts/lunr", ignore_errors=True)
    for file in [file for file in site.rglob("*") if file.suffix in (".html", ".css", ".js", ".json", ".svg")]:
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        if file != site / "index.html":
            file.unlink()
