"""Every block of the pages that is not Python holds: shell can be parsed, and configuration is what it says.

Shell blocks run in tests/acceptance/server/test_shell_blocks.py, except those that it lists with a reason. Their
`workroom` commands are checked by test_pages.py, and those of cli.md run in the acceptance tests of the command line.
"""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from workroom.server.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "deploy").rglob("*.md"))]
_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_block_is_of_a_known_kind_and_can_be_parsed() -> None:
    found, faults = Counter[str](), list[str]()
    for page in PAGES:
        for language, text in _BLOCK.findall(page.read_text()):
            found[language] += 1
            check = _CHECKS.get(language)
            fault = f"no check of {language!r}" if check is None else check(text)
            if fault:
                faults.append(f"{page.relative_to(ROOT)}: {fault}\n{text}")
    counts = ", ".join(f"{count} {language or 'plain'}" for language, count in sorted(found.items()))
    print(f"{sum(found.values())} blocks in {len(PAGES)} pages: {counts}")
    assert found["console"] + found["sh"] > 40 and found["python"] > 30
    assert not faults, "\n".join(faults)


def _console(text: str) -> str | None:
    """What is typed: the lines behind a prompt, with what a backslash continues; without a prompt all lines."""
    lines, typed, goes_on = text.splitlines(), list[str](), False
    if not any(line.startswith("$ ") for line in lines):
        return _shell(text)
    for line in lines:
        if goes_on or line.startswith("$ "):
            typed.append(line if goes_on else line.removeprefix("$ "))
            goes_on = line.endswith("\\")
    return _shell("\n".join(typed))


def _shell(text: str) -> str | None:
    done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
    return done.stderr or None


def _toml(text: str) -> str | None:
    values = tomllib.loads(text)
    if "# workroom.toml" in text:
        unknown = sorted(set(values) - set(Settings.model_fields))
        return f"no settings: {', '.join(unknown)}" if unknown else None
    return None


def _ini(text: str) -> str | None:
    parser = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    parser.read_string(text)
    if "Service" in parser and not parser["Service"].get("ExecStart", "/").startswith("/"):
        return "systemd wants the path of a program"
    return None if parser.sections() else "no section"


def _accepts(read: Callable[[str], Any]) -> Callable[[str], str | None]:
    def check(text: str) -> str | None:
        read(text)
        return None

    return check


def _nothing(_: str) -> None:
    """Not checked here."""


_CHECKS: dict[str, Callable[[str], str | None]] = {
    "": _nothing,  # output, and pictures of folders
    "text": _nothing,  # signatures
    "sql": _nothing,  # run by the tests of the profiles
    "console": _console,
    "sh": _shell,
    "bash": _shell,
    "toml": _toml,
    "ini": _ini,
    "json": _accepts(json.loads),
    "yaml": _accepts(lambda text: list(yaml.safe_load_all(text))),
    "python": _nothing,  # run by tests/acceptance/server/test_page_blocks.py
}
