"""What commands print: tables for people, lines for pipes, JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Columns = Mapping[str, Callable[[dict[str, Any]], Any]]

_COLOURS = {
    "completed": "green",
    "executing": "cyan",
    "running": "cyan",
    "idle": "green",
    "busy": "cyan",
    "failed": "red",
    "fail": "red",
    "ok": "green",
    "warn": "yellow",
    "paused": "yellow",
    "offline": "red",
    "cancelled": "dim",
    "gone": "dim",
}


def as_json(value: Any) -> None:
    """The value as JSON: indented for a person, on one line in a pipe."""
    option = orjson.OPT_INDENT_2 if sys.stdout.isatty() else 0
    print(orjson.dumps(value, option=option, default=str).decode(), flush=True)


def rows(items: Sequence[dict[str, Any]], columns: Columns, *, json: bool, empty: str = "None.") -> None:
    """A list: a table on a terminal, one line of tab-separated cells each elsewhere."""
    if json:
        as_json(items)
        return
    if not sys.stdout.isatty():
        print("\t".join(columns))
        for item in items:
            print("\t".join(said(cell(item)) for cell in columns.values()))
        return
    if not items:
        print(empty)
        return
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for item in items:
        table.add_row(*(styled(said(cell(item))) for cell in columns.values()))
    Console(soft_wrap=True).print(table)


def facts(told: Mapping[str, Any], whole: Any, *, json: bool) -> None:
    """One thing: its facts, one a line; as JSON the whole answer."""
    if json:
        as_json(whole)
        return
    width = max(len(name) for name in told)
    console = Console(soft_wrap=True, highlight=False)
    for name, fact in told.items():
        if fact is not None:
            console.print(Text(f"{name:<{width}}  "), styled(said(fact)), sep="")


def done(words: str, answer: Any, *, json: bool) -> None:
    """Something was done."""
    if json:
        as_json(answer)
    else:
        print(words, flush=True)


def said(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.1f}"
        case int():
            return f"{value:,}"
        case _:
            return str(value).replace("\t", " ").replace("\n", " ")


def styled(text: str) -> Text:
    return Text(text, style=_COLOURS.get(text, ""))


def moment(text: str | None) -> str | None:
    """A time of the server's, in this machine's zone."""
    if text is None:
        return None
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def ago(text: str | None) -> str | None:
    if text is None:
        return None
    return span((datetime.now(UTC) - datetime.fromisoformat(text)).total_seconds())


def span(seconds: float | None) -> str | None:
    """How long, in the two largest units."""
    if seconds is None:
        return None
    whole = max(0, round(seconds))
    for size, unit, smaller, small in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "m"), (60, "m", 1, "s")):
        if whole >= size:
            return f"{whole // size}{unit} {whole % size // smaller}{small}"
    return f"{seconds:.1f}s" if seconds < 10 else f"{whole}s"
