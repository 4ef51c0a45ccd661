"""Writes the reference pages that are made from the code: `make docs`. A test fails when one is out of date."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from docs.render_metrics import metrics
from docs.render_peers import BusyMachineError, chart, peers
from docs.render_python import python

from workroom.atoms import BUILT_IN
from workroom.cli import app
from workroom.cli.help_examples import EXAMPLES
from workroom.client.extension import identity, schema_of
from workroom.domain.errors import all_errors
from workroom.server.settings import Settings

REFERENCE = Path(__file__).parent / "reference"


def settings() -> str:
    lines = [
        "# Settings",
        "",
        "Each is set by a variable `WORKROOM_<NAME>` or in `workroom.toml` in the data folder (or the file that",
        "`WORKROOM_CONFIG` names); those with a flag also by the flag of `workroom serve`. A flag counts before a",
        "variable, a variable before the file. `workroom config show` tells each value and where it comes from.",
        "",
        "| setting | flag | default | unit | meaning |",
        "| --- | --- | --- | --- | --- |",
    ]
    flags = _flags()
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        shown = "" if default in (None, [], "") else f"`{default}`"
        flag = f"`{flags[name]}`" if name in flags else ""
        lines.append(f"| `{name}` | {flag} | {shown} | {unit_of(name, field.annotation)} | {field.description} |")
    return "\n".join(lines) + "\n"


def _flags() -> dict[str, str]:
    """The flags of `workroom serve`, by the setting that each sets."""
    command: Any = typer.main.get_command(app)
    options = [one.opts[0] for one in command.commands["serve"].params]
    return {flag.removeprefix("--").replace("-", "_"): flag for flag in options}


def unit_of(name: str, kind: Any) -> str:
    """The unit of a number, which its name ends with; a number without one counts something."""
    if kind not in (int, float):
        return ""
    return next((unit for end, unit in _UNITS.items() if name.endswith(end)), "")


_UNITS = {
    "bytes_per_second": "bytes/s",
    "per_minute": "per minute",
    "seconds": "s",
    "days": "days",
    "bytes": "bytes",
    "bytes_total": "bytes",
    "_mb": "MB",
    "percent": "%",
}


def errors() -> str:
    lines = [
        "# Errors",
        "",
        "Every error is an RFC 9457 problem document (`application/problem+json`) with a stable `code`; the client",
        "in Python raises the class again. Further facts stand beside: `errors` (path and message of each),",
        "`currentHash`, `retryAfter` and so on.",
        "",
        "| code | HTTP | class | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for error in all_errors():
        meaning = (error.__doc__ or "").strip().splitlines()[0]
        lines.append(f"| `{error.code}` | {error.status} | `{error.__name__}` | {meaning} |")
    lines += [
        "",
        "Besides: `invalid_request` (422, a request whose shape is wrong; `errors` names each field) and",
        "`method_not_allowed` (405).",
    ]
    return "\n".join(lines) + "\n"


def extensions() -> str:
    lines = [
        "# Built-in extensions",
        "",
        "They run in the server's pool (`workroom serve --pool N`), or wherever `workroom pool --built-in` runs. Each",
        "can be run from its form, by REST, and from Python: `room.run(Relax(fmax=0.01))` after",
        '`from workroom.atoms import Relax`, or by name: `room.run("modifiers/Relax", fmax=0.01)`.',
        "",
        "A modifier works on the selected atoms of the frame that is shown, or on all when nothing is selected; its",
        "result becomes the last frame, and is shown. With `all` it edits every frame where it is. Selections change",
        "what is selected. Analysis looks at the selected frames, or at all, and draws a figure whose points lead to",
        "their frames or atoms.",
    ]
    category = ""
    for extension in BUILT_IN:
        group, name = identity(extension)
        if group != category:
            category = group
            lines += ["", f"## {category}"]
        lines += ["", f"### {name}", "", " ".join((extension.__doc__ or "").split())]
        fields = schema_of(extension)["properties"]
        if fields:
            lines += ["", "| parameter | default | meaning |", "| --- | --- | --- |"]
        for parameter, told in fields.items():
            default = told.get("default", "…")
            shown = "" if default is None else f"`{default}`"
            lines.append(f"| `{parameter}` | {shown} | {_meaning(told)} |")
    return "\n".join(lines) + "\n"


def _meaning(told: dict[str, Any]) -> str:
    """A parameter's description, its unit, its choices and its range."""
    kinds = [told, *told.get("anyOf", [])]
    words = [str(told["description"])]
    if "unit" in told:
        words.append(f"In {told['unit']}.")
    choices = [f"`{choice}`" for kind in kinds for choice in kind.get("enum", [])]
    if choices:
        words.append(f"One of {', '.join(choices)}.")
    bounds = {word: kind[key] for kind in kinds for key, word in _BOUNDS.items() if key in kind}
    if bounds:
        said = ", ".join(f"{word} {value:,}" for word, value in bounds.items())
        words.append(f"{said.capitalize()}.")
    return " ".join(words).replace("|", "/")


_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}


def commands() -> str:
    lines = [
        "# Commands",
        "",
        "`workroom COMMAND --help` says the same. Commands that talk to a server take `--url` (or `WORKROOM_URL`; the",
        "local server without, else that of the last login), `--user` and `--password`, or `--token`. Without them",
        "they use the login that `workroom login` has kept. On the server's own machine they sign in by themselves: as",
        "the admin where its password can be read, as you when something is made or posted. Lists are tables on a",
        "terminal, tab-separated lines in a pipe, and JSON with `--json`. A password that is needed and missing is",
        "asked for on a terminal. A command ends with 0, with 1 when something",
        "went wrong (the message names the fix), with 2 for an unknown command or option, or a missing argument.",
    ]
    lines += _command(typer.main.get_command(app), "workroom")
    return "\n".join(lines) + "\n"


def _command(command: Any, name: str) -> Iterator[str]:
    children: dict[str, Any] = getattr(command, "commands", {})
    if children:
        for word, child in children.items():
            yield from _command(child, f"{name} {word}")
        return
    shown = [one for one in command.params if one.name not in _EVERYWHERE and not getattr(one, "hidden", False)]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    options = [one for one in shown if one.param_type_name == "option"]
    words = " ".join(_metavar(one) for one in arguments)
    yield from ["", f"## `{f'{name} {words}'.strip()}`", "", inspect.cleandoc(command.help or "")]
    rows = [(_metavar(one), one.help) for one in arguments] + [(", ".join(one.opts), one.help) for one in options]
    if rows:
        yield from ["", "| | |", "| --- | --- |", *(f"| `{what}` | {told or ''} |" for what, told in rows)]
    yield from ["", "```console", *(f"$ {line}" for line in EXAMPLES[name.removeprefix("workroom ")]), "```"]


def _metavar(argument: Any) -> str:
    return argument.metavar or argument.name.upper()


# Of every command that talks to a server; told once, at the top.
_EVERYWHERE = {"url", "user", "password", "token", "help"}


PAGES = {
    "settings.md": settings,
    "errors.md": errors,
    "extensions.md": extensions,
    "cli.md": commands,
    "python.md": python,
    "metrics.md": metrics,
    "peers.md": peers,
    "peers.svg": chart,
}

if __name__ == "__main__":
    for name, render in PAGES.items():
        try:
            (REFERENCE / name).write_text(render())
        except BusyMachineError as error:
            sys.exit(str(error))
