"""`workroom login`, `logout` and `whoami`: a login that is kept, for each server."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from workroom.cli import output
from workroom.cli.api import Server, server_command
from workroom.cli.output import JsonOption
from workroom.domain.errors import BadInput

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
    told = {"url": at, "user": name, "role": role, "file": str(file)}
    output.print_result(f"Signed in as {name} ({role}) at {at}. The login is kept in {file}.", told, json=json)


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
