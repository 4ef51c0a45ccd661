"""`workroom admin`: accounts, quotas, the audit log, and all queues, which can be paused and adjusted."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, server_command
from workroom.cli.output import JsonOption, confirmed
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.names import room_path

app = typer.Typer(name="admin", help="For admins: accounts, quotas, the audit log, all queues.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="USER", help="The account's name.")]
Subject = Annotated[str, typer.Argument(metavar="USER_OR_ROOM", help="An account; with --room a room.")]
IsRoom = Annotated[bool, typer.Option("--room", help="The name is that of a room.")]

USERS: output.Columns = {
    "user": lambda one: one["name"],
    "role": lambda one: one["role"],
    "disabled": lambda one: one["disabled"],
    "created": lambda one: output.local_time(one["createdAt"]),
    "id": lambda one: one["id"],
}
QUOTAS: output.Columns = {
    "quota": lambda one: one["name"],
    "used": lambda one: one["used"],
    "limit": lambda one: "none" if one["limit"] is None else one["limit"],
    "meaning": lambda one: one["meaning"],
}
SPACE: output.Columns = {
    "room": lambda one: one["room"],
    "owner": lambda one: one["owner"],
    "bytes": lambda one: one["bytes"],
    "frames": lambda one: one["frames"],
}
AUDIT: output.Columns = {
    "when": lambda one: output.local_time(one["at"]),
    "who": lambda one: one["actorName"] or "the server",
    "did": lambda one: one["act"],
    "to": lambda one: one["subject"],
    "detail": lambda one: ", ".join(f"{key}={value}" for key, value in one["detail"].items()),
}
QUEUES: output.Columns = {
    "queue": lambda one: f"{one['category']}/{one['name']}",
    "scope": lambda one: one["scope"],
    "room": lambda one: one["room"],
    "paused": lambda one: one["paused"],
    "at once": lambda one: one["concurrency"],
    "priority": lambda one: one["priority"],
    "breakers": lambda one: one["breakersOpen"],
    "idle": lambda one: one["idleWorkers"],
    "busy": lambda one: one["busyWorkers"],
    "waiting": lambda one: one["pendingJobs"],
    "blocked": lambda one: one["blockedJobs"],
    "active": lambda one: one["activeJobs"],
    "completed": lambda one: one["completedJobs"],
    "failed": lambda one: one["failedJobs"],
    "mean": lambda one: None if one["meanRunMs"] is None else output.duration(one["meanRunMs"] / 1000),
}


@app.command()
@server_command()
def users(
    server: Server,
    search: Annotated[str, typer.Argument(help="Part of the name.")] = "",
    limit: output.LimitOption = 100,
    json: JsonOption = False,
) -> None:
    """List accounts by name."""
    output.print_rows(server.get("/api/users", q=search, limit=limit)["items"], USERS, json=json)


@app.command()
@server_command()
def create(
    server: Server,
    name: Name,
    admin: Annotated[bool, typer.Option("--admin", help="Make it an admin.")] = False,
    json: JsonOption = False,
) -> None:
    """Create an account with a random password and print it. `workroom login` signs in with it."""
    made = server.post("/api/users", {"name": name, "role": "admin" if admin else "user"})
    output.print_result(f"Created {name}. The password: {made['password']}", made, json=json)


@app.command()
@server_command()
def promote(server: Server, name: Name, json: JsonOption = False) -> None:
    """Make a user an admin. A guest needs a password first (reset-password)."""
    _patch(server, name, {"role": "admin"}, f"{name} is an admin now.", json=json)


@app.command()
@server_command()
def demote(server: Server, name: Name, json: JsonOption = False) -> None:
    """Make an admin a normal user. The account is signed out."""
    _patch(server, name, {"role": "user"}, f"{name} is a user now.", json=json)


@app.command()
@server_command()
def disable(server: Server, name: Name, json: JsonOption = False) -> None:
    """Disable an account: it is signed out and cannot sign in."""
    _patch(server, name, {"disabled": True}, f"{name} is disabled.", json=json)


@app.command()
@server_command()
def enable(server: Server, name: Name, json: JsonOption = False) -> None:
    """Enable a disabled account."""
    _patch(server, name, {"disabled": False}, f"{name} is enabled.", json=json)


@app.command()
@server_command()
def delete(
    server: Server,
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    json: JsonOption = False,
) -> None:
    """Delete an account. Its rooms and jobs stay without its name. This cannot be undone; `disable` can."""
    account = _account(server, name)
    if not yes and not confirmed(f"Delete the account {name}?"):
        raise BadInput("Nothing was deleted. Give --yes to delete without confirmation.")
    server.delete(f"/api/users/{account['id']}")
    output.print_result(f"{name} is deleted.", {"id": account["id"], "name": name, "deleted": True}, json=json)


@app.command(name="reset-password")
@server_command()
def reset_password(server: Server, name: Name, json: JsonOption = False) -> None:
    """Set a new random password and print it. The account is signed out."""
    answer = server.post(f"/api/users/{_account(server, name)['id']}/reset")
    output.print_result(f"The new password of {name}: {answer['password']}", answer | {"name": name}, json=json)


@app.command()
@server_command()
def quotas(server: Server, name: Subject, room: IsRoom = False, json: JsonOption = False) -> None:
    """List what an account or a room uses, and its limits."""
    output.print_rows(server.get(_quotas_of(server, name, room))["items"], QUOTAS, json=json)


@app.command(name="set-quota")
@server_command()
def set_quota(
    server: Server,
    name: Subject,
    quota: Annotated[str, typer.Argument(help="The quota, e.g. bytes.")],
    value: Annotated[str, typer.Argument(help="The limit, or `default`.")],
    room: IsRoom = False,
    json: JsonOption = False,
) -> None:
    """Set a limit of an account or a room."""
    if value != "default" and not value.replace("_", "").isdigit():
        raise BadInput(f"{value!r} is no limit: give a whole number, or `default`.")
    limit = None if value == "default" else int(value)
    answer = server.put(_quotas_of(server, name, room), {"limits": {quota: limit}})
    output.print_rows(answer["items"], QUOTAS, json=json)


@app.command()
@server_command()
def space(
    server: Server,
    limit: output.LimitOption = 50,
    json: JsonOption = False,
) -> None:
    """List the rooms that take most space."""
    output.print_rows(server.get("/api/admin/rooms", limit=limit)["items"], SPACE, json=json, empty="No rooms.")


@app.command()
@server_command()
def audit(
    server: Server,
    limit: output.LimitOption = 50,
    json: JsonOption = False,
) -> None:
    """List the audit log, newest first."""
    output.print_rows(server.get("/api/admin/audit", limit=limit)["items"], AUDIT, json=json, empty="Nothing yet.")


@app.command()
@server_command()
def queues(server: Server, json: JsonOption = False) -> None:
    """List all extensions and functions with their workers and queues, the longest queue first."""
    found = server.get("/api/admin/queues", limit=500)["items"]
    output.print_rows(found, QUEUES, json=json, empty="No extensions, no functions.")


QueueName = Annotated[
    str, typer.Argument(metavar="CATEGORY/NAME", help="The queue, as `workroom admin queues` lists it.")
]
QueueRoom = Annotated[str | None, typer.Option(help="The room, for an extension of one room.")]


@app.command()
@server_command()
def pause(server: Server, queue: QueueName, room: QueueRoom = None, json: JsonOption = False) -> None:
    """Pause a queue: no further job of it is assigned. Running jobs continue, new ones wait."""
    _set_paused(server, queue, room, "pause", json=json)


@app.command()
@server_command()
def resume(server: Server, queue: QueueName, room: QueueRoom = None, json: JsonOption = False) -> None:
    """Resume a paused queue: its waiting jobs are assigned."""
    _set_paused(server, queue, room, "resume", json=json)


@app.command()
@server_command()
def adjust(
    server: Server,
    queue: QueueName,
    room: QueueRoom = None,
    concurrency: Annotated[
        int | None,
        typer.Option(min=0, max=10_000, help="How many jobs one worker takes at once; 0: as many as it has slots."),
    ] = None,
    priority: Annotated[
        int | None, typer.Option(min=0, max=10, help="Of jobs that are submitted without one; 10 is most urgent.")
    ] = None,
    as_registered: Annotated[
        bool, typer.Option("--as-registered", help="The next worker that registers sets both again.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Change the concurrency or the priority of a queue. Workers that register later leave both as they are."""
    if concurrency is None and priority is None and not as_registered:
        raise BadInput("Name what to change: --concurrency, --priority or --as-registered.")
    change = {"concurrency": concurrency, "priority": priority, "asRegistered": as_registered}
    answer = server.put("/api/admin/queues", _named(queue, room) | change)
    slots = answer["concurrency"]
    jobs = "as many jobs as its slots" if slots is None else output.count(slots, "job")
    by = "set by an admin" if answer["adjusted"] else "until the next worker registers"
    output.print_result(
        f"{queue}: {jobs} at once on each worker, priority {answer['priority']}, {by}.", answer, json=json
    )


