"""The token that a request carries."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from workroom.domain.errors import NotSignedIn
from workroom.server.house import AtHome
from workroom.server.tokens import Token, WorkerToken

# Seen in the OpenAPI page; the refusal is ours, as a problem document.
_scheme = HTTPBearer(auto_error=False, description="A token from `POST /api/login`, or a worker's or job's own.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_scheme)]


async def token_of(house: AtHome, credentials: Credentials) -> Token:
    if credentials is None:
        raise NotSignedIn("Sign in first: send `Authorization: Bearer …` with a token from POST /api/login.")
    return house.mint.read(credentials.credentials)


Bearer = Annotated[Token, Depends(token_of)]


async def _worker(token: Bearer) -> WorkerToken:
    if not isinstance(token, WorkerToken):
        raise NotSignedIn("This is for workers: send the workerToken that registration answered.")
    return token


ByWorker = Annotated[WorkerToken, Depends(_worker)]
