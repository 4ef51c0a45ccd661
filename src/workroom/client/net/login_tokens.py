"""Tokens: obtained by signing in, renewed before they expire."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx2
from pydantic import SecretStr, ValidationError

from workroom.client import discovery
from workroom.client.net.guest_key import guest_key, has_guest_secret
from workroom.client.net.problems import error_in, no_workroom_server
from workroom.client.net.saved_logins import saved_login
from workroom.domain.errors import BadInput, NotSignedIn, WorkroomError
from workroom.wire.accounts import SignedIn

# A token is renewed after this share of its lifetime.
_RENEW_AT_SHARE = 0.5
ADMIN = "admin"
# A worker tries for ever. Each use of a token that has ended counts as a failed sign-in at the server.
_REFUSED_SECONDS = 60.0
_API_TOKEN_ENDED = "The API token has expired or was revoked. `workroom token create` makes one."  # noqa: S105 - no secret
API_TOKEN_PREFIX = "wr_"  # noqa: S105 - no secret


class Tokens(Protocol):
    """The source of the tokens of requests."""

    async def token(self) -> str: ...

    async def renewed(self, refused: str) -> str:
        """Another token after the server refused this one; NotSignedIn if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Login:
    """Credentials: a token, or a user with or without a password."""

    user: str | None = None
    password: SecretStr | None = None
    token: str | None = None
    code: SecretStr | None = None  # signs in once
    is_saved: bool = False  # the token is that of `workroom login`
    password_file: Path | None = None  # from which the password of admin was read

    @classmethod
    def of(cls, user: str | None, password: str | None, token: str | None, *, url: str) -> Login:
        """Complete the given credentials for a server.

        Without any, those of the environment are used, then the login that `workroom login` has saved. Otherwise the
        client signs in as a guest named after the user of this machine. The password of `admin` is read from the data
        folder, for the server of that data folder only.
        """
        if not (user or password or token):
            user, password, token = (os.environ.get(f"WORKROOM_{name}") for name in ("USER", "PASSWORD", "TOKEN"))
        elif user and not (password or token) and os.environ.get("WORKROOM_USER") in (None, user):
            password = os.environ.get("WORKROOM_PASSWORD")
        if token:
            if user or password:
                raise BadInput(
                    "Give a token, or a user and a password, not both. WORKROOM_TOKEN, WORKROOM_USER and "
                    "WORKROOM_PASSWORD count, too."
                )
            return cls(token=token)
        if not (user or password) and (saved := saved_login(url)):
            return cls(token=saved.token, is_saved=True)
        user = user or discovery.guest_name()
        if user == ADMIN and not password:
            password = discovery.admin_password(url)
            if password is None:
                raise NotSignedIn(
                    f"Give the password of admin at {url}: `workroom login`, `password=`, --password or "
                    f"WORKROOM_PASSWORD, or a token. "
                    f"The password in {discovery.data_folder()} is only sent to the server of that folder."
                )
            return cls(user, SecretStr(password), password_file=discovery.admin_password_file())
        return cls(user, SecretStr(password) if password else None)

    @staticmethod
    def is_chosen(user: str | None, password: str | None, token: str | None, *, url: str) -> bool:
        """Whether it is known who signs in: by arguments, by the environment, or by `workroom login`."""
        chosen = (user, password, token, *(os.environ.get(f"WORKROOM_{one}") for one in ("USER", "PASSWORD", "TOKEN")))
        return any(chosen) or saved_login(url) is not None


class UserTokens:
    """The tokens of a user. If renewing fails, the client signs in again, unless only a token was given."""

    def __init__(self, http: httpx2.AsyncClient, login: Login, *, keep: bool = False) -> None:
        self._http = http
        self._keep = keep  # ask for a token that lasts long
        self._login = login
        self._token = login.token or ""
        # The expiry of a given token is unknown, so it is renewed before the first request.
        self._renew_at = 0.0
        self._ask_again_at = 0.0  # with an API token that was refused
        self._lock = asyncio.Lock()
        self.user = login.user or ""
        self.role = ""

    async def token(self) -> str:
        if self._token.startswith(API_TOKEN_PREFIX):
            if time.monotonic() < self._ask_again_at:
                raise NotSignedIn(_API_TOKEN_ENDED)
            return self._token  # valid until it expires or is revoked
        if self._token and time.monotonic() < self._renew_at:
            return self._token
        async with self._lock:
            if not self._token or time.monotonic() >= self._renew_at:
                await self._renew()
        return self._token

    async def renewed(self, refused: str) -> str:
        if refused.startswith(API_TOKEN_PREFIX):
            self._ask_again_at = time.monotonic() + _REFUSED_SECONDS
            raise NotSignedIn(_API_TOKEN_ENDED)
        async with self._lock:
            if self._token == refused:
                self._token = ""
                await self._sign_in()
        return self._token

    async def _renew(self) -> None:
        if self._token:
            answer = await self._http.post("/api/login/renew", headers={"Authorization": f"Bearer {self._token}"})
            if answer.is_success:
                self._store(answer)
                return
            if answer.status_code != 401:
                raise self._error(answer)
        await self._sign_in()

    async def _sign_in(self) -> None:
        if self._login.code is not None:
            body: dict[str, Any] = {"code": self._login.code.get_secret_value(), "keep": self._keep}
            answer = await self._http.post("/api/login/code", json=body)
            if not answer.is_success:
                raise self._error(answer)
            self._store(answer)
            return
        if self._login.user is None:
            if self._login.is_saved:
                raise NotSignedIn(f"The login at {self._http.base_url} has expired or was revoked: `workroom login`.")
            raise NotSignedIn("The token is expired or revoked. Give a new token, or a user and a password.")
        body = {"user": self._login.user}
        if self._login.password is not None:
            body |= {"password": self._login.password.get_secret_value(), "keep": self._keep}
        else:
            if not has_guest_secret():  # it is made in a file, which only a server that answers is worth
                answer = await self._http.get("/api/login/methods")
                if not answer.is_success:
                    raise self._error(answer)
            body["guestKey"] = guest_key(str(self._http.base_url), self._login.user)
        answer = await self._http.post("/api/login", json=body)
        if answer.status_code == 401 and (file := self._login.password_file) is not None:
            raise NotSignedIn(
                f"The server refuses the password in {file}: that of admin was changed. Give the new one by "
                f"`workroom login`, --password or WORKROOM_PASSWORD. Without the file, commands run as your own user."
            )
        if not answer.is_success:
            raise self._error(answer)
        self._store(answer)

    def _error(self, answer: httpx2.Response) -> WorkroomError:
        if answer.status_code in (404, 405):  # every Workroom server has the routes of the sign-in
            return no_workroom_server(self._http.base_url)
        return error_in(answer)

    def _store(self, answer: httpx2.Response) -> None:
        try:
            signed_in = SignedIn.model_validate_json(answer.content)
        except ValidationError:
            raise no_workroom_server(self._http.base_url) from None
        self._token = signed_in.token
        self._renew_at = time.monotonic() + signed_in.expires_in * _RENEW_AT_SHARE
        self.user, self.role = signed_in.user.name, signed_in.user.role
