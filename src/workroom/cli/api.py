"""Requests of commands to a server, and the options that name the server and the user."""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints
from uuid import UUID

import typer

from workroom.cli.ids import SEARCHED, match_id
from workroom.domain.errors import NotSignedIn, ServerUnreachable

if TYPE_CHECKING:
    from workroom.client.net.login_tokens import Login

SERVER_OPTIONS: dict[str, Any] = {
    "url": Annotated[
        str | None,
        typer.Option("--url", envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine."),
    ],
    "user": Annotated[
        str | None,
        typer.Option(
            "--user", envvar="WORKROOM_USER", help="The user to sign in as. Default: the user of this machine."
        ),
    ],
    "password": Annotated[
        str | None,
        typer.Option(
            "--password",
            envvar="WORKROOM_PASSWORD",
            help="The user's password. Asked for on a terminal if it is missing.",
        ),
    ],
    "token": Annotated[
        str | None, typer.Option("--token", envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
    ],
}


class Server:
    """Blocking requests to a server."""

    def __init__(
        self,
        url: str | None = None,
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        *,
        as_admin: bool = False,
    ) -> None:
        from workroom.client import discovery
        from workroom.client.net.login_tokens import Login

        self.url = discovery.server_url(url)
        self._login: tuple[str | None, str | None, str | None] = (user, password, token)
        # On the server's machine, an OS user who can read the admin's password file acts as the admin, unless a user
        # was named.
        local = url is None and not os.environ.get("WORKROOM_URL")
        if (
            as_admin
            and local
            and not Login.is_chosen(user, password, token, url=self.url)
            and discovery.admin_password(self.url)
        ):
            self._login = ("admin", None, None)  # with that password
        self._access: Any = None
        self.password = password  # that was given or typed

    def get(self, path: str, **params: Any) -> Any:
        return self._request("GET", path, params={key: value for key, value in params.items() if value is not None})

    def post(self, path: str, body: Any = None) -> Any:
        return self._request("POST", path, body=body)

    def put(self, path: str, body: Any) -> Any:
        return self._request("PUT", path, body=body)

    def patch(self, path: str, body: Any) -> Any:
        return self._request("PATCH", path, body=body)

    def delete(self, path: str, **params: Any) -> Any:
        return self._request("DELETE", path, params={key: value for key, value in params.items() if value is not None})

    def download(self, path: str, **params: Any) -> bytes:
        """The body of a response that is not JSON."""
        from workroom.client.frames.files import FileSink

        content = io.BytesIO()
        given = {key: value for key, value in params.items() if value is not None}
        self.call(self.client().download(path, given, FileSink(content)))
        return content.getvalue()

    def save(self, path: str, params: dict[str, Any], file: Path) -> None:
        """Write the body of a response to a file, which appears when it is complete."""
        from workroom.client.frames.files import save_response

        self.call(save_response(self.client(), path, params, file))

    def upload(self, path: str, file: Path) -> Any:
        """Send a file as the body of a request."""
        from workroom.client.frames.files import content

        self.me()  # a stream cannot be repeated, so this request renews an expired token before
        headers = {"Content-Type": "application/octet-stream"}
        return self.call(self.client().upload(path, {"name": file.name}, content(file), headers))

    def me(self) -> dict[str, Any]:
        return self.get("/api/users/me")

    def close(self) -> None:
        if self._access is not None:
            self.call(self._access.http.aclose())

    def client(self) -> Any:
        """The `ApiClient` of these requests, for other parts that use the same login."""
        if self._access is None:
            self._access = self._open_or_ask()
        return self._access

    def _request(self, method: str, path: str, **more: Any) -> Any:
        return self.call(self.client().request(method, path, **more))

    def _open_or_ask(self) -> Any:
        """Ask for the password on a terminal, if the user needs one and none was given."""
        from workroom.client.discovery import guest_name
        from workroom.client.net.login_tokens import Login

        asks = sys.stdin.isatty() and sys.stderr.isatty()
        user: str | None = self._login[0] or os.environ.get("WORKROOM_USER") or guest_name()
        try:
            login = Login.of(*self._login, url=self.url)
            opened = self._open(login)
            asks = asks and not (login.password or login.token)
            if asks:
                self.call(opened.with_retries(opened.tokens.token, may_repeat=False))
            return opened
        except NotSignedIn as error:
            if not asks:
                raise
            print(error.message, file=sys.stderr)
        self.password = str(typer.prompt(f"Password of {user}", hide_input=True, err=True))
        return self._open(Login.of(user, self.password, None, url=self.url))

    def _open(self, login: Login) -> Any:
        from workroom.client.net.http import ApiClient, http_client
        from workroom.client.net.login_tokens import UserTokens

        http = http_client(self.url)
        return ApiClient(self.url, http, UserTokens(http, login), retry_seconds=0)

    def call(self, coroutine: Any) -> Any:
        from workroom.client.portal import background

        return background().call(coroutine)


def asked_password(url: str | None, user: str | None, password: str | None, token: str | None) -> str | None:
    """The password for commands that sign in by themselves, asked for on a terminal where the user needs one."""
    if password or token or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return password
    server = Server(url, user)
    with suppress(ServerUnreachable):  # the command waits for the server, or tells so
        try:
            server.client()
        finally:
            server.close()
    return server.password


def server_command(*, as_admin: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command whose first argument is the server: adds the options that name it, and prints errors.

    With `as_admin` the command acts as the admin if no user is given and the admin's password file is readable.
    """

    def make(command: Callable[..., None]) -> Callable[..., None]:
        def run(**given: Any) -> None:
            credentials = {name: given.pop(name) for name in SERVER_OPTIONS}
            server = Server(**credentials, as_admin=as_admin)
            try:
                command(server, **given)
            finally:
                with suppress(ServerUnreachable):
                    server.close()

        return with_options(run, command, first="server", options=SERVER_OPTIONS)

    return make


def with_options(
    run: Callable[..., None],
    command: Callable[..., None],
    *,
    first: str,
    options: dict[str, Any],
    context: bool = False,
) -> Callable[..., None]:
    """Give `run` the name and parameters of a command, but its first one, and these options, for typer to read."""
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    parameters = [
        parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in signature.parameters.items()
        if name != first
    ]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in options.items()
    ]
    if context:
        parameters.append(inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))
    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__dict__["__signature__"] = signature.replace(parameters=parameters, return_annotation=None)
    return run


def find_id(server: Server, text: str, kind: str) -> UUID:
    """The id of a job, posting or worker: a whole one, its beginning or end, or `last` for the newest."""
    return match_id(text, kind, lambda: _recent_ids(server, kind))


def _recent_ids(server: Server, kind: str) -> list[UUID]:
    """The newest first."""
    if kind == "job":
        found = [one["jobId"] for one in server.get(jobs_path(server), limit=SEARCHED)["items"]]
    elif kind == "posting":
        found = [one["postingId"] for one in server.get("/api/postings", limit=SEARCHED)["items"]]
    else:
        workers = server.get("/api/workers")["items"]
        found = [one["id"] for one in sorted(workers, key=lambda one: one["registeredAt"], reverse=True)]
    return [UUID(one) for one in found]


def jobs_path(server: Server) -> str:
    """All jobs for an admin, otherwise the user's own."""
    me = server.me()
    return "/api/jobs" if me["role"] == "admin" else f"/api/users/{me['id']}/jobs"