@app.command(name="close-breakers")
@server_command()
def close_breakers(server: Server, queue: QueueName, room: QueueRoom = None, json: JsonOption = False) -> None:
    """Close the breakers of a queue: workers that failed too often in a row get its jobs again at once."""
    answer = server.post("/api/admin/queues/breakers", _named(queue, room))
    text = f"Closed: the failures of {output.count(answer['workers'], 'worker')} no longer count."
    output.print_result(text if answer["workers"] else f"No worker has failures of {queue}.", answer, json=json)


def _named(queue: str, room: str | None) -> dict[str, Any]:
    category, slash, name = queue.partition("/")
    if not (category and slash and name):
        raise BadInput(f"{queue!r} has no category: write CATEGORY/NAME. `workroom admin queues` lists them.")
    return {"category": category, "name": name, "room": room}


def _set_paused(server: Server, queue: str, room: str | None, act: str, *, json: bool) -> None:
    answer = server.post(f"/api/admin/queues/{act}", _named(queue, room))
    again = "" if answer["changed"] else " already"
    output.print_result(f"{queue} is {'paused' if answer['paused'] else 'running'}{again}.", answer, json=json)


def _account(server: Server, name: str) -> dict[str, Any]:
    found = server.get("/api/users", q=name, limit=500)["items"]
    for account in found:
        if account["name"].lower() == name.lower():
            return account
    raise NotFound(f"There is no account {name!r}. `workroom admin users` lists them.")


def _quotas_of(server: Server, name: str, room: bool) -> str:
    return f"{room_path(name)}/quotas" if room else f"/api/users/{_account(server, name)['id']}/quotas"


def _patch(server: Server, name: str, change: dict[str, Any], text: str, *, json: bool) -> None:
    output.print_result(text, server.patch(f"/api/users/{_account(server, name)['id']}", change), json=json)
