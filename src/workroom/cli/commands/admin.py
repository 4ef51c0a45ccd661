"""`workroom admin`: accounts, the audit, and every queue."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, talks
from workroom.cli.output import JsonOption
from workroom.domain.errors import NotFound

app = typer.Typer(name="admin", help="For admins: accounts, the audit, every queue.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="USER", help="The account's name.")]

USERS: output.Columns = {
    "user": lambda one: one["name"],
    "role": lambda one: one["role"],
    "disabled": lambda one: one["disabled"],
    "created": lambda one: output.moment(one["createdAt"]),
    "id": lambda one: one["id"],
}
AUDIT: output.Columns = {
    "when": lambda one: output.moment(one["at"]),
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
    "mean": lambda one: None if one["meanRunMs"] is None else output.span(one["meanRunMs"] / 1000),
}


@app.command()
@talks()
def users(
    server: Server,
    search: Annotated[str, typer.Argument(help="Part of the name.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 100,
    json: JsonOption = False,
) -> None:
    """All accounts, by name."""
    output.rows(server.get("/api/users", q=search, limit=limit)["items"], USERS, json=json)


@app.command()
@talks()
def promote(server: Server, name: Name, json: JsonOption = False) -> None:
    """Make a user an admin; a guest first needs a password (reset-password)."""
    _changed(server, name, {"role": "admin"}, f"{name} is an admin now.", json=json)


@app.command()
@talks()
def demote(server: Server, name: Name, json: JsonOption = False) -> None:
    """Make an admin a user; they are signed out."""
    _changed(server, name, {"role": "user"}, f"{name} is a user now.", json=json)


@app.command()
@talks()
def disable(server: Server, name: Name, json: JsonOption = False) -> None:
    """Let nobody sign in as this user any more; they are signed out."""
    _changed(server, name, {"disabled": True}, f"{name} is disabled.", json=json)


@app.command()
@talks()
def enable(server: Server, name: Name, json: JsonOption = False) -> None:
    """Let a disabled user sign in again."""
    _changed(server, name, {"disabled": False}, f"{name} is enabled.", json=json)


@app.command()
@talks()
def delete(server: Server, name: Name, json: JsonOption = False) -> None:
    """Delete an account. Jobs and rooms keep naming it, so its name stays taken."""
    account = _account(server, name)
    server.delete(f"/api/users/{account['id']}")
    output.done(f"{name} is deleted.", {"id": account["id"], "name": name, "deleted": True}, json=json)


@app.command(name="reset-password")
@talks()
def reset_password(server: Server, name: Name, json: JsonOption = False) -> None:
    """Give somebody a new random password, shown this once; they are signed out."""
    answer = server.post(f"/api/users/{_account(server, name)['id']}/reset")
    output.done(f"The new password of {name}: {answer['password']}", answer | {"name": name}, json=json)


@app.command()
@talks()
def audit(
    server: Server,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 50,
    json: JsonOption = False,
) -> None:
    """What was done by whom, newest first."""
    output.rows(server.get("/api/admin/audit", limit=limit)["items"], AUDIT, json=json, empty="Nothing yet.")


@app.command()
@talks()
def queues(server: Server, json: JsonOption = False) -> None:
    """Every extension and function, the fullest queue first: who runs it, and what waits."""
    found = server.get("/api/admin/queues", limit=500)["items"]
    output.rows(found, QUEUES, json=json, empty="No extensions, no functions.")


def _account(server: Server, name: str) -> dict[str, Any]:
    found = server.get("/api/users", q=name, limit=500)["items"]
    for account in found:
        if account["name"].lower() == name.lower():
            return account
    raise NotFound(f"There is no account {name!r}. `workroom admin users` lists them.")


def _changed(server: Server, name: str, change: dict[str, Any], words: str, *, json: bool) -> None:
    output.done(words, server.patch(f"/api/users/{_account(server, name)['id']}", change), json=json)
