"""Every command explains itself: examples that can be typed, a meaning and a default for each option."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from workroom.cli import app
from workroom.cli.commands.serve import serve
from workroom.cli.help_examples import EXAMPLES
from workroom.server.settings import Settings

LONG_RUNNING = {
    "serve",
    "demo",
    "worker",
    "pool",
    "celery",
    "fleet slurm",
    "fleet local",
}  # they write a log, which can be JSON


def _commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    children: dict[str, Any] = getattr(command, "commands", {})
    for word, child in children.items():
        yield from _commands(child, f"{name} {word}".strip())
    if not children:
        yield name, command


COMMANDS = dict(_commands(typer.main.get_command(app)))
GROUPS = sorted({name.split()[0] for name in COMMANDS if " " in name})


def test_there_are_examples_of_exactly_the_commands_that_exist() -> None:
    assert EXAMPLES.keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples_that_can_be_typed(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).stdout
    for example in EXAMPLES[name]:
        assert example in shown
        typed = re.search(r"workroom ([^)]*)", example)  # a command may stand in $(…) or behind a pipe
        assert typed is not None
        words, own = shlex.split(typed[1]), name.split()
        if words[: len(own)] == own:
            COMMANDS[name].make_context(name, words[len(own) :])  # raises on what cannot be parsed


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_explained(name: str) -> None:
    parameters = COMMANDS[name].params
    assert [one.name for one in parameters if not getattr(one, "help", None)] == []
    if name not in LONG_RUNNING:
        assert any("--json" in one.opts for one in parameters), "a program cannot read what the command prints"


@pytest.mark.parametrize("name", ["", *GROUPS, *COMMANDS])
def test_no_name_of_a_python_type_stands_for_a_value(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).stdout
    assert re.findall(r"<(?!=)[^<>]*>", shown) == [], shown


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("worker", r"--timeout +SECONDS"),
        ("serve", r"--pool +N "),
        ("post", r"--at +TIME"),
        ("post", r"--priority +N .*\[0<=x<=10\]"),
        ("profiles top", r"--order +own\|total\|calls"),
        ("post", r"--wait +Wait for"),
        ("post", r"-h, --help +Show this"),
        ("post", r"ARGS_FILE +A json"),
    ],
)
def test_the_help_names_what_an_option_takes(name: str, line: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).stdout
    assert re.search(line, shown), shown


def test_the_defaults_that_serve_tells_are_those_of_the_settings() -> None:
    fields = Settings.model_fields
    hints = inspect.get_annotations(serve, eval_str=True)
    for option in ("host", "port", "pool", "replicas", "log_level"):
        (told,) = hints[option].__metadata__
        assert f"Default: {fields[option].default}" in told.help, option


@pytest.mark.parametrize(("words", "hint"), [("rooms lst", "list"), ("admin puase", "pause"), ("serv", "serve")])
def test_a_mistyped_command_is_told_what_may_be_meant(words: str, hint: str) -> None:
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2
    assert "Did you mean" in result.stderr and hint in result.stderr.partition("Did you mean")[2]
