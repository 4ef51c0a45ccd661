"""Every block of the pages has a kind and holds: shell can be parsed, and the server takes the settings.

Shell and Python blocks run in test_shell_blocks.py and test_page_blocks.py of tests/acceptance/server/pages, except
those that these list with a reason. The `workroom` commands of all blocks are checked by test_pages.py.
"""

from __future__ import annotations

import ast
import configparser
import json
import os
import re
import subprocess
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from workroom.domain.errors import WorkroomError
from workroom.server.settings import Settings, load

ROOT = Path(__file__).parents[3]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "deploy").rglob("*.md"))]
_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^(?:[ \t]+```|~~~)", re.MULTILINE)


def test_every_block_is_of_a_known_kind_and_can_be_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    found, faults = Counter[str](), list[str]()
    for page in PAGES:
        assert not _INDENTED.search(page.read_text()), f"{page.relative_to(ROOT)}: tests do not find such a block"
        for language, text in _BLOCK.findall(page.read_text()):
            found[language] += 1
            check = _CHECKS.get(language)
            fault = f"no check of {language!r}" if check is None else check(text)
            if fault:
                faults.append(f"{page.relative_to(ROOT)}: {fault}\n{text}")
    counts = ", ".join(f"{count} {language or 'plain'}" for language, count in sorted(found.items()))
    with capsys.disabled():
        print(f"\n{sum(found.values())} blocks in {len(PAGES)} pages: {counts}")
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
    """All of them are files of settings."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("WORKROOM_")]:
            patch.delenv(name)
        (Path(folder) / "workroom.toml").write_text(text.replace("…", "chosen by the reader"))
        try:
            load({}, Path(folder))
        except WorkroomError as error:
            return str(error)
    unknown = set(tomllib.loads(text)) - set(Settings.model_fields)
    return f"no settings: {', '.join(sorted(unknown))}" if unknown else None


def _ini(text: str) -> str | None:
    parser = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    parser.read_string(text)
    if "Service" in parser and not parser["Service"].get("ExecStart", "/").startswith("/"):
        return "systemd wants the path of a program"
    return None if parser.sections() else "no section"


def _plain(text: str) -> str | None:
    """What can be run has a kind, so that a test runs it."""
    if _COMMAND.search(text):
        return "a shell block without `sh` or `console`"
    try:
        statements = ast.parse(text).body
    except SyntaxError:
        return None
    return None if all(isinstance(one, ast.Expr) for one in statements) else "a Python block without `python`"


_COMMAND = re.compile(
    r"^(\$ )?(\w+=\S+ )*(workroom|make|pip|uvx|python3?|curl|git|export|podman|systemctl) ", re.MULTILINE
)


def _accepts(read: Callable[[str], Any]) -> Callable[[str], str | None]:
    def check(text: str) -> str | None:
        read(text)
        return None

    return check


def _nothing(_: str) -> None:
    """Not checked here."""


_CHECKS: dict[str, Callable[[str], str | None]] = {
    "": _plain,  # output, pictures of folders, conditions of a selection
    "text": _nothing,  # signatures
    "sql": _nothing,  # run by the tests of the profiles
    "console": _console,
    "sh": _shell,
    "bash": _shell,
    "toml": _toml,
    "ini": _ini,
    "json": _accepts(json.loads),
    "yaml": _accepts(lambda text: list(yaml.safe_load_all(text))),
    "python": _accepts(ast.parse),
}
