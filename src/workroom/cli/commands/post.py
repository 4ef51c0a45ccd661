"""`workroom post`: have a function called once for each line of a file."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import orjson
import typer

from workroom.cli import output
from workroom.cli.database import errors_told
from workroom.cli.output import JsonOption
from workroom.domain.errors import BadInput, UnknownFunction

if TYPE_CHECKING:
    from workroom.worker.registry import Function

_FORMATS = ("json", "jsonl", "csv")


def post(
    function: Annotated[
        str, typer.Argument(metavar="MODULE:FUNCTION", help="What to call; the name it has in @job also works.")
    ],
    arguments: Annotated[str, typer.Argument(metavar="ARGS_FILE", help="json, jsonl or csv; `-` is standard input.")],
    format: Annotated[str | None, typer.Option(help="json, jsonl or csv; by the file's name without.")] = None,
    label: Annotated[str, typer.Option(help="What to call the posting.")] = "",
    priority: Annotated[int | None, typer.Option(min=0, max=10, help="10 is most urgent.")] = None,
    tries: Annotated[int | None, typer.Option(min=1, max=100, help="How often each call is tried in all.")] = None,
    after: Annotated[list[str] | None, typer.Option(help="A posting or job that must complete first.")] = None,
    at: Annotated[datetime | None, typer.Option(help="Not before this time.")] = None,
    unique: Annotated[str | None, typer.Option(help="A key: the same one again answers the same posting.")] = None,
    room: Annotated[str | None, typer.Option(help="The room it belongs to.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for its end; exits with 1 when a call failed.")] = False,
    url: Annotated[str | None, typer.Option(envvar="WORKROOM_URL", help="The server; the local one without.")] = None,
    token: Annotated[str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token for the server.")] = None,
    json: JsonOption = False,
) -> None:
    """Post calls of a function: in json a list, in jsonl one a line, in csv one a row.

    A list is positional arguments, an object keywords, {"args": […], "kwargs": {…}} both, anything else one argument.
    In csv the first row names the keywords.
    """
    with errors_told():
        wanted = _function(function)
        calls = _calls(arguments, _format(arguments, format))
        args, kwargs = _split(calls)
        posting = wanted.post_work(
            args,
            kwargs,
            label=label,
            priority=priority,
            tries=tries,
            depends_on=after or [],
            run_at=None if at is None else at.astimezone(),
            unique=unique,
            room=room,
            url=url,
            token=token,
        )
        counts = posting.counts()
        told: dict[str, Any] = {"postingId": str(posting.id), "function": wanted.name, "total": counts.total}
        if not wait:
            output.done(f"Posted {counts.total:,} calls of {wanted.name} as {posting.id}.", told, json=json)
            return
        counts = posting.wait(progress=False if json else None).counts()
        told |= {"status": posting.status, "completed": counts.completed, "failed": counts.failed}
        words = f"{posting.status}: {counts.completed:,} completed, {counts.failed:,} failed of {counts.total:,}"
        output.done(words, told, json=json)
        if posting.status != "completed":
            raise typer.Exit(1)


def _function(text: str) -> Function[..., Any]:
    """The function itself, or by the name it is registered under."""
    from workroom.worker import loading
    from workroom.worker.registry import Function, Registry

    module, colon, name = text.rpartition(":")
    if not colon or not module:
        raise BadInput(f"{text!r} names no module: write MODULE:FUNCTION, for example tasks:resize or tasks.py:resize.")
    loaded = loading.load(module)
    found = getattr(loaded, name, None)
    if isinstance(found, Function):
        return found  # pyright: ignore[reportUnknownVariableType]
    if name in Registry:
        return Registry[name]
    if callable(found):
        raise BadInput(f"{name} is not registered: write @job() above it.")
    raise UnknownFunction(f"{module} has no function {name!r}. It registers: {', '.join(Registry) or 'none'}.")


def _format(file: str, named: str | None) -> str:
    chosen = named or ("jsonl" if file == "-" else Path(file).suffix.lstrip(".").lower())
    chosen = {"ndjson": "jsonl"}.get(chosen, chosen)
    if chosen not in _FORMATS:
        raise BadInput(f"{file} is of no known format: name it with --format json, jsonl or csv.")
    return chosen


def _calls(file: str, format: str) -> Iterator[Any]:
    """Each call as it was written; jsonl and csv are read line by line."""
    if file != "-" and not Path(file).is_file():
        raise BadInput(f"There is no file {file}.")
    with sys.stdin.buffer if file == "-" else Path(file).open("rb") as stream:
        if format == "json":
            yield from _list(stream.read())
        elif format == "jsonl":
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield _value(line, f"Line {number}")
        else:
            with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
                for row in csv.DictReader(text):
                    yield _row(row)


def _list(content: bytes) -> list[Any]:
    value = _value(content, "The file")
    if not isinstance(value, list):
        raise BadInput("The file holds no list: write [[1, 2], [3, 4]], or one call a line in a .jsonl file.")
    return value  # pyright: ignore[reportUnknownVariableType]


def _value(content: bytes, what: str) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{what} is not valid JSON: {error}.") from None


def _row(row: dict[str | Any, Any]) -> dict[str, Any]:
    if None in row or None in row.values():
        raise BadInput("A row has other columns than the first one names.")
    return {str(name): _cell(text) for name, text in row.items()}


def _cell(text: str) -> Any:
    """Numbers, true, false and null as such; everything else is text."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
    return value if value is None or isinstance(value, bool | int | float) else text


def _split(calls: Iterable[Any]) -> tuple[Iterator[Any], Iterator[Any]]:
    """Positional arguments and keywords, side by side, without holding more than is on its way."""
    from itertools import tee

    one, other = tee(_both(call) for call in calls)
    return (args for args, _ in one), (kwargs for _, kwargs in other)


def _both(call: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(call, list):
        return tuple(cast("list[Any]", call)), {}
    if not isinstance(call, dict):
        return (call,), {}
    written = cast("dict[str, Any]", call)
    args, kwargs = written.get("args", []), written.get("kwargs", {})
    if written and written.keys() <= {"args", "kwargs"} and isinstance(args, list) and isinstance(kwargs, dict):
        return tuple(cast("list[Any]", args)), cast("dict[str, Any]", kwargs)
    return (), written
