"""`workroom admin`: accounts, the audit log, and all queues."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, server_command
from workroom.cli.output import JsonOption
from workroom.domain.errors import NotFound

app = typer.Typer(name="admin", help="For admins: accounts, the audit log, all queues.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="USER", help="The account's name.")]

USERS: output.Columns = {
    "user": lambda one: one["name"],
    "role": lambda one: one["role"],
    "disabled": lambda one: one["disabled"],
    "created": lambda one: output.local_time(one["createdAt"]),
    "id": lambda one: one["id"],
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
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 100,
    json: JsonOption = False,
) -> None:
    """List accounts by name."""
    output.print_rows(server.get("/api/users", q=search, limit=limit)["items"], USERS, json=json)


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
def delete(server: Server, name: Name, json: JsonOption = False) -> None:
    """Delete an account. Jobs and rooms still refer to it, so its name cannot be used again."""
    account = _account(server, name)
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
def audit(
    server: Server,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 50,
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


def _account(server: Server, name: str) -> dict[str, Any]:
    found = server.get("/api/users", q=name, limit=500)["items"]
    for account in found:
        if account["name"].lower() == name.lower():
            return account
    raise NotFound(f"There is no account {name!r}. `workroom admin users` lists them.")


def _patch(server: Server, name: str, change: dict[str, Any], text: str, *, json: bool) -> None:
    output.print_result(text, server.patch(f"/api/users/{_account(server, name)['id']}", change), json=json)
