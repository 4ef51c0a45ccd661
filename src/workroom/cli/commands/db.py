"""`workroom db`: upgrade, check, describe, dump and restore the database."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from workroom.cli import output
from workroom.cli.database import DatabaseOption, DataOption, database, existing_database
from workroom.cli.output import JsonOption
from workroom.domain.errors import WorkroomError

if TYPE_CHECKING:
    from workroom.store.connect import ServerInfo

app = typer.Typer(name="db", help="Upgrade, check, describe, dump and restore the database.", no_args_is_help=True)


@app.command()
def upgrade(database_url: DatabaseOption = None, data: DataOption = None, json: JsonOption = False) -> None:
    """Upgrade the database's schema to the version of this program."""
    from workroom.store.connect import check_database
    from workroom.store.migrate import head
    from workroom.store.migrate import upgrade as upgrade_schema

    with database(database_url, data) as url:
        check_database(url)
        changed = upgrade_schema(url)
        text = f"The schema is now {head()}." if changed else f"The schema is {head()} already."
        output.print_result(text, {"revision": head(), "changed": changed}, json=json)


@app.command()
def check(database_url: DatabaseOption = None, data: DataOption = None, json: JsonOption = False) -> None:
    """Check whether the database can be used. Exits with 1 and the reason if not."""
    from workroom.store.connections.pooler import check_address
    from workroom.store.migrate import head, require_head, revision

    server: ServerInfo | None = None
    current: str | None = None
    failure: WorkroomError | None = None
    try:
        with existing_database(database_url, data) as url:
            server = check_address(url, os.environ.get("WORKROOM_POOLER") or None)
            current = revision(url)
            require_head(url)
    except WorkroomError as error:
        failure = error
    facts = {
        "server": server and server.version,
        "address": server and server.address,
        "revision": current,
        "head": head(),
        "ok": failure is None,
    }
    problem = {"error": {"code": failure.code, "message": failure.message}} if failure else {}
    if json or server:
        output.print_fields(
            {name: "none" if fact is None else fact for name, fact in facts.items()}, facts | problem, json=json
        )
    if failure:
        raise failure


@app.command()
def describe(database_url: DatabaseOption = None, data: DataOption = None, json: JsonOption = False) -> None:
    """Print a description of the schema as Markdown: every table and column, and what sets it."""
    import asyncio

    from workroom.store.database import Database
    from workroom.store.migrate import require_head
    from workroom.store.schema_docs import Column, as_markdown, columns

    async def described(url: str) -> list[Column]:
        async with Database(url, connections=1) as opened, opened.connection() as connection:
            return await columns(connection)

    with existing_database(database_url, data) as url:
        require_head(url)
        found = asyncio.run(described(url))
    output.print_result(as_markdown(found).rstrip("\n"), [one._asdict() for one in found], json=json)


@app.command()
def dump(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, e.g. workroom.sql.gz.")],
    database_url: DatabaseOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Write all data of the database to a file. The server may go on running."""
    from workroom.store.dump import dump as dump_database

    with existing_database(database_url, data) as url:
        with _progress("Dumping") as progress:
            size = dump_database(url, file, progress)
        text = f"Wrote {file}, {size / 1e6:,.1f} MB. Keep the file `secret-key` of the data folder with it."
        output.print_result(text, {"file": str(file), "bytes": size}, json=json)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `workroom db dump`.")],
    replace: Annotated[bool, typer.Option("--replace", help="Delete everything in the database first.")] = False,
    database_url: DatabaseOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Fill an empty database from a file. No server may run on it."""
    from workroom.store.dump import restore as restore_database

    with database(database_url, data) as url:
        with _progress("Restoring") as progress:
            restore_database(url, file, progress, replace=replace)
        output.print_result(f"Restored {file}.", {"file": str(file), "restored": True}, json=json)


@contextmanager
def _progress(doing: str) -> Generator[Callable[[int], None]]:
    """A line with the megabytes so far, in a terminal."""
    console = Console(stderr=True)
    with console.status(f"{doing} ...") as status:
        yield lambda size: status.update(f"{doing} ... {size / 1e6:,.0f} MB")
