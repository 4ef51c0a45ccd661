"""README and docs: every link leads somewhere, every command can be typed, and every option exists."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer

from workroom.cli import app
from workroom.cli.root_group import looks_like_a_file

ROOT = Path(__file__).parents[3]
FOLDERS = ("docs", "deploy", "bench/peers")
PAGES = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "web/README.md",
    *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md"))),
]
_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


def _text(page: Path) -> str:
    """Without blocks of code."""
    return _BLOCK.sub("", page.read_text())


def _anchors(page: Path) -> set[str]:
    """The anchors of the headings, as GitHub and the built site make them: a repeated heading gets a number."""
    found = Counter[str]()
    anchors = set[str]()
    for heading in re.findall(r"^#+ (.*)$", _text(page), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)).lower().replace(" ", "-")
        anchors.add(f"{plain}-{found[plain]}" if found[plain] else plain)
        found[plain] += 1
    return anchors


def _links(page: Path) -> Iterator[str]:
    """The targets of links and pictures, without those in code."""
    text = _CODE.sub("``", _text(page))
    assert not re.search(r"^\[[^]]+\]:|<a |<img |\]\[[^]]*\]|\]\([^)]*\s", text, re.MULTILINE), (
        f"{page}: another kind of link"
    )
    yield from re.findall(r"\]\(([^)]*)\)", text)
    yield from re.findall(r"<([a-z]+:[^>]*)>", text)


def _fault_outside(target: str) -> str | None:
    """Only whether it can be an address: tests need no network."""
    parts = urlsplit(target)
    if parts.scheme == "mailto":
        return None if re.fullmatch(r"[^@\s]+@[\w.-]+\.\w+", parts.path) else "no address"
    return None if parts.scheme == "https" and re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc) else "no https address"


def _fault_inside(target: str, page: Path) -> str | None:
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.is_relative_to(ROOT) or not file.exists():
        return "no such file"
    if file.is_file() and not _is_kept(file):
        return "not in the repository"
    if anchor and (file.suffix != ".md" or anchor not in _anchors(file)):
        return "no such heading"
    return None


@functools.cache
def _kept() -> frozenset[str]:
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    return frozenset(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"))


def _is_kept(file: Path) -> bool:
    """A link to a file that a build has made leads nowhere in a clone. A copy without git has no list."""
    return not (ROOT / ".git").exists() or str(file.relative_to(ROOT)) in _kept()


def test_every_link_leads_somewhere(capsys: pytest.CaptureFixture[str]) -> None:
    inside, outside, faults = 0, 0, list[str]()
    for page in PAGES:
        for target in _links(page):
            if re.match(r"[a-z]+:", target):
                outside += 1
                fault = _fault_outside(target)
            else:
                inside += 1
                fault = _fault_inside(target, page)
            if fault:
                faults.append(f"{page.relative_to(ROOT)}: {target}: {fault}")
    with capsys.disabled():
        print(f"\n{inside} links within and {outside} to other hosts in {len(PAGES)} pages")
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/README.md"} <= {
        str(page.relative_to(ROOT)) for page in PAGES
    }
    assert inside > 100 and faults == []


def test_a_link_to_nothing_is_found() -> None:
    page = ROOT / "README.md"
    assert _fault_inside("docs/glossary.md#jobs", page) is None
    assert _fault_inside("docs/none.md", page) and _fault_inside("docs/glossary.md#none", page)
    assert _fault_inside("../elsewhere", page) and _fault_inside("#none", page)
    assert _fault_outside("https://workroom.example.org/a?b=c") is None
    assert _fault_outside("https:/one-slash.org") and _fault_outside("http://example.org")


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for word, child in getattr(command, "commands", {}).items():
        yield from _commands(child, (*words, word))


COMMANDS = dict(_commands(typer.main.get_command(app)))


def _typed(page: Path) -> Iterator[str]:
    """The lines of a page that call `workroom`, without prompts, comments, variables and what comes before a pipe."""
    for language, block in _BLOCK.findall(page.read_text()):
        if language in ("console", "sh", "bash", "ini"):
            text = block.replace("'", "") if language == "ini" else block  # of `sh -c`
            for line in re.sub(r"\$\(date[^)]*\)", "today", text.replace("\\\n", " ")).splitlines():
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


# Programs whose options are not ours, where a page names one with its option.
_OTHER_PROGRAMS = ("dask", "journalctl", "npm", "pdoflow", "scancel", "systemctl", "useradd", "zndraw", "python")
# Options of other programs that pages name alone.
_OTHER_OPTIONS = {
    "docs/howto/celery.md": {"--loglevel", "--max-tasks-per-child", "--autoscale"},  # celery worker
    "docs/howto/slurm.md": {"--cpus-per-task", "--gpus", "--mem", "--partition"},  # sbatch
    "docs/reference/bench.md": {"--quick"},  # python -m bench
}
# The command whose options a table lists in its first column.
_TABLES = {"docs/howto/run_a_worker.md": ("worker",), "docs/howto/slurm.md": ("fleet", "slurm")}
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def _options(command: Any) -> set[str]:
    """Of a group those of its commands, too."""
    named = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    children: dict[str, Any] = getattr(command, "commands", {})
    return named.union({"--help"}, *map(_options, children.values()))


EVERY_OPTION = {option for command in COMMANDS.values() for option in _options(command)}


def _fault_of_code(code: str, page: str) -> str | None:
    """Why a piece of code in the text names a command or an option that does not exist."""
    words = code.split()
    options = set(_OPTION.findall(code)) - _OTHER_OPTIONS.get(page, set())
    if words[0] in _OTHER_PROGRAMS:
        return None
    if words[0] != "workroom":
        return f"no option {', '.join(sorted(options - EVERY_OPTION))}" if options - EVERY_OPTION else None
    name = max((known for known in COMMANDS if tuple(words[1 : 1 + len(known)]) == known), key=len)
    rest = words[1 + len(name) :]
    if hasattr(COMMANDS[name], "commands") and rest and re.fullmatch(r"[a-z-]+", rest[0]) and rest[0][0] != "-":
        return f"no command {rest[0]}"
    wrong = options - _options(COMMANDS[name]) - (EVERY_OPTION if rest[:1] == ["…"] else set())
    return f"no option {', '.join(sorted(wrong))} of {' '.join(name) or 'workroom'}" if wrong else None


def test_every_command_and_option_in_the_text_of_a_page_exists(capsys: pytest.CaptureFixture[str]) -> None:
    checked, faults = 0, list[str]()
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        for code in _CODE.findall(_text(page)):
            if code.split()[:1] == ["workroom"] or _OPTION.search(code):
                checked += 1
                if fault := _fault_of_code(code, name):
                    faults.append(f"{name}: `{code}`: {fault}")
    for page, command in _TABLES.items():
        for code in re.findall(r"^\| (`-.*?`) \|", (ROOT / page).read_text(), re.MULTILINE):
            if wrong := set(_OPTION.findall(code)) - _options(COMMANDS[command]):
                faults.append(f"{page}: {' '.join(command)} has no {', '.join(sorted(wrong))}")
    with capsys.disabled():
        print(f"\n{checked} commands and options in the text of {len(PAGES)} pages")
    assert checked > 200 and not faults, "\n".join(faults)


def test_a_command_that_does_not_exist_is_found() -> None:
    assert _fault_of_code("workroom serve --pool 0", "") is None
    assert _fault_of_code("workroom serve --pools 0", "") == "no option --pools of serve"
    assert _fault_of_code("workroom jobs list --tries 3", "") == "no option --tries of jobs list"
    assert _fault_of_code("workroom admin fly", "") == "no command fly"
    assert _fault_of_code("--no-such", "") == "no option --no-such"
