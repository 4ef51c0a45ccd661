"""Tokens: got by signing in, renewed before they end."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Protocol

import httpx2
from pydantic import SecretStr

from workroom.client import discovery
from workroom.client.net.problems import error_in
from workroom.domain.errors import NotSignedIn
from workroom.wire.accounts import SignedIn

# A token is renewed once this share of its life is over.
_RENEWED_AT = 0.5


class Tokens(Protocol):
    """Where requests get their token from."""

    async def token(self) -> str: ...

    async def renewed(self, refused: str) -> str:
        """Another token, after this one was refused; NotSignedIn when there is none to be had."""
        ...


@dataclass(frozen=True, slots=True)
class Login:
    """What somebody gave to sign in with: a token, or a user with or without a password."""

    user: str | None = None
    password: SecretStr | None = None
    token: str | None = None

    @classmethod
    def of(cls, user: str | None, password: str | None, token: str | None) -> Login:
        """What was given; with nothing at all, a guest under the name one has on this machine."""
        if token is None:
            if user == "admin" and password is None:
                password = discovery.admin_password()
            user = user or discovery.own_name()
        return cls(user, None if password is None else SecretStr(password), token)


class PersonTokens:
    """A person's tokens. Whoever gave a user is signed in again when renewing fails."""

    def __init__(self, http: httpx2.AsyncClient, login: Login) -> None:
        self._http = http
        self._login = login
        self._token = login.token or ""
        # A token we were given tells not when it ends: it is renewed at the first chance.
        self._renew_at = 0.0
        self._turn = asyncio.Lock()
        self.user = login.user or ""
        self.role = ""

    async def token(self) -> str:
        if self._token and time.monotonic() < self._renew_at:
            return self._token
        async with self._turn:
            if not self._token or time.monotonic() >= self._renew_at:
                await self._renew()
        return self._token

    async def renewed(self, refused: str) -> str:
        async with self._turn:
            if self._token == refused:
                self._token = ""
                await self._sign_in()
        return self._token

    async def _renew(self) -> None:
        if self._token:
            answer = await self._http.post("/api/login/renew", headers={"Authorization": f"Bearer {self._token}"})
            if answer.is_success:
                self._keep(answer)
                return
            if answer.status_code != 401:
                raise error_in(answer)
        await self._sign_in()

    async def _sign_in(self) -> None:
        if self._login.user is None:
            raise NotSignedIn("The token is expired or revoked. Give a new token, or a user and a password.")
        body: dict[str, str] = {"user": self._login.user}
        if self._login.password is not None:
            body["password"] = self._login.password.get_secret_value()
        answer = await self._http.post("/api/login", json=body)
        if not answer.is_success:
            raise error_in(answer)
        self._keep(answer)

    def _keep(self, answer: httpx2.Response) -> None:
        signed_in = SignedIn.model_validate_json(answer.content)
        self._token = signed_in.token
        self._renew_at = time.monotonic() + signed_in.expires_in * _RENEWED_AT
        self.user, self.role = signed_in.user.name, signed_in.user.role
