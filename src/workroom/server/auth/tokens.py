"""Signed tokens (JWT), each for one audience.

A person's token has the account and the epoch in which it was issued; raising the account's epoch revokes it. API
tokens (`api_tokens`) are not signed: a row of the database stands for each, and it is read as a person's token with a
grant. A worker's token has the worker and its incarnation. A job's token has the job, worker, attempt and room, and
gives access to that room only. The server's own pool has a token that only registers built-in extensions. A worker that
answers a form gets one that reads a room for a moment. Roles are never in a token: the server reads them from the
database.
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
from jwt.algorithms import HMACAlgorithm

from workroom.actions.engine import new_id
from workroom.domain.api_token_scopes import TOKEN_PREFIX
from workroom.domain.errors import NotSignedIn
from workroom.ttl_cache import TtlCache

# PyJWT's annotations refer to a package that is not installed.
_jwt: Any = jwt

_CACHE_LIMIT = 10_000
_CACHE_SECONDS = 3_600.0

Audience = Literal["person", "worker", "job", "pool", "read"]


def is_api_token(text: str) -> bool:
    return text.startswith(TOKEN_PREFIX)


@dataclass(frozen=True, slots=True)
class ApiGrant:
    """What an API token allows."""

    token_id: UUID
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class PersonToken:
    audience: ClassVar[Audience] = "person"
    account_id: UUID
    epoch: int | None  # None with a grant
    grant: ApiGrant | None = None  # set for an API token; a login has none and may do everything

    @property
    def api_token(self) -> UUID | None:
        return None if self.grant is None else self.grant.token_id

    @property
    def may_act_as_admin(self) -> bool:
        return self.grant is None or "admin" in self.grant.scopes


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
    """The server's own pool. The server passes this token to the pool process; no response contains it."""

    audience: ClassVar[Audience] = "pool"
    pool_id: UUID


@dataclass(frozen=True, slots=True)
class ReadToken:
    """Reads one room for an account, for the short time in which a worker answers a form of that account."""

    audience: ClassVar[Audience] = "read"
    account_id: UUID
    epoch: int | None
    room: str
    api_token: UUID | None = None  # of the account, if it asked with one


Token = PersonToken | WorkerToken | JobToken
AnyToken = Token | PoolToken | ReadToken


class _PreparedHmac(HMACAlgorithm):
    """HMAC with a key that is known to be one. Every pushed job has a token, and the library's algorithm searches the
    key for other key formats each time: two thirds of the time that signing takes.
    """

    def prepare_key(self, key: str | bytes) -> bytes:
        return key.encode() if isinstance(key, str) else key


class TokenIssuer:
    """Issues and verifies tokens."""

    ALGORITHM = "HS256"

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._key = secret.encode()
        self._signer: Any = jwt.PyJWS(algorithms=["none"])
        self._signer.register_algorithm(self.ALGORITHM, _PreparedHmac(HMACAlgorithm.SHA256))
        self._verified = TtlCache[str, tuple[AnyToken, float]](seconds=_CACHE_SECONDS, limit=_CACHE_LIMIT)

    def issue(self, token: AnyToken, seconds: float) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "aud": token.audience,
            "iat": now,
            "exp": now + math.ceil(seconds),
            "jti": new_id().hex,
        }
        match token:
            case PersonToken(account_id, epoch, grant):
                if grant is not None:
                    raise ValueError("an API token is not signed")
                claims |= {"sub": str(account_id), "epoch": epoch}
            case WorkerToken(worker_id, incarnation):
                claims |= {"sub": str(worker_id), "inc": incarnation}
            case JobToken(job_id, worker_id, attempt, room):
                claims |= {"sub": str(job_id), "wrk": str(worker_id), "att": attempt, "room": room}
            case PoolToken(pool_id):
                claims |= {"sub": str(pool_id)}
            case ReadToken(account_id, epoch, room, api_token):
                claims |= {"sub": str(account_id), "epoch": epoch, "room": room}
                if api_token is not None:
                    claims["api"] = str(api_token)
        return self._sign(claims)

    def seal(self, purpose: str, claims: dict[str, Any], seconds: float) -> str:
        """Claims that the server gives to a browser and gets back, signed for one purpose. They are no access token."""
        return self._sign({**claims, "aud": f"sealed {purpose}", "exp": int(time.time() + seconds)})

    def _sign(self, claims: dict[str, Any]) -> str:
        return self._signer.encode(orjson.dumps(claims), self._key, algorithm=self.ALGORITHM)

    def unseal(self, purpose: str, text: str) -> dict[str, Any] | None:
        """The claims of `seal`; None if they were changed, are for another purpose, or have expired."""
        try:
            return _jwt.decode(
                text,
                self._secret,
                algorithms=[self.ALGORITHM],
                audience=f"sealed {purpose}",
                options={"require": ["aud", "exp"]},
            )
        except jwt.InvalidTokenError:
            return None

    def lock_token(self, grant_id: UUID) -> str:
        """The token of a lock's grant: the same for each call, and not to be guessed without the secret."""
        digest = hmac.digest(self._key, b"lock:" + grant_id.bytes, hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def read(self, text: str) -> AnyToken:
        """Verify a token's signature and expiry. Verified tokens are cached until they expire."""
        return self.read_with_expiry(text)[0]

    def read_with_expiry(self, text: str) -> tuple[AnyToken, float]:
        """The same, with the time at which the token expires, in seconds of the epoch."""
        cached = self._verified.get(text)
        if cached is not None:
            return cached
        token, expires = self._decode(text)
        self._verified.put(text, (token, expires), seconds=expires - time.time())
        return token, expires

    def _decode(self, text: str) -> tuple[AnyToken, float]:
        try:
            claims: dict[str, Any] = _jwt.decode(
                text,
                self._secret,
                algorithms=[self.ALGORITHM],
                audience=["person", "worker", "job", "pool", "read"],
                options={"require": ["aud", "exp", "iat", "jti", "sub"]},
            )
            return _token(claims), float(claims["exp"])
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise NotSignedIn from None


def _token(claims: dict[str, Any]) -> AnyToken:
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
        case "read":
            epoch, api = claims["epoch"], claims.get("api")
            return ReadToken(
                subject, None if epoch is None else int(epoch), str(claims["room"]), None if api is None else UUID(api)
            )
        case _:
            raise ValueError("unknown audience")
