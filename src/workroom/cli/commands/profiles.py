"""`workroom profiles`: profiles of posted functions."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workroom.cli.database import DatabaseOption, DataOption, database
from workroom.domain.errors import BadInput

if TYPE_CHECKING:
    from workroom.actions.engine import Engine
    from workroom.actions.profiles import ProfileFilter, ProfileSummary

T = TypeVar("T")

app = typer.Typer(
    name="profiles", help="Profiles of posted functions: where their time is spent.", no_args_is_help=True
)

FunctionArgument = Annotated[str, typer.Argument(help="The posted function.")]
Since = Annotated[str, typer.Option(help="From this time on (2026-01-31 or 2026-01-31T12:00).")]
Until = Annotated[str, typer.Option(help="Up to this time.")]
PostingOption = Annotated[str | None, typer.Option("--posting", metavar="ID", help="Only profiles of this posting.")]
VersionOption = Annotated[str | None, typer.Option("--version", help="Only profiles of this code version.")]
MachineOption = Annotated[str | None, typer.Option("--machine", help="Only profiles of this machine.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="Maximum number of rows.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def top(
    function: Annotated[str | None, typer.Argument(help="The posted function. Default: all.")] = None,
    order: Annotated[str, typer.Option(help="own, total or calls.")] = "own",
    since: Since = "",
    until: Until = "",
    posting: PostingOption = None,
    version: VersionOption = None,
    machine: MachineOption = None,
    limit: LimitOption = 20,
    as_json: JsonOption = False,
    database_url: DatabaseOption = None,
    data: DataOption = None,
) -> None:
    """List the most expensive functions inside FUNCTION, or all posted functions."""
    chosen = _filters(since, until, posting, version, machine)
    if function is None:
        _print_functions(_query(database_url, data, _functions(chosen, limit)), as_json)
        return
    if order not in ("own", "total", "calls"):
        raise BadInput(f"--order is own, total or calls, not {order!r}.")
    found = _query(database_url, data, _summary(function, chosen))
    rank: dict[str, Callable[[Any], float]] = {
        "own": lambda cost: cost.own_ms,
        "total": lambda cost: cost.total_ms,
        "calls": lambda cost: cost.calls,
    }
    whole = found.totals.total_ms or 1.0
    rows: list[dict[str, Any]] = [
        {**key._asdict(), **cost._asdict(), "own_share": cost.own_ms / whole}
        for key, cost in sorted(found.costs.items(), key=lambda one: -rank[order](one[1]))[:limit]
    ]
    if as_json:
        _print_json({"function": function, **found.totals._asdict(), "items": rows})
        return
    table = _table(_title(found), "function", calls="r", own="r", share="r", total="r")
    for row in rows:
        table.add_row(
            _location(row["file"], row["line"], row["name"]),
            f"{row['calls']:,}",
            _ms(row["own_ms"]),
            f"{row['own_share']:.1%}",
            _ms(row["total_ms"]),
        )
    _print_table(table)


@app.command()
def show(
    function: FunctionArgument,
    of: Annotated[str | None, typer.Option("--of", help="Only callers and callees of this function.")] = None,
    since: Since = "",
    until: Until = "",
    posting: PostingOption = None,
    version: VersionOption = None,
    machine: MachineOption = None,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
    database_url: DatabaseOption = None,
    data: DataOption = None,
) -> None:
    """List callers and callees in FUNCTION, with call counts and costs."""
    chosen = _filters(since, until, posting, version, machine)
    found = _query(database_url, data, _summary(function, chosen, pairs=True))
    pairs = [
        (pair, cost)
        for pair, cost in sorted(found.pairs.items(), key=lambda one: -one[1].total_ms)
        if of is None or of in (pair[0].name, pair[1].name)
    ][:limit]
    if as_json:
        items = [{"caller": pair[0]._asdict(), "callee": pair[1]._asdict(), **cost._asdict()} for pair, cost in pairs]
        _print_json({"function": function, **found.totals._asdict(), "items": items})
        return
    table = _table(_title(found), "caller", "callee", calls="r", own="r", total="r")
    for (caller, callee), cost in pairs:
        table.add_row(_location(*caller), _location(*callee), f"{cost.calls:,}", _ms(cost.own_ms), _ms(cost.total_ms))
    _print_table(table)


@app.command()
def diff(
    function: FunctionArgument,
    a: Annotated[str, typer.Argument(help="posting:ID, version:NAME, machine:NAME, or FROM..TO with times.")],
    b: Annotated[str, typer.Argument(help="The other side, in the same form.")],
    limit: LimitOption = 20,
    as_json: JsonOption = False,
    database_url: DatabaseOption = None,
    data: DataOption = None,
) -> None:
    """Compare FUNCTION between A and B: costs per execution, the largest change first."""
    from workroom.actions.profiles import ProfileFilter, compare, parse_side

    sides = parse_side(a, ProfileFilter()), parse_side(b, ProfileFilter())
    found = _query(database_url, data, lambda engine: compare(engine, function, *sides))
    changes = found.changes[:limit]
    if as_json:
        items = [{**one._asdict(), "own_ms_change": one.own_ms_change} for one in changes]
        _print_json({"function": function, "a": found.a._asdict(), "b": found.b._asdict(), "items": items})
        return
    title = f"{function}, for each execution: {a} ({found.a.executions:,}) → {b} ({found.b.executions:,})"
    table = _table(title, "function", **{"own a": "r", "own b": "r", "change": "r", "calls a": "r", "calls b": "r"})
    for one in changes:
        table.add_row(
            f"{one.name}  [dim]{one.file}[/]",
            _ms(one.own_ms_a),
            _ms(one.own_ms_b),
            f"{'+' if one.own_ms_change > 0 else ''}{_ms(one.own_ms_change)}",
            f"{one.calls_a:,.1f}",
            f"{one.calls_b:,.1f}",
        )
    _print_table(table)


@app.command()
def export(
    function: FunctionArgument,
    format: Annotated[str, typer.Option(help="prof (for pstats, snakeviz) or speedscope.")] = "prof",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file. Default: FUNCTION.prof.")] = None,
    since: Since = "",
    until: Until = "",
    posting: PostingOption = None,
    version: VersionOption = None,
    machine: MachineOption = None,
    database_url: DatabaseOption = None,
    data: DataOption = None,
) -> None:
    """Export the profiles of FUNCTION as a file for other tools.

    Speedscope shows stacks. If only callers and callees were recorded, the stacks are estimated, and the file says so.
    """
    from workroom.actions.profiles import export as exported

    chosen = _filters(since, until, posting, version, machine)
    content = _query(database_url, data, lambda engine: exported(engine, function, chosen, format))
    file = output or Path(f"{function}.{'prof' if format == 'prof' else 'speedscope.json'}")
    try:
        file.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}.") from None
    print(f"{file}: {len(content):,} bytes")


def _query(url: str | None, data: Path | None, query: Callable[[Engine], Awaitable[T]]) -> T:
    from workroom.actions.engine import Engine
    from workroom.store.database import Database
    from workroom.store.migrate import require_head

    async def run(database_url: str) -> T:
        async with Database(database_url, connections=1) as opened:
            return await query(Engine(opened))

    with database(url, data) as database_url:
        require_head(database_url)
        return asyncio.run(run(database_url))


def _summary(
    function: str, chosen: ProfileFilter, *, pairs: bool = False
) -> Callable[[Engine], Awaitable[ProfileSummary]]:
    from workroom.actions.profiles import summarise

    return lambda engine: summarise(engine, function, chosen, pairs=pairs)


def _functions(chosen: ProfileFilter, limit: int) -> Callable[[Engine], Awaitable[Any]]:
    from workroom.actions.profiles import list_functions

    return lambda engine: list_functions(engine, chosen, limit=limit)


def _filters(since: str, until: str, posting: str | None, version: str | None, machine: str | None) -> ProfileFilter:
    from workroom.actions.profiles import ProfileFilter, parse_side

    chosen = parse_side(f"{since}..{until}", ProfileFilter(code_version=version, machine=machine))
    return chosen if posting is None else chosen._replace(posting_id=_id(posting))


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadInput(f"{text!r} is not the id of a posting.") from None


def _print_functions(found: Any, as_json: bool) -> None:
    if as_json:
        _print_json({"items": [one._asdict() for one in found]})
        return
    table = _table("Profiles", "function", profiles="r", executions="r", time="r", versions="l", last="l")
    for one in found:
        versions = ", ".join(version or "?" for version in one.code_versions[-3:])
        last = f"{one.last_at:%Y-%m-%d %H:%M}"
        table.add_row(one.function, f"{one.profiles:,}", f"{one.executions:,}", _ms(one.total_ms), versions, last)
    _print_table(table)


def _print_json(value: Any) -> None:
    print(orjson.dumps(value).decode())


def _table(title: str, *wide: str, **narrow: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in wide:
        table.add_column(heading, overflow="fold")
    for heading, side in narrow.items():
        table.add_column(heading, justify="right" if side == "r" else "left", no_wrap=True)
    return table


def _print_table(table: Table) -> None:
    """A table on a terminal, tab-separated lines in a pipe."""
    if sys.stdout.isatty():
        Console().print(table)
        return
    print("\t".join(str(column.header) for column in table.columns))
    for row in zip(*(column.cells for column in table.columns), strict=True):
        print("\t".join(Text.from_markup(str(cell)).plain for cell in row))


def _title(found: ProfileSummary) -> str:
    totals = found.totals
    return f"{found.function}: {totals.executions:,} executions in {totals.profiles:,} profiles, {_ms(totals.total_ms)}"


def _location(file: str, line: int, name: str) -> str:
    from rich.markup import escape

    return escape(name) if file == "~" else f"{escape(name)}  [dim]{escape(file)}:{line}[/]"


def _ms(value: float) -> str:
    size = abs(value)
    if size >= 10_000:
        return f"{value / 1000:,.1f} s"
    return f"{value:,.1f} ms" if size >= 10 else f"{value:.3f} ms"
