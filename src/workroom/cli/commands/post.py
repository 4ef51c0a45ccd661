"""`workroom post`: post one function call for each line of a file."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast
from uuid import UUID

import orjson
import typer

from workroom.cli import output
from workroom.cli.api import asked_password
from workroom.cli.ids import SEARCHED, match_id
from workroom.cli.output import JsonOption
from workroom.cli.user_code_errors import reported_import_errors
from workroom.domain.errors import BadInput, NotFound, UnknownFunction
from workroom.domain.values import exact_json
from workroom.domain.values.codec import is_plain_text

if TYPE_CHECKING:
    from workroom.worker.function_registry import Function
    from workroom.worker.postings.backend import BackendTarget

_FORMATS = ("json", "jsonl", "csv")


def post(
    function: Annotated[
        str, typer.Argument(metavar="MODULE:FUNCTION", help="The function; its name in @job also works.")
    ],
    arguments: Annotated[
        str, typer.Argument(metavar="ARGS_FILE", help="A json, jsonl or csv file; `-` is standard input.")
    ],
    format: Annotated[str | None, typer.Option(help="json, jsonl or csv. Default: by the file name.")] = None,
    label: Annotated[str, typer.Option(help="The posting's label.")] = "",
    priority: Annotated[int | None, typer.Option(min=0, max=10, help="10 is most urgent.")] = None,
    tries: Annotated[int | None, typer.Option(min=1, max=100, help="Maximum number of tries of each call.")] = None,
    after: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="A posting or job that must complete first: its id, a part of it, or `last` for your newest posting.",
        ),
    ] = None,
    at: Annotated[datetime | None, typer.Option(help="Not before this time.")] = None,
    unique: Annotated[
        str | None, typer.Option(help="An idempotency key: the same key returns the same posting.")
    ] = None,
    room: Annotated[str | None, typer.Option(help="The room it belongs to.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for its end; exits with 1 if a call failed.")] = False,
    url: Annotated[
        str | None, typer.Option(envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine.")
    ] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="The user to sign in as.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="The user's password.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Post calls of a function: a list in json, one call per line in jsonl, one per row in csv.

    A list holds positional arguments, an object keyword arguments, {"args": […], "kwargs": {…}} both. Any other value
    is the only argument. In csv the first row names the keyword arguments.
    """
    from workroom.client.discovery import server_url
    from workroom.worker.postings.backend import BackendTarget

    if user or password:  # a person signs in at a server, also where the database could be used
        url = server_url(url)
        password = asked_password(url, user, password, token)
        os.environ |= {"WORKROOM_USER": user or "", "WORKROOM_PASSWORD": password or ""}
    target = _function(function)
    calls = _calls(arguments, _format(arguments, format))
    args, kwargs = _split(calls)
    posting = target.post_work(
        args,
        kwargs,
        label=label,
        priority=priority,
        tries=tries,
        depends_on=_dependencies(after or [], BackendTarget.here(None, url, token)),
        run_at=None if at is None else at.astimezone(),
        unique=unique,
        room=room,
        url=url,
        token=token,
    )
    counts = posting.counts()
    result: dict[str, Any] = {"postingId": str(posting.id), "function": target.name, "total": counts.total}
    if not wait:
        calls = output.count(counts.total, "call")
        output.print_result(f"Posted {calls} of {target.name} as {posting.id}.", result, json=json)
        return
    counts = posting.wait(progress=False if json else None).counts()
    result |= {"status": posting.status, "completed": counts.completed, "failed": counts.failed}
    text = f"{posting.status}: {counts.completed:,} completed, {counts.failed:,} failed of {counts.total:,}"
    output.print_result(text, result, json=json)
    if posting.status != "completed":
        raise typer.Exit(1)


