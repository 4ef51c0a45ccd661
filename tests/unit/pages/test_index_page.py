"""The page of the project on a package index: no link of it leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

from hatch_metadata import index_page

README = (Path(__file__).parents[3] / "README.md").read_text()
RELATIVE = re.compile(r"\]\((?!\w+:|#)[^)]+\)")


def test_without_a_public_address_the_index_page_has_no_relative_link_and_no_picture() -> None:
    page = index_page(README, None, "v1.0")
    assert RELATIVE.search(README) and not RELATIVE.search(page)
    assert "![" not in page and "your first extension" in page and "\n\n## Install" in page


def test_with_a_public_address_links_and_pictures_lead_to_the_source() -> None:
    source = "https://code.example.org/lab/workroom"
    page = index_page(README, source, "v1.0")
    assert not RELATIVE.search(page)
    assert f"({source}/raw/v1.0/docs/images/room-light.png)" in page
    assert f"[your first extension]({source}/blob/v1.0/docs/tutorial/first_extension.md)" in page
