"""`workroom login`, `logout` and `whoami`: a login that is kept, for each server. `workroom token`: API tokens."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, server_command
from workroom.cli.output import JsonOption
from workroom.domain.api_token_scopes import DEFAULT_SCOPES
from workroom.domain.errors import BadInput
from workroom.domain.names import api_token_name

if TYPE_CHECKING:
    from workroom.client.net.login_tokens import Login

UrlOption = Annotated[
    str | None,
    typer.Option(envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine."),
]


def login(
    url: UrlOption = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="The user. Default: asked for.")] = None,
    password: Annotated[
        str | None,
        typer.Option(envvar="WORKROOM_PASSWORD", help="The password. Default: asked for, or read from a pipe."),
    ] = None,
    code: Annotated[
        str | None,
        typer.Option(help="A one-time code from the account page of the web app, instead of user and password."),
    ] = None,
    token_name: Annotated[
        str | None,
        typer.Option(help="Keep an API token of this name instead, which stays valid until it is revoked."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Sign in at a server and keep the login, for all commands and for `Room` in Python.

    Only a token is kept, in a file that only you can read. The server of the last login is used where no server is
    named and none runs on this machine.
    """
    from pydantic import SecretStr

    from workroom.client.discovery import server_url
    from workroom.client.net.http import ApiClient, http_client
    from workroom.client.net.login_tokens import Login, UserTokens
    from workroom.client.net.saved_logins import SavedLogin, save
    from workroom.client.portal import background

    at = server_url(url)
    if code:
        if user or password:
            raise BadInput(
                "Give a code, or a user and a password, not both. WORKROOM_USER and WORKROOM_PASSWORD count."
            )
        given = Login(code=SecretStr(code))
    else:
        given = _with_password(at, user, password)

    async def sign_in() -> tuple[str, str, str]:
        async with http_client(at) as http:
            tokens = UserTokens(http, given, keep=True)
            access = ApiClient(at, http, tokens, retry_seconds=0)
            token = await access.with_retries(tokens.token, may_repeat=False)
            if token_name:
                token = (await access.post("/api/users/me/tokens", {"name": token_name}))["token"]
            return token, tokens.user, tokens.role

    token, name, role = background().call(sign_in())
    file = save(SavedLogin(at, name, token))
    login = {"url": at, "user": name, "role": role, "file": str(file)}
    output.print_result(f"Signed in as {name} ({role}) at {at}. The login is kept in {file}.", login, json=json)


def _with_password(at: str, user: str | None, password: str | None) -> Login:
    from workroom.client.discovery import guest_name
    from workroom.client.net.login_tokens import Login

    is_terminal = sys.stdin.isatty()
    if not user:
        if not is_terminal:
            raise BadInput("Name the user: --user or WORKROOM_USER.")
        user = str(typer.prompt(f"User at {at}", default=guest_name()))
    if not password:
        password = typer.prompt(f"Password of {user}", hide_input=True) if is_terminal else sys.stdin.readline().strip()
    if not password:
        raise BadInput("Give the password: at the prompt, in a pipe, by --password or WORKROOM_PASSWORD.")
    return Login.of(user, password, None, url=at)


def logout(
    url: UrlOption = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Revoke all tokens of the account: also browsers are signed out.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Remove the login that `workroom login` has kept for a server."""
    from workroom.client.discovery import server_url
    from workroom.client.net.login_tokens import API_TOKEN_PREFIX
    from workroom.client.net.saved_logins import remove, saved_login

    at = server_url(url)
    login = saved_login(at)
    if login is None:
        raise BadInput(f"No login is kept for {at}. `workroom whoami` shows who you are there.")
    if everywhere and login.token.startswith(API_TOKEN_PREFIX):
        raise BadInput(
            "The kept login is an API token, which cannot sign out others. Sign out on the web page, or as a user with "
            "a password: `workroom login`."
        )
    if everywhere:
        server = Server(at, token=login.token)
        try:
            server.post("/api/logout")
        finally:
            server.close()
    remove(at)
    output.print_result(f"Signed out {login.user} at {at}.", {"url": at, "user": login.user}, json=json)


@server_command(as_admin=False)
def whoami(server: Server, json: JsonOption = False) -> None:
    """Show the server and the account that commands and `Room` use."""
    me = server.me()
    facts = {"user": me["name"], "role": me["role"], "server": server.url}
    output.print_fields(facts, me | {"server": server.url}, json=json)


token = typer.Typer(
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


@token.command()
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


@token.command(name="list")
@server_command()
def list_(server: Server, json: JsonOption = False) -> None:
    """List your API tokens."""
    output.print_rows(server.get("/api/users/me/tokens")["items"], COLUMNS, json=json, empty="No API tokens.")


@token.command()
@server_command()
def revoke(
    server: Server,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the token.")],
    json: JsonOption = False,
) -> None:
    """Revoke an API token. Its connections are closed, and the workers that it registered end."""
    server.delete(f"/api/users/me/tokens/{api_token_name(name)}")
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
