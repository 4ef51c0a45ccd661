"""`workroom db`: look after the database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workroom.cli.database import DatabaseOption, DataOption, database, errors_told
from workroom.domain.errors import WorkroomError

if TYPE_CHECKING:
    from workroom.store.connect import ServerInfo

app = typer.Typer(name="db", help="Look after the database.", no_args_is_help=True)


@app.command()
def upgrade(database_url: DatabaseOption = None, data: DataOption = None) -> None:
    """Bring the database's schema to this program's."""
    from workroom.store.connect import check_database
    from workroom.store.migrate import head
    from workroom.store.migrate import upgrade as upgrade_schema

    with errors_told(), database(database_url, data) as url:
        check_database(url)
        changed = upgrade_schema(url)
        print(f"The schema is now {head()}." if changed else f"The schema is {head()} already.")


@app.command()
def check(
    database_url: DatabaseOption = None,
    data: DataOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell whether the database can be used, and if not, why. Exits with 1 if not."""
    from workroom.store.connect import check_database
    from workroom.store.migrate import head, require_head, revision

    server: ServerInfo | None = None
    current: str | None = None
    trouble: WorkroomError | None = None
    try:
        with database(database_url, data) as url:
            server = check_database(url)
            current = revision(url)
            require_head(url)
    except WorkroomError as error:
        trouble = error
    facts = {
        "server": server and server.version,
        "address": server and server.address,
        "revision": current,
        "head": head(),
        "ok": trouble is None,
    }
    if as_json:
        problem = {"error": {"code": trouble.code, "message": trouble.message}} if trouble else {}
        print(json.dumps(facts | problem))
    elif server:
        Console(soft_wrap=True).print(_table(facts))
    with errors_told():
        if trouble:
            raise trouble


def _table(facts: dict[str, str | bool | None]) -> Table:
    table = Table(show_header=False, box=None)
    for name, fact in facts.items():
        table.add_row(name, _said(fact))
    return table


def _said(fact: str | bool | None) -> str:
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    return fact or "none"


@app.command()
def describe(database_url: DatabaseOption = None, data: DataOption = None) -> None:
    """Print the schema in words, as Markdown."""
    import asyncio

    from workroom.store.database import Database
    from workroom.store.migrate import require_head
    from workroom.store.schema_docs import as_markdown, columns

    async def described(url: str) -> str:
        async with Database(url, connections=1) as opened, opened.connection() as connection:
            return as_markdown(await columns(connection))

    with errors_told(), database(database_url, data) as url:
        require_head(url)
        print(asyncio.run(described(url)), end="")
