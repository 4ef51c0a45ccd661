"""Words of the glossary are defined in README, and linked where a page of the tutorial uses them first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
# Also words of everyday language: in these pages they are mostly used as such.
_EVERYDAY = {"action", "change", "client", "event", "function", "offer", "step", "try", "turn"}
# Code, headings, links to other pages, and the targets of links to the glossary.
_NOT_PROSE = re.compile(
    r"^```.*?^```|`[^`\n]*`|^#.*?$|\[[^]]*\]\((?!\.\./glossary)[^)]*\)|\(\.\./glossary[^)]*\)", re.MULTILINE | re.DOTALL
)


def _words() -> Iterator[tuple[str, str]]:
    """Each word, and the anchor of its section."""
    for section in (DOCS / "glossary.md").read_text().split("\n## ")[1:]:
        heading, _, rows = section.partition("\n")
        for word in re.findall(r"^\| ([a-z ]+) \|", rows, re.MULTILINE):
            if word not in _EVERYDAY | {"word"}:
                yield word, heading.lower().replace(" ", "-")


def _unlinked(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Where a word is used first without a link: from, to, the word as it is written, the anchor."""
    prose = _NOT_PROSE.sub(lambda found: " " * len(found[0]), text)
    for word, anchor in _words():
        first = re.search(rf"(?<![\w-]){word}s?(?![\w-])", prose, re.IGNORECASE)
        if first is not None and not text.startswith(f"[{first[0]}](../glossary.md#{anchor})", first.start() - 1):
            yield *first.span(), first[0], anchor


@pytest.mark.parametrize("page", sorted(DOCS.glob("tutorial/*.md")), ids=lambda page: page.stem)
def test_a_word_of_the_glossary_is_linked_where_a_page_uses_it_first(page: Path) -> None:
    assert [word for _, _, word, _ in _unlinked(page.read_text())] == []


def test_readme_defines_its_words_in_one_line_before_it_uses_them() -> None:
    text = (DOCS.parent / "README.md").read_text()
    introduction, _, _ = text.partition("\n## ")
    first_use = re.sub(r"^\*\*.*\*\*$", "", introduction, count=1, flags=re.MULTILINE)  # the title says rooms, too
    for word in ("room", "extension", "worker", "posting"):
        defined = re.search(rf"^- An? \*\*{word}\*\* is [^\n]*\.$", first_use, re.MULTILINE)
        assert defined is not None, f"no line says what a {word} is"
        assert word not in re.sub(r"!\[.*", "", first_use[: defined.start()]).replace("Workroom", "").replace(
            "workroom", ""
        )
    assert "(docs/glossary.md)" in introduction
    assert set(dict(_words())) >= {"room", "extension", "worker", "posting"}
