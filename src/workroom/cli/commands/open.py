"""`workroom FILE…`: opens files in a room."""

from __future__ import annotations

import re
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workroom.cli import output
from workroom.cli.output import JsonOption
from workroom.domain.errors import BadInput
from workroom.extras import require

if TYPE_CHECKING:
    from workroom.worker.remote.offering_room import Room


def open_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Anything ASE reads, and H5MD.")],
    room: Annotated[str | None, typer.Option(help="The room. Default: named after the first file.")] = None,
    format: Annotated[str | None, typer.Option(help="The format, if the file names do not show it.")] = None,
    url: Annotated[
        str | None, typer.Option(envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine.")
    ] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="The user to sign in as.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="The user's password.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
    ] = None,
    browser: Annotated[bool | None, typer.Option(help="Open the room in a browser. Default: on a terminal.")] = None,
    json: JsonOption = False,
) -> None:
    """Add the frames of FILE… to a room and open it in a browser. `workroom FILE…` does the same."""
    from workroom.worker.remote.offering_room import Room

    require(["ase"], "`workroom open`")
    for file in files:
        if not file.is_file():
            raise BadInput(f"There is no file {file}, nor a command of this name. `workroom --help` lists them.")
    with Room(room or room_for(files[0]), url, user, password, token) as opened:
        added: dict[str, int] = {}
        for file in files:
            added[str(file)] = _add(opened, file, format)
            if not json:
                print(f"{file}: {output.count(added[str(file)], 'frame')}", flush=True)
        where = f"{opened.url}/rooms/{opened.name}"
        output.print_result(f"Opened in {where}", {"room": opened.name, "url": where, "frames": added}, json=json)
        if sys.stdout.isatty() if browser is None else browser:
            webbrowser.open(where)


def _delete_if_unused(room: Room) -> None:
    """Delete a room that this command created for files that it could not read."""
    if room.inner.created and len(room) == 0:
        room.portal.call(room.inner.access.delete(f"/api/rooms/{room.name}"))


def room_for(file: Path) -> str:
    """A room name derived from a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", file.name.partition(".")[0]).strip("-._")[:100] or "files"


def _add(room: Room, file: Path, format: str | None) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from workroom.atoms.files import open_file

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(file.name, total=1.0)
        try:
            return open_file(room, file, format=format, progress=lambda share, _: bar.update(task, completed=share))
        except BaseException:
            _delete_if_unused(room)
            raise
