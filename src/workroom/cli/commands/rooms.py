"""`workroom rooms`: list, show, create, change, delete, lock, duplicate and download rooms."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, server_command
from workroom.cli.output import JsonOption, confirmed
from workroom.domain.errors import BadInput
from workroom.domain.names import category_name, extension_name, room_path
from workroom.domain.rooms.rights import ExtensionsFrom

app = typer.Typer(
    name="rooms", help="Rooms: list, show, create, change, lock, duplicate, download, delete.", no_args_is_help=True
)
RoomName = Annotated[str, typer.Argument(metavar="ROOM", help="The room's name.")]


class Visibility(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"


COLUMNS: output.Columns = {
    "room": lambda one: one["name"],
    "visibility": lambda one: one["visibility"],
    "locked": lambda one: one["locked"],
    "owner": lambda one: one["owner"],
    "extensions from": lambda one: one["extensionsFrom"],
    "rights": lambda one: one["rights"],
    "created": lambda one: output.local_time(one["createdAt"]),
    "description": lambda one: one["description"],
}


@app.command(name="list")
@server_command()
def list_(
    server: Server,
    search: Annotated[str, typer.Argument(help="Text in the name or description.")] = "",
    limit: output.LimitOption = 100,
    json: JsonOption = False,
) -> None:
    """List the rooms that you may see, by name."""
    output.print_rows(server.get("/api/rooms", q=search, limit=limit)["items"], COLUMNS, json=json, empty="No rooms.")


@app.command(name="show")
@server_command()
def show_(server: Server, room: RoomName, json: JsonOption = False) -> None:
    """Show a room and its extensions."""
    found = server.get(room_path(room))
    extensions: list[dict[str, Any]] = server.get(f"{room_path(room)}/extensions")["items"]
    extensions.sort(key=lambda one: one["scope"] == "builtin")  # the room's own first
    output.print_fields(
        {name: cell(found) for name, cell in COLUMNS.items()}, found | {"extensions": extensions}, json=json
    )
    if extensions and not json:
        print()
        output.print_rows(extensions, EXTENSIONS, json=False)


EXTENSIONS: output.Columns = {
    "extension": lambda one: f"{one['category']}/{one['name']}",
    "scope": lambda one: one["scope"],
    "idle": lambda one: one["idleWorkers"],
    "busy": lambda one: one["busyWorkers"],
    "waiting": lambda one: one["pendingJobs"],
    "state": lambda one: _extension_state(one),  # noqa: PLW0108 - defined below
}


def _extension_state(extension: dict[str, Any]) -> str:
    if extension["lastOfferedAt"] is None:
        return extension["state"]
    by = f" by {extension['lastOfferedBy']}" if extension["lastOfferedBy"] else ""
    return f"offline: last offered{by}, until {output.local_time(extension['lastOfferedAt'])}"


@app.command()
@server_command(as_admin=False)
def create(
    server: Server,
    room: RoomName,
    description: Annotated[str, typer.Option(help="The room's description.")] = "",
    private: Annotated[bool, typer.Option("--private", help="Only members see it.")] = False,
    json: JsonOption = False,
) -> None:
    """Create a room. You own it."""
    body = {"name": room, "description": description, "visibility": "private" if private else "public"}
    made = server.post("/api/rooms", body)
    output.print_result(f"Created room {room}: {server.url}/rooms/{room}", made, json=json)


@app.command(name="set")
@server_command()
def set_(
    server: Server,
    room: RoomName,
    description: Annotated[str | None, typer.Option(help="The room's description.")] = None,
    visibility: Annotated[Visibility | None, typer.Option(help="Who may see it.")] = None,
    extensions_from: Annotated[
        ExtensionsFrom | None, typer.Option(help="Who may offer extensions while the room is public.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Change a room that you own. Workers whose accounts may no longer offer extensions end."""
    options = {"description": description, "visibility": visibility, "extensionsFrom": extensions_from}
    change = {name: value for name, value in options.items() if value is not None}
    if not change:
        raise BadInput("Nothing to change. Give --description, --visibility or --extensions-from.")
    _patch(server, room, change, f"Changed room {room}.", json=json)


