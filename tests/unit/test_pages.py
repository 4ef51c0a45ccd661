"""README and docs: every link leads somewhere, and every command can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from workroom.cli import app
from workroom.cli.root_group import looks_like_a_file

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "deploy").rglob("*.md"))]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _text(page: Path) -> str:
    """Without blocks of code."""
    return _BLOCK.sub("", page.read_text())


def _anchors(page: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", _text(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)) for heading in headings)
    return {heading.lower().replace(" ", "-") for heading in plain}


def test_every_link_leads_somewhere() -> None:
    checked, dead = 0, list[str]()
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", _text(page)):
            if re.match(r"[a-z]+:", target):
                continue
            checked += 1
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    print(f"{checked} links in {len(PAGES)} pages")
    assert checked > 100 and dead == []


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for word, child in getattr(command, "commands", {}).items():
        yield from _commands(child, (*words, word))


COMMANDS = dict(_commands(typer.main.get_command(app)))


def _typed(page: Path) -> Iterator[str]:
    """The lines of a page that call `workroom`, without prompts, comments, variables and what comes before a pipe."""
    for language, block in _BLOCK.findall(page.read_text()):
        if language in ("console", "sh", "bash"):
            for line in block.replace("\\\n", " ").splitlines():
                found = re.search(r"(?:^|[\s(|/])workroom (?![a-z]*:|workroom)([^|)&>#]*)", line.removeprefix("$ "))
                if found and not line.startswith(("Worker", "Opened", "#")):
                    yield found[1].strip()


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_command_of_a_page_can_be_typed(page: Path) -> None:
    for line in _typed(page):
        words = shlex.split(line.replace("…", ""))
        if not words or "--help" in words:
            continue
        if words[0] not in COMMANDS[()].commands:
            assert looks_like_a_file(words[0]) or words[0].startswith("-"), line
            continue
        name = max((known for known in COMMANDS if tuple(words[: len(known)]) == known), key=len)
        try:
            COMMANDS[name].make_context(" ".join(name), words[len(name) :])
        except Exception as error:  # typer's own kinds
            raise AssertionError(f"workroom {line}: {error}") from error
