"""Output of commands: tables on a terminal, tab-separated lines in a pipe, JSON on request."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, cast

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text


class LogFormat(StrEnum):
    """How a log is written."""

    TEXT = "text"
    JSON = "json"


JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="Maximum number of rows.")]
LogFormatOption = Annotated[
    LogFormat | None,
    typer.Option(
        envvar="WORKROOM_LOG_FORMAT", help="text or json. Default: text on a terminal, JSON in a pipe or journal."
    ),
]
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


def print_json(value: Any) -> None:
    """Print JSON: indented on a terminal, one line in a pipe."""
    option = orjson.OPT_INDENT_2 if sys.stdout.isatty() else 0
    print(orjson.dumps(with_id(value), option=option, default=str).decode(), flush=True)


def with_id(value: Any) -> Any:
    """The same with `id` as the first field of every job and posting, as workers, rooms and accounts have it."""
    if isinstance(value, list):
        return [with_id(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    own = next((fields[name] for name in _IDS if name in fields), None)
    return fields if own is None or "id" in fields else {"id": own, **fields}


_IDS = ("jobId", "postingId", "workerId")  # a job also names its posting and its worker


def print_rows(items: Sequence[dict[str, Any]], columns: Columns, *, json: bool, empty: str = "None.") -> None:
    """Print a list: a table on a terminal, tab-separated lines in a pipe."""
    if json:
        print_json(items)
        return
    if not sys.stdout.isatty():
        print("\t".join(columns))
        for item in items:
            print("\t".join(formatted(cell(item), for_people=False) for cell in columns.values()))
        return
    if not items:
        print(empty)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    *others, last = columns
    for name in others:  # only the last column may be folded: an id that is cut off cannot be used
        table.add_column(name, no_wrap=True)
    table.add_column(last, overflow="fold", min_width=20)
    for item in items:
        table.add_row(*(styled(formatted(cell(item))) for cell in columns.values()))
    console = Console(soft_wrap=True)
    needed = Console(width=10_000).measure(table)
    if needed.minimum > console.width:  # it continues on the next line of the terminal: nothing of it is cut off
        console.width = needed.maximum
    console.print(table)


def print_fields(fields: Mapping[str, Any], whole: Any, *, json: bool) -> None:
    """Print one object: a line for each field, in a pipe its name, a tab and the value; as JSON the whole response."""
    if json:
        print_json(whole)
        return
    if not sys.stdout.isatty():
        for name, value in fields.items():
            if value is not None:
                print(f"{name}\t{formatted(value, for_people=False)}")
        return
    width = max(len(name) for name in fields)
    console = Console(soft_wrap=True, highlight=False)
    for name, value in fields.items():
        if value is not None:
            console.print(Text(f"{name:<{width}}  "), styled(formatted(value)), sep="")


def print_result(text: str, answer: Any, *, json: bool) -> None:
    """Print the result of a command: a sentence, or as JSON the response."""
    if json:
        print_json(answer)
    else:
        print(text, flush=True)


def confirmed(question: str) -> bool:
    """Ask on a terminal; without one the answer is no."""
    return sys.stdin.isatty() and typer.confirm(question)


def formatted(value: Any, *, for_people: bool = True) -> str:
    """A value as text; for people with thousands separators."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.1f}" if for_people else str(value)
        case int():
            return f"{value:,}" if for_people else str(value)
        case _:
            return str(value).replace("\t", " ").replace("\n", " ")


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def styled(text: str) -> Text:
    return Text(text, style=_COLOURS.get(text, ""))


def local_time(text: str | None) -> str | None:
    """A time from the server in the local time zone."""
    if text is None:
        return None
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def ago(text: str | None) -> str | None:
    if text is None:
        return None
    return duration((datetime.now(UTC) - datetime.fromisoformat(text)).total_seconds())


def duration(seconds: float | None) -> str | None:
    """A duration in its two largest units."""
    if seconds is None:
        return None
    whole = max(0, round(seconds))
    for size, unit, smaller, small in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "m"), (60, "m", 1, "s")):
        if whole >= size:
            return f"{whole // size}{unit} {whole % size // smaller}{small}"
    return f"{seconds:.1f}s" if seconds < 10 else f"{whole}s"
