"""Reads API tokens: looks them up in the database, and limits the guesses of an address.

What a token is, its account and scopes, never changes, so that is cached for a minute. Whether it still counts is not:
each statement that loads the rights of the caller also looks whether the row of the token is there.
"""

from __future__ import annotations

import hashlib
import math

from workroom.actions.accounts.api_tokens import use_api_token
from workroom.actions.engine import Engine
from workroom.domain.errors import NotSignedIn
from workroom.server.auth.login_limits import LoginLimits
from workroom.server.auth.sign_in_record import record_failure
from workroom.server.auth.tokens import ApiGrant, PersonToken
from workroom.ttl_cache import TtlCache

_CACHE_SECONDS = 60.0  # the last use of a token is recorded as often
_CACHE_LIMIT = 10_000


class ApiTokenReader:
    """The API tokens that requests and sockets of one server send."""

    def __init__(self, engine: Engine, limits: LoginLimits) -> None:
        self._engine = engine
        self._limits = limits
        self._known = TtlCache[bytes, tuple[PersonToken, float]](seconds=_CACHE_SECONDS, limit=_CACHE_LIMIT)

    async def read(self, text: str, address: str) -> tuple[PersonToken, float]:
        """The token, and when it expires in seconds of the epoch. NotSignedIn if it is unknown, revoked or expired."""
        key = hashlib.sha256(text.encode()).digest()
        known = self._known.get(key)
        if known is not None:
            return known
        refund = self._limits.begin_api_token(address)
        used = await use_api_token(self._engine, text)
        if used is None:
            await record_failure(self._engine, name="(API token)", address=address, method="token")
            raise NotSignedIn("This API token is unknown, expired or revoked. `workroom token create` makes one.")
        refund()
        token = PersonToken(used.account_id, None, ApiGrant(used.id, frozenset(used.scopes)))
        expires = math.inf if used.expires_at is None else used.expires_at.timestamp()
        self._known.put(key, (token, expires))
        return token, expires
