"""The token that a request carries, and which kinds of it a route is for."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from workroom.domain.errors import NotSignedIn
from workroom.server.auth.tokens import JobToken, PersonToken, PoolToken, Token, WorkerToken
from workroom.server.context import house_of

_DESCRIPTION = "A token from `POST /api/login`, or a worker's or job's own."


class _Door(SecurityBase):
    """Reads the token, and refuses those that are not for this door. One dependency: more would cost every request."""

    def __init__(self, *kinds: type[Token | PoolToken], refusal: str = "") -> None:
        self.model = HTTPBearer(description=_DESCRIPTION)
        self.scheme_name = "HTTPBearer"
        self._kinds = kinds
        self._refusal = refusal

    async def __call__(self, request: Request) -> Any:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not text:
            raise NotSignedIn("Sign in first: send `Authorization: Bearer …` with a token from POST /api/login.")
        token = (await house_of(request)).mint.read(text)
        if not isinstance(token, self._kinds):
            raise NotSignedIn(self._refusal)
        return token


_NOT_THE_POOL = "This is not for the server's pool."
_FOR_PEOPLE = "This is for people: send a token from POST /api/login."
_FOR_VISITORS = "This is for people and jobs, not for workers."
_FOR_WORKERS = "This is for workers: send the workerToken that registration answered."

Bearer = Annotated[Token, Depends(_Door(PersonToken, WorkerToken, JobToken, refusal=_NOT_THE_POOL))]
# For the few routes that the server's own pool uses.
BearerOrPool = Annotated[Token | PoolToken, Depends(_Door(PersonToken, WorkerToken, JobToken, PoolToken))]
ByPerson = Annotated[PersonToken, Depends(_Door(PersonToken, refusal=_FOR_PEOPLE))]
visitors_door = _Door(PersonToken, JobToken, refusal=_FOR_VISITORS)
ByVisitor = Annotated[PersonToken | JobToken, Depends(visitors_door)]
ByWorker = Annotated[WorkerToken, Depends(_Door(WorkerToken, refusal=_FOR_WORKERS))]