@app.command()
@server_command()
def delete(
    server: Server,
    room: RoomName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    json: JsonOption = False,
) -> None:
    """Delete a room and all its data. This cannot be undone."""
    server.get(room_path(room))
    if not yes and not confirmed(f"Delete room {room} with all its data?"):
        raise BadInput("Nothing was deleted. Give --yes to delete without confirmation.")
    server.delete(room_path(room))
    output.print_result(f"Deleted room {room}.", {"name": room, "deleted": True}, json=json)


@app.command(name="remove-extension")
@server_command()
def remove_extension(
    server: Server,
    room: RoomName,
    extension: Annotated[str, typer.Argument(metavar="CATEGORY/NAME", help="The extension, e.g. modifiers/Relax.")],
    scope: Annotated[
        str | None, typer.Option(help="room or global, where both have the name. Default: that of the room.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Remove an extension that no worker offers any more. Its waiting jobs are cancelled."""
    category, slash, name = extension.partition("/")
    if not (category and slash and name):
        raise BadInput(f"{extension!r} has no category: write CATEGORY/NAME. `workroom rooms show {room}` lists them.")
    path = f"{room_path(room)}/extensions/{category_name(category)}/{extension_name(name)}"
    server.delete(path, scope=scope)
    output.print_result(f"Removed {extension} from {room}.", {"extension": extension, "removed": True}, json=json)


@app.command()
@server_command()
def lock(server: Server, room: RoomName, json: JsonOption = False) -> None:
    """Lock a room: only its owners can change it."""
    _patch(server, room, {"locked": True}, f"Room {room} is locked.", json=json)


@app.command()
@server_command()
def unlock(server: Server, room: RoomName, json: JsonOption = False) -> None:
    """Unlock a room."""
    _patch(server, room, {"locked": False}, f"Room {room} is unlocked.", json=json)


@app.command()
@server_command(as_admin=False)
def duplicate(
    server: Server,
    room: RoomName,
    name: Annotated[str, typer.Argument(metavar="NEW", help="The name of the copy.")],
    json: JsonOption = False,
) -> None:
    """Duplicate a room. You own the copy."""
    made = server.post(f"{room_path(room)}/duplicate", {"name": name})
    output.print_result(f"Created room {name}, a copy of {room}.", made, json=json)


def download(
    server: Server,
    room: RoomName,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to write. Default: ROOM.extxyz here.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(help="extxyz, xyz, cif, pdb, traj or h5md. Default: by the suffix of FILE.")
    ] = None,
    start: Annotated[int | None, typer.Option(help="The first frame, as in a Python slice.")] = None,
    stop: Annotated[int | None, typer.Option(help="The frame after the last one.")] = None,
    step: Annotated[int | None, typer.Option(help="Every n-th frame.")] = None,
    selection: Annotated[
        str | None, typer.Option(help="Only these atoms: indices such as 0,1,5, or the name of a selection.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    json: JsonOption = False,
) -> None:
    """Download the frames of a room as a file."""
    from workroom.client.frames.files import download_params

    target = file or Path(f"{room}.{format or 'extxyz'}")
    params = download_params(target.suffix, format, start, stop, step, selection)
    if not target.absolute().parent.is_dir():
        raise BadInput(f"There is no folder {target.absolute().parent}.")
    if target.is_dir():
        raise BadInput(f"{target} is a folder. Name a file in it: {target / f'{room}.extxyz'}.")
    if target.exists() and not force:
        raise BadInput(f"{target} exists. Give another FILE, or --force to replace it.")
    server.get(room_path(room))
    server.save(f"{room_path(room)}/files", params, target)
    size = target.stat().st_size
    answer = {"room": room, "file": str(target), "format": params["format"], "bytes": size}
    output.print_result(f"{target}: {size:,} bytes", answer, json=json)


app.command(name="download")(server_command()(download))
app.command(name="export", help="The same as `workroom rooms download`.")(server_command()(download))


def _patch(server: Server, room: str, change: dict[str, Any], text: str, *, json: bool) -> None:
    output.print_result(text, server.patch(room_path(room), change), json=json)
