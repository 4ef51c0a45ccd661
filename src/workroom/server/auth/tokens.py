"""Tokens: signed, short-lived, each for one audience.

A person's token names the account and the epoch it was issued in; raising the account's epoch revokes it. A worker's
names the worker and its incarnation. A job's names the job, worker, attempt and room, and opens nothing else. The
server's own pool has one that registers built-in extensions, and opens nothing else. Roles are never in a token: they
are read from the database.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
import time
from dataclasses import dataclass
from typing import Any, ClassVar, Literal
from uuid import UUID

import jwt
import orjson

from workroom.actions.engine import new_id
from workroom.domain.errors import NotSignedIn

# Its types lean on a library that is not installed.
_jwt: Any = jwt

_MOST_REMEMBERED = 10_000

Audience = Literal["person", "worker", "job", "pool"]


@dataclass(frozen=True, slots=True)
class PersonToken:
    audience: ClassVar[Audience] = "person"
    account_id: UUID
    epoch: int


@dataclass(frozen=True, slots=True)
class WorkerToken:
    audience: ClassVar[Audience] = "worker"
    worker_id: UUID
    incarnation: int


@dataclass(frozen=True, slots=True)
class JobToken:
    audience: ClassVar[Audience] = "job"
    job_id: UUID
    worker_id: UUID
    attempt: int
    room: str | None


@dataclass(frozen=True, slots=True)
class PoolToken:
    """The server's own pool: made by the server for the process it starts, never answered to anybody."""

    audience: ClassVar[Audience] = "pool"
    pool_id: UUID


Token = PersonToken | WorkerToken | JobToken


class TokenIssuer:
    """Issues tokens and tells good ones from bad."""

    ALGORITHM = "HS256"

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._signer = hmac.new(secret.encode(), digestmod=hashlib.sha256)
        self._known: dict[str, tuple[Token | PoolToken, float]] = {}

    def issue(self, token: Token | PoolToken, seconds: float) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "aud": token.audience,
            "iat": now,
            "exp": now + math.ceil(seconds),
            "jti": new_id().hex,
        }
        match token:
            case PersonToken(account_id, epoch):
                claims |= {"sub": str(account_id), "epoch": epoch}
            case WorkerToken(worker_id, incarnation):
                claims |= {"sub": str(worker_id), "inc": incarnation}
            case JobToken(job_id, worker_id, attempt, room):
                claims |= {"sub": str(job_id), "wrk": str(worker_id), "att": attempt, "room": room}
            case PoolToken(pool_id):
                claims |= {"sub": str(pool_id)}
        # As the library would write it, in a third of the time: every assignment carries one.
        signed = _HEADER + b"." + _base64(orjson.dumps(claims))
        signer = self._signer.copy()
        signer.update(signed)
        return (signed + b"." + _base64(signer.digest())).decode()

    def lock_token(self, grant_id: UUID) -> str:
        """The token of a lock's grant: the same each time, and not to be guessed without the secret."""
        digest = hmac.digest(self._secret.encode(), b"lock:" + grant_id.bytes, hashlib.sha256)
        return _base64(digest).decode()

    def read(self, text: str) -> Token | PoolToken:
        """The token, if it is one of ours and has not expired. Signatures seen before are not checked again."""
        known = self._known.get(text)
        if known is not None:
            if known[1] <= time.time():
                del self._known[text]
                raise NotSignedIn
            return known[0]
        token, expires = self._decoded(text)
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[text] = token, expires
        return token

    def _decoded(self, text: str) -> tuple[Token | PoolToken, float]:
        try:
            claims: dict[str, Any] = _jwt.decode(
                text,
                self._secret,
                algorithms=[self.ALGORITHM],
                audience=["person", "worker", "job", "pool"],
                options={"require": ["aud", "exp", "iat", "jti", "sub"]},
            )
            return _token(claims), float(claims["exp"])
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise NotSignedIn from None


def _base64(text: bytes) -> bytes:
    return base64.urlsafe_b64encode(text).rstrip(b"=")


_HEADER = _base64(orjson.dumps({"alg": TokenIssuer.ALGORITHM, "typ": "JWT"}))


def _token(claims: dict[str, Any]) -> Token | PoolToken:
    subject = UUID(claims["sub"])
    match claims["aud"]:
        case "person":
            return PersonToken(subject, int(claims["epoch"]))
        case "worker":
            return WorkerToken(subject, int(claims["inc"]))
        case "job":
            return JobToken(subject, UUID(claims["wrk"]), int(claims["att"]), claims["room"])
        case "pool":
            return PoolToken(subject)
        case _:
            raise ValueError("unknown audience")
