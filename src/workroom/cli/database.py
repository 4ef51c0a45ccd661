"""The database of a command (a URL, a running embedded one, or one that the command starts), and printing of errors."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.text import Text

from workroom.domain.errors import DataFolderInUse, WorkroomError


def _warn_of_password(url: str | None) -> str | None:
    """All users of a machine can read the arguments of all programs."""
    if url and urlsplit(url).password and any(url in argument for argument in sys.argv):
        Console(stderr=True, soft_wrap=True).print(
            "warning: every user of this machine can read the password in --database. Set WORKROOM_DATABASE instead."
        )
    return url


DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        callback=_warn_of_password,
        envvar="WORKROOM_DATABASE",
        metavar="URL",
        help="URL of a PostgreSQL ≥ 15. Default: the embedded one.",
    ),
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", envvar="WORKROOM_DATA", metavar="DIR", help="The folder of the embedded database."),
]


@contextmanager
def database(url: str | None, data: Path | None, *, own: bool = False) -> Generator[str]:
    """The URL of the database. With `own`, this process must start and stop the embedded database itself."""
    if url:
        yield url
        return
    from workroom.store.embedded import EmbeddedPostgres, default_data_folder, running_url

    folder = data or default_data_folder()
    shared = None if own else running_url(folder)
    if shared:
        yield shared
        return
    postgres = EmbeddedPostgres(folder)
    try:
        postgres.start()
    except DataFolderInUse:
        # Another process started it between the check and this start.
        if own or (shared := running_url(folder)) is None:
            raise
        yield shared
        return
    with postgres:
        yield postgres.url


@contextmanager
def print_errors() -> Generator[None]:
    """End the command with the message of a WorkroomError instead of a traceback."""
    try:
        yield
    except WorkroomError as error:
        Console(stderr=True, soft_wrap=True).print(Text(f"error: {error.message}", style="red"))
        raise typer.Exit(1) from error
