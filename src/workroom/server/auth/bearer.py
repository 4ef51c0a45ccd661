"""FastAPI dependencies: the bearer token of a request, restricted to the kinds that a route accepts."""

from __future__ import annotations

import hmac
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from workroom.domain.errors import NotSignedIn
from workroom.server.auth.api_tokens.scopes import check_grant, scopes_of_route
from workroom.server.auth.tokens import (
    AnyToken,
    JobToken,
    PersonToken,
    PoolToken,
    ReadToken,
    Token,
    WorkerToken,
    is_api_token,
)
from workroom.server.context import get_context
from workroom.server.http.request_metrics import request_facts

_DESCRIPTION = "A token from `POST /api/login`, an API token of an account, or a worker's or job's own."


class BearerToken(SecurityBase):
    """Reads and verifies the token. Refuses a valid token of another kind.

    One dependency does both, because FastAPI resolves each dependency of each request separately.
    """

    def __init__(self, *kinds: type[AnyToken], refusal: str = "") -> None:
        self.model = HTTPBearer(description=_DESCRIPTION)
        self.scheme_name = "HTTPBearer"
        self._kinds = kinds
        self._refusal = refusal

    async def __call__(self, request: Request) -> Any:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not text:
            raise NotSignedIn("Sign in first: send `Authorization: Bearer …` with a token from POST /api/login.")
        context = await get_context(request)
        if is_api_token(text):
            token, _ = await context.api_tokens.read(text, request.client.host if request.client else "")
        else:
            token = context.tokens.read(text)
        if not isinstance(token, self._kinds):
            raise NotSignedIn(self._refusal)
        if isinstance(token, PersonToken):
            request_facts(request.scope)["account"] = str(token.account_id)
        if isinstance(token, PersonToken) and token.grant is not None:
            check_grant(token.grant, scopes_of_route(request.method, request.scope["route"].path))
        return token


class MetricsToken(BearerToken):
    """Also accepts the token of the setting `metrics_token`, which does nothing else; returns None for it."""

    async def __call__(self, request: Request) -> Any:
        known = (await get_context(request)).settings.metrics_token
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if known and scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), known.encode()):
            return None
        return await super().__call__(request)


_NOT_THE_POOL = "This is not for the server's pool."
_FOR_PEOPLE = "This is for people: send a token from POST /api/login."
_FOR_VISITORS = "This is for people and jobs, not for workers."
_FOR_WORKERS = "This is for workers: send the workerToken that registration answered."

Bearer = Annotated[Token, Depends(BearerToken(PersonToken, WorkerToken, JobToken, refusal=_NOT_THE_POOL))]
# For the few routes that the built-in pool of the server uses.
BearerOrPool = Annotated[Token | PoolToken, Depends(BearerToken(PersonToken, WorkerToken, JobToken, PoolToken))]
PersonAuth = Annotated[PersonToken, Depends(BearerToken(PersonToken, refusal=_FOR_PEOPLE))]
visitor_token = BearerToken(PersonToken, JobToken, refusal=_FOR_VISITORS)
VisitorToken = Annotated[PersonToken | JobToken, Depends(visitor_token)]
reader_token = BearerToken(PersonToken, JobToken, ReadToken, refusal=_FOR_VISITORS)
ReaderToken = Annotated[PersonToken | JobToken | ReadToken, Depends(reader_token)]
MetricsAuth = Annotated[PersonToken | None, Depends(MetricsToken(PersonToken, refusal=_FOR_PEOPLE))]
WorkerAuth = Annotated[WorkerToken, Depends(BearerToken(WorkerToken, refusal=_FOR_WORKERS))]
