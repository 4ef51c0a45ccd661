"""`workroom FILE…`: opens files in a room, of a server that it starts where none runs."""

from __future__ import annotations

import re
import signal
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workroom.cli import output
from workroom.cli.api import asked_password
from workroom.cli.browser import open_browser
from workroom.cli.child_processes import Process, StopSignals
from workroom.cli.output import JsonOption
from workroom.client.discovery import data_folder, server_url
from workroom.domain.errors import BadInput, Forbidden, ServerUnreachable
from workroom.domain.names import room_path
from workroom.extras import EXTRAS, require

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
    serve: Annotated[
        bool | None, typer.Option(help="Start a server, until Ctrl-C, if none runs. Default: on a terminal.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Add the frames of FILE… to a room and open it in a browser. `workroom FILE…` does the same.

    If no server runs on this machine, the command starts one and ends it with Ctrl-C. Its rooms are kept.
    """
    from workroom.worker.remote.offering_room import Room

    require(["ase"], "`workroom open`")
    for file in files:
        if not file.is_file():
            raise BadInput(f"There is no file {file}, nor a command of this name. `workroom --help` lists them.")
    on_terminal = sys.stdout.isatty()
    with ExitStack() as stack:
        server: Process | None = None
        try:
            url = server_url(url)
        except ServerUnreachable:
            if not (on_terminal if serve is None else serve):
                raise
            server, url = stack.enter_context(_own_server())
        password = asked_password(url, user, password, token)
        with Room(room or room_for(files[0]), url, user, password, token) as opened:
            added: dict[str, int] = {}
            for file in files:
                added[str(file)] = _add(opened, file, format)
                if not json:
                    print(f"{file}: {output.count(added[str(file)], 'frame')}", flush=True)
            where = f"{opened.url}/rooms/{opened.name}"
            output.print_result(f"Opened in {where}", {"room": opened.name, "url": where, "frames": added}, json=json)
            sys.stdout.flush()
            if on_terminal if browser is None else browser:
                open_browser(_signed_in(opened, where))
        if server is not None:
            server.wait()


@contextmanager
def _own_server() -> Generator[tuple[Process, str]]:
    """A server of this machine's data folder, until this command ends."""
    require(EXTRAS["server"], "A server of its own")
    with StopSignals() as signals, tempfile.TemporaryDirectory(prefix="workroom-open-") as folder:
        print("No server runs on this machine. Starting one; Ctrl-C ends it.", file=sys.stderr, flush=True)
        with signals.deferred():
            server = Process("workroom.cli", "serve", log=Path(folder) / "server.log")
        try:
            yield server, server.wait_for_line(r"listens at (\S+)")[1]
        except KeyboardInterrupt:
            raise typer.Exit(128 + signal.SIGINT) from None
        finally:
            server.stop()
            again = "`workroom serve` starts it again."
            print(f"The server has ended. Its rooms stay in {data_folder()}; {again}", file=sys.stderr)


def _signed_in(room: Room, address: str) -> str:
    """An address that signs the browser in once, as the user of this command. An API token cannot make one."""
    try:
        code = room.portal.call(room.inner.access.post("/api/login/codes"))["code"]
    except Forbidden:
        return address
    return f"{address}#code={code}&play"


def _delete_if_unused(room: Room) -> None:
    """Delete a room that this command created for files that it could not read."""
    if room.inner.created and len(room) == 0:
        room.portal.call(room.inner.access.delete(room_path(room.name)))


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
