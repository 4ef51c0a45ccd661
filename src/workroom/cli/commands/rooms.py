"""`workroom rooms`: find, make, lock, copy and delete rooms."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, talks
from workroom.cli.output import JsonOption
from workroom.domain.errors import BadInput

app = typer.Typer(name="rooms", help="Rooms: find, make, lock, copy, delete.", no_args_is_help=True)
RoomName = Annotated[str, typer.Argument(metavar="ROOM", help="The room's name.")]

COLUMNS: output.Columns = {
    "room": lambda one: one["name"],
    "visibility": lambda one: one["visibility"],
    "locked": lambda one: one["locked"],
    "owner": lambda one: one["owner"],
    "rights": lambda one: one["rights"],
    "created": lambda one: output.moment(one["createdAt"]),
    "description": lambda one: one["description"],
}


@app.command(name="list")
@talks()
def list_(
    server: Server,
    search: Annotated[str, typer.Argument(help="Words in the name or description.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 100,
    json: JsonOption = False,
) -> None:
    """The rooms you may see, by name."""
    output.rows(server.get("/api/rooms", q=search, limit=limit)["items"], COLUMNS, json=json, empty="No rooms.")


@app.command(name="show")
@talks()
def show_(server: Server, room: RoomName, json: JsonOption = False) -> None:
    """One room: who owns it, what it can do, who is at work."""
    found = server.get(f"/api/rooms/{room}")
    extensions = server.get(f"/api/rooms/{room}/extensions")["items"]
    output.facts({name: cell(found) for name, cell in COLUMNS.items()}, found | {"extensions": extensions}, json=json)
    if extensions and not json:
        print()
        output.rows(extensions, EXTENSIONS, json=False)


EXTENSIONS: output.Columns = {
    "extension": lambda one: f"{one['category']}/{one['name']}",
    "scope": lambda one: one["scope"],
    "idle": lambda one: one["idleWorkers"],
    "busy": lambda one: one["busyWorkers"],
    "waiting": lambda one: one["pendingJobs"],
}


@app.command()
@talks(as_admin=False)
def create(
    server: Server,
    room: RoomName,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    private: Annotated[bool, typer.Option("--private", help="Only members see it.")] = False,
    json: JsonOption = False,
) -> None:
    """Make a room; it is yours."""
    body = {"name": room, "description": description, "visibility": "private" if private else "public"}
    made = server.post("/api/rooms", body)
    output.done(f"Made room {room}: {server.url}/rooms/{room}", made, json=json)


@app.command()
@talks()
def delete(
    server: Server,
    room: RoomName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: JsonOption = False,
) -> None:
    """Delete a room with everything in it. There is no way back."""
    server.get(f"/api/rooms/{room}")
    if not yes and not _agreed(f"Delete room {room} with all its data?"):
        raise BadInput("Nothing was deleted. Say --yes to delete without being asked.")
    server.delete(f"/api/rooms/{room}")
    output.done(f"Deleted room {room}.", {"name": room, "deleted": True}, json=json)


@app.command()
@talks()
def lock(server: Server, room: RoomName, json: JsonOption = False) -> None:
    """Let nobody but its owners change a room."""
    _changed(server, room, {"locked": True}, f"Room {room} is locked.", json=json)


@app.command()
@talks()
def unlock(server: Server, room: RoomName, json: JsonOption = False) -> None:
    """Let everybody who may change a room again."""
    _changed(server, room, {"locked": False}, f"Room {room} is open.", json=json)


@app.command()
@talks(as_admin=False)
def duplicate(
    server: Server,
    room: RoomName,
    name: Annotated[str, typer.Argument(metavar="NEW", help="What the copy is called.")],
    json: JsonOption = False,
) -> None:
    """Make a room like another one; the copy is yours."""
    made = server.post(f"/api/rooms/{room}/duplicate", {"name": name})
    output.done(f"Made room {name}, a copy of {room}.", made, json=json)


def _changed(server: Server, room: str, change: dict[str, Any], words: str, *, json: bool) -> None:
    output.done(words, server.patch(f"/api/rooms/{room}", change), json=json)


def _agreed(question: str) -> bool:
    import sys

    return sys.stdin.isatty() and typer.confirm(question)
