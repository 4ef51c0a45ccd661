"""`workroom token`: API tokens, with which programs sign in for months."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import quote

import typer

from workroom.cli import output
from workroom.cli.api import Server, server_command
from workroom.cli.output import JsonOption
from workroom.domain.errors import BadInput
from workroom.domain.scopes import DEFAULT_SCOPES

app = typer.Typer(
    name="token", help="API tokens: create, list, revoke. Programs sign in with them.", no_args_is_help=True
)

_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class Scope(StrEnum):
    """What a token may do."""

    READ = "read"
    WRITE = "write"
    WORKER = "worker"
    METRICS = "metrics"
    ADMIN = "admin"


COLUMNS: output.Columns = {
    "name": lambda one: one["name"],
    "token": lambda one: one["hint"] + "…",
    "scopes": lambda one: " ".join(one["scopes"]),
    "created": lambda one: output.local_time(one["createdAt"]),
    "last used": lambda one: output.local_time(one["lastUsedAt"]) or "never",
    "expires": lambda one: "expired" if one["expired"] else output.local_time(one["expiresAt"]) or "never",
}


@app.command()
@server_command()
def create(
    server: Server,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, e.g. that of the machine that uses it.")],
    scope: Annotated[
        list[Scope] | None,
        typer.Option(help=f"What it may do; can be repeated. Default: {' and '.join(DEFAULT_SCOPES)}."),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When it expires, e.g. 12h, 90d or 2027-01-31. Default: never."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make an API token of your account and print it. It is not shown again.

    A token never does more than your account may do. Programs take it as WORKROOM_TOKEN.
    """
    body: dict[str, Any] = {"name": name, "scopes": scope or list(DEFAULT_SCOPES)}
    if expires is not None:
        body["expiresAt"] = _expiry(expires).isoformat()
    made = server.post("/api/users/me/tokens", body)
    output.print_result(made["token"], made, json=json)


@app.command(name="list")
@server_command()
def list_(server: Server, json: JsonOption = False) -> None:
    """List your API tokens."""
    output.print_rows(server.get("/api/users/me/tokens")["items"], COLUMNS, json=json, empty="No API tokens.")


@app.command()
@server_command()
def revoke(
    server: Server,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the token.")],
    json: JsonOption = False,
) -> None:
    """Revoke an API token. Its connections are closed, and the workers that it registered end."""
    server.delete(f"/api/users/me/tokens/{quote(name, safe='')}")
    output.print_result(f"Revoked the token {name}.", {"revoked": name}, json=json)


def _expiry(text: str) -> datetime:
    """A time from now like 90d, or a date; without a zone in that of this machine."""
    unit = _UNITS.get(text[-1:])
    if unit is not None and text[:-1].isdecimal() and 0 < int(text[:-1]) < 100_000:
        return datetime.now(UTC) + int(text[:-1]) * unit
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        raise BadInput(f"{text!r} is not a time: use e.g. 12h, 90d, 4w or 2027-01-31.") from None
