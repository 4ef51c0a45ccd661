"""Commands that talk to a server: where it is, who asks, and the requests."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, get_type_hints
from uuid import UUID

import typer

from workroom.cli.database import errors_told
from workroom.domain.errors import BadInput, NotSignedIn, ServerUnreachable

_OPTIONS: dict[str, Any] = {
    "url": Annotated[
        str | None, typer.Option("--url", envvar="WORKROOM_URL", help="The server; the local one without.")
    ],
    "user": Annotated[
        str | None, typer.Option("--user", envvar="WORKROOM_USER", help="Who you are; without, as this machine knows.")
    ],
    "password": Annotated[
        str | None, typer.Option("--password", envvar="WORKROOM_PASSWORD", help="And your password.")
    ],
    "token": Annotated[
        str | None, typer.Option("--token", envvar="WORKROOM_TOKEN", help="Or a token instead of both.")
    ],
}


class Server:
    """A server, as a command sees it: requests that wait for their answers."""

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

        self.url = discovery.server_url(url)
        self._login: tuple[str | None, str | None, str | None] = (user, password, token)
        # On the server's own machine, whoever may read the admin's password may do what the admin may.
        local = url is None and not os.environ.get("WORKROOM_URL")
        if user is None and token is None and as_admin and local and discovery.admin_password():
            self._login = ("admin", discovery.admin_password(), None)
        self._access: Any = None

    def get(self, path: str, **params: Any) -> Any:
        return self._request("GET", path, params={key: value for key, value in params.items() if value is not None})

    def post(self, path: str, body: Any = None) -> Any:
        return self._request("POST", path, body=body)

    def patch(self, path: str, body: Any) -> Any:
        return self._request("PATCH", path, body=body)

    def delete(self, path: str) -> Any:
        return self._request("DELETE", path)

    def me(self) -> dict[str, Any]:
        return self.get("/api/users/me")

    def close(self) -> None:
        if self._access is not None:
            self._call(self._access.http.aclose())

    def _request(self, method: str, path: str, **more: Any) -> Any:
        if self._access is None:
            self._access = self._open(*self._login)
        try:
            return self._call(self._access.request(method, path, **more))
        except NotSignedIn:
            if self._login[0] != "admin":
                raise
            # The password kept on this machine is an old one: then as whoever is logged in here.
            self._login = (None, None, None)
            self.close()
            self._access = self._open(*self._login)
            return self._call(self._access.request(method, path, **more))

    def _open(self, user: str | None, password: str | None, token: str | None) -> Any:
        from workroom.client.net.credentials import Login, PersonTokens
        from workroom.client.net.http import ApiClient, http_client

        http = http_client(self.url)
        return ApiClient(self.url, http, PersonTokens(http, Login.of(user, password, token)), patience=0)

    def _call(self, coroutine: Any) -> Any:
        from workroom.client.portal import background

        return background().call(coroutine)


def talks(*, as_admin: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose first argument is the server: it gets the options that name one, and tells errors as they are.

    With `as_admin` it acts as the admin where nobody is named and this machine keeps the admin's password.
    """

    def make(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        signature = inspect.signature(command)
        own = [
            parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            for name, parameter in signature.parameters.items()
            if name != "server"
        ]
        further = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
            for name, option in _OPTIONS.items()
        ]

        def run(**given: Any) -> None:
            named = {name: given.pop(name) for name in _OPTIONS}
            with errors_told():
                server = Server(**named, as_admin=as_admin)
                try:
                    command(server, **given)
                finally:
                    with suppress(ServerUnreachable):
                        server.close()

        run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
        run.__annotations__ = {one.name: one.annotation for one in (*own, *further)}
        run.__dict__["__signature__"] = signature.replace(parameters=[*own, *further], return_annotation=None)
        return run

    return make


def identifier(text: str, what: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadInput(f"{text!r} is no {what}'s id: it looks like 0192f0c1-….") from None
