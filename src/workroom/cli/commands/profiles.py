"""`workroom profiles`: profiles of posted functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workroom.cli import output
from workroom.cli.api import SERVER_OPTIONS, Server, with_options
from workroom.cli.database import DatabaseOption, DataOption
from workroom.cli.output import JsonOption, LimitOption
from workroom.cli.profile_queries import Chosen, FromDatabase, FromServer, ProfileQueries, local_side, parse_time
from workroom.domain.errors import BadInput, ServerUnreachable

app = typer.Typer(
    name="profiles", help="Profiles of posted functions: where their time is spent.", no_args_is_help=True
)


class Order(StrEnum):
    OWN = "own"
    TOTAL = "total"
    CALLS = "calls"


class ExportFormat(StrEnum):
    PROF = "prof"
    SPEEDSCOPE = "speedscope"


FunctionArgument = Annotated[str, typer.Argument(help="The posted function.")]
Since = Annotated[str, typer.Option(help="From this time on (2026-01-31 or 2026-01-31T12:00, local time).")]
Until = Annotated[str, typer.Option(help="Up to this time.")]
PostingOption = Annotated[
    str | None,
    typer.Option("--posting", metavar="ID", help="Only profiles of this posting; a part of its id, or `last`."),
]
VersionOption = Annotated[str | None, typer.Option("--version", help="Only profiles of this code version.")]
MachineOption = Annotated[str | None, typer.Option("--machine", help="Only profiles of this machine.")]


def profile_command(command: Callable[..., None]) -> Callable[..., None]:
    """Register a command whose first argument is where it reads: adds the options that name a server or a database.

    The command line goes before the environment, and a server before a database.
    """
    places: dict[str, Any] = SERVER_OPTIONS | {"database_url": DatabaseOption, "data": DataOption}

    def run(ctx: typer.Context, **given: Any) -> None:
        place = {name: given.pop(name) for name in places}
        if not _reads_server(ctx):
            command(FromDatabase(place["database_url"], place["data"]), **given)
            return
        server = Server(**{name: place[name] for name in SERVER_OPTIONS}, as_admin=True)
        try:
            command(FromServer(server), **given)
        finally:
            with suppress(ServerUnreachable):
                server.close()

    return app.command()(with_options(run, command, first="queries", options=places, context=True))


def _reads_server(ctx: typer.Context) -> bool:
    def given_by(*options: str) -> set[str]:
        sources = (ctx.get_parameter_source(option) for option in options)
        return {source.name for source in sources if source is not None}

    for source in ("COMMANDLINE", "ENVIRONMENT"):
        if source in given_by("url"):
            return True
        if source in given_by("database_url", "data"):
            return False
    return False


@profile_command
def top(
    queries: ProfileQueries,
    function: Annotated[str | None, typer.Argument(help="The posted function. Default: all.")] = None,
    order: Annotated[Order, typer.Option(help="What to sort by.")] = Order.OWN,
    since: Since = "",
    until: Until = "",
    posting: PostingOption = None,
    version: VersionOption = None,
    machine: MachineOption = None,
    limit: LimitOption = 20,
    json: JsonOption = False,
) -> None:
    """List the most expensive functions inside FUNCTION, or all posted functions."""
    chosen = Chosen(parse_time(since), parse_time(until), posting, version, machine)
    if function is None:
        _print_functions(queries.functions(chosen, limit), json)
        return
    found = queries.top(function, chosen, order.value, limit)
    if json:
        output.print_json(found)
        return
    _print_rows(
        _title(found),
        found["items"],
        {"function": _location},
        {"calls": ("calls", _count), "own": ("ownMs", _ms), "share": ("ownShare", _share), "total": ("totalMs", _ms)},
    )


@profile_command
def show(
    queries: ProfileQueries,
    function: FunctionArgument,
    of: Annotated[str | None, typer.Option("--of", help="Only callers and callees of this function.")] = None,
    since: Since = "",
    until: Until = "",
    posting: PostingOption = None,
    version: VersionOption = None,
    machine: MachineOption = None,
    limit: LimitOption = 50,
    json: JsonOption = False,
) -> None:
    """List callers and callees in FUNCTION, with call counts and costs."""
    chosen = Chosen(parse_time(since), parse_time(until), posting, version, machine)
    found = queries.callers(function, chosen, of, limit)
    if of is not None and not found["items"]:
        raise BadInput(
            f"{of!r} neither calls nor is called in {function}. `workroom profiles top {function}` lists all."
        )
    if json:
        output.print_json(found)
        return
    _print_rows(
        _title(found),
        found["items"],
        {"caller": lambda row: _location(row["caller"]), "callee": lambda row: _location(row["callee"])},
        {"calls": ("calls", _count), "own": ("ownMs", _ms), "total": ("totalMs", _ms)},
    )


@profile_command
def diff(
    queries: ProfileQueries,
    function: FunctionArgument,
    a: Annotated[str, typer.Argument(help="posting:ID, version:NAME, machine:NAME, or FROM..TO with local times.")],
    b: Annotated[str, typer.Argument(help="The other side, in the same form.")],
    limit: LimitOption = 20,
    json: JsonOption = False,
) -> None:
    """Compare FUNCTION between A and B: costs per execution, the largest change first."""
    found = queries.diff(function, local_side(a), local_side(b), limit)
    if json:
        output.print_json(found)
        return
    sides = f"{a} ({found['a']['executions']:,}) → {b} ({found['b']['executions']:,})"
    _print_rows(
        f"{function}, for each execution: {sides}",
        found["items"],
        {"function": lambda row: f"{row['name']}  {row['file']}"},
        {
            "own a": ("ownMsA", _ms),
            "own b": ("ownMsB", _ms),
            "change": ("ownMsChange", _signed_ms),
            "calls a": ("callsA", _mean_count),
            "calls b": ("callsB", _mean_count),
        },
    )


@profile_command
def export(
    queries: ProfileQueries,
    function: FunctionArgument,
    format: Annotated[ExportFormat, typer.Option(help="prof is for pstats and snakeviz.")] = ExportFormat.PROF,
    file: Annotated[Path | None, typer.Option("--output", "-o", help="The file. Default: FUNCTION.prof.")] = None,
    since: Since = "",
    until: Until = "",
    posting: PostingOption = None,
    version: VersionOption = None,
    machine: MachineOption = None,
    json: JsonOption = False,
) -> None:
    """Export the profiles of FUNCTION as a file for other tools.

    Speedscope shows stacks. If only callers and callees were recorded, the stacks are estimated, and the file says so.
    """
    chosen = Chosen(parse_time(since), parse_time(until), posting, version, machine)
    content = queries.export(function, chosen, format.value)
    target = file or Path(f"{function}.{'prof' if format is ExportFormat.PROF else 'speedscope.json'}")
    try:
        target.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{target} cannot be written: {error.strerror}.") from None
    answer = {"function": function, "file": str(target), "format": format.value, "bytes": len(content)}
    output.print_result(f"{target}: {len(content):,} bytes", answer, json=json)


def _print_functions(found: dict[str, Any], json: bool) -> None:
    if json:
        output.print_json(found)
        return
    _print_rows(
        "Profiles",
        found["items"],
        {
            "function": lambda row: row["function"],
            "versions": lambda row: ", ".join(version or "?" for version in row["codeVersions"][-3:]),
            "last": lambda row: str(output.local_time(row["lastAt"])),
        },
        {"profiles": ("profiles", _count), "executions": ("executions", _count), "time": ("totalMs", _ms)},
    )


def _print_rows(
    title: str,
    rows: list[dict[str, Any]],
    texts: dict[str, Callable[[dict[str, Any]], str]],
    figures: dict[str, tuple[str, Callable[[Any], str]]],
) -> None:
    """Texts, then figures: with units in a table on a terminal, as bare numbers in tab-separated lines in a pipe."""
    if not sys.stdout.isatty():
        bare = {
            f"{heading} ms" if shown in (_ms, _signed_ms) else heading: itemgetter(field)
            for heading, (field, shown) in figures.items()
        }
        output.print_rows(rows, {**texts, **bare}, json=False)
        return
    table = Table(title=title, title_justify="left")
    for heading in texts:
        table.add_column(heading, overflow="fold")
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        cells = [text(row) for text in texts.values()] + [shown(row[field]) for field, shown in figures.values()]
        table.add_row(*map(Text, cells))
    Console().print(table)


def _title(found: dict[str, Any]) -> str:
    counts = f"{found['executions']:,} executions in {found['profiles']:,} profiles"
    return f"{found['function']}: {counts}, {_ms(found['totalMs'])}"


def _location(place: dict[str, Any]) -> str:
    return place["name"] if place["file"] == "~" else f"{place['name']}  {place['file']}:{place['line']}"


def _count(value: int) -> str:
    return f"{value:,}"


def _mean_count(value: float) -> str:
    return f"{value:,.1f}"


def _share(value: float) -> str:
    return f"{value:.1%}"


def _signed_ms(value: float) -> str:
    return f"{'+' if value > 0 else ''}{_ms(value)}"


def _ms(value: float) -> str:
    size = abs(value)
    if size >= 10_000:
        return f"{value / 1000:,.1f} s"
    return f"{value:,.1f} ms" if size >= 10 else f"{value:.3f} ms"