def _dependencies(given: list[str], target: BackendTarget) -> list[UUID]:
    """The ids of postings and jobs, looked up where the calls are posted."""
    from workroom.client.portal import background
    from workroom.worker.postings.backend import resolve_backend

    async def newest(kind: Literal["posting", "job"]) -> list[UUID]:
        return await (await resolve_backend(target)).newest(kind, SEARCHED)

    def of_kind(text: str, kind: Literal["posting", "job"]) -> UUID:
        return match_id(text, kind, lambda: background().call(newest(kind)))

    def one(text: str) -> UUID:
        try:
            return of_kind(text, "posting")
        except NotFound:
            if text == "last":
                raise
        try:
            return of_kind(text, "job")
        except NotFound:
            raise NotFound(
                f"None of your newest postings and jobs has an id that begins or ends with {text!r}."
            ) from None

    return [one(text) for text in given]


def _function(text: str) -> Function[..., Any]:
    """The function of a module attribute, or of a name in its registry."""
    from workroom.worker import loading
    from workroom.worker.function_registry import Function, Registry

    module, colon, name = text.rpartition(":")
    if not colon or not module:
        raise BadInput(f"{text!r} has no module: write MODULE:FUNCTION, for example tasks:resize or tasks.py:resize.")
    with reported_import_errors(module):
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
        raise BadInput(f"The format of {file} is unknown: give --format json, jsonl or csv.")
    return chosen


def _calls(file: str, format: str) -> Iterator[Any]:
    """Yield each call of the file; jsonl and csv are read line by line."""
    if file != "-" and not Path(file).is_file():
        raise BadInput(f"There is no file {file}.")
    with sys.stdin.buffer if file == "-" else Path(file).open("rb") as stream:
        if format == "json":
            yield from _list(stream.read())
        elif format == "jsonl":
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield _value(line.strip(), f"Line {number}")
        else:
            with io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="") as text:
                yield from _rows(csv.DictReader(text), file)


def _list(content: bytes) -> list[Any]:
    value = _value(content, "The file")
    if not isinstance(value, list):
        raise BadInput("The file is not a list: write [[1, 2], [3, 4]], or one call a line in a .jsonl file.")
    return value  # pyright: ignore[reportUnknownVariableType]


def _value(content: bytes, what: str) -> Any:
    try:
        return exact_json.parse(content)
    except orjson.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if b"\n" in content else f"column {error.colno}"
        raise BadInput(f"{what} is not valid JSON: {error.msg}, at {place}.") from None


def _rows(reader: csv.DictReader[str], file: str) -> Iterator[dict[str, Any]]:
    number = 1  # that of the names
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadInput(f"{file}, after row {number}: {error}. A .jsonl file has no such limit.") from None
        number += 1
        if any(isinstance(text, str) and not is_plain_text(text) for text in (*row, *row.values())):
            raise BadInput(f"{file}, row {number}, is not UTF-8, or holds NUL. Save the file as UTF-8.")
        yield _row(row)


def _row(row: dict[str | Any, Any]) -> dict[str, Any]:
    if None in row or None in row.values():
        raise BadInput("A row has a different number of columns than the first row.")
    return {str(name): _cell(text) for name, text in row.items()}


def _cell(text: str) -> Any:
    """Parse numbers, true, false and null; everything else is text."""
    try:
        value = exact_json.parse(text)
    except orjson.JSONDecodeError:
        return text
    return value if value is None or isinstance(value, bool | int | float) else text


def _split(calls: Iterable[Any]) -> tuple[Iterator[Any], Iterator[Any]]:
    """Split calls lazily into an iterator of positional and one of keyword arguments."""
    from itertools import tee

    first, second = tee(_arguments_of(call) for call in calls)
    return (args for args, _ in first), (kwargs for _, kwargs in second)


def _arguments_of(call: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(call, list):
        return tuple(cast("list[Any]", call)), {}
    if not isinstance(call, dict):
        return (call,), {}
    fields = cast("dict[str, Any]", call)
    args, kwargs = fields.get("args", []), fields.get("kwargs", {})
    if fields and fields.keys() <= {"args", "kwargs"} and isinstance(args, list) and isinstance(kwargs, dict):
        return tuple(cast("list[Any]", args)), cast("dict[str, Any]", kwargs)
    return (), fields
