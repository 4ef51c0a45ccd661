"""The token that a request carries."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from workroom.domain.errors import NotSignedIn
from workroom.server.house import AtHome
from workroom.server.tokens import PoolToken, Token, WorkerToken

# Seen in the OpenAPI page; the refusal is ours, as a problem document.
_scheme = HTTPBearer(auto_error=False, description="A token from `POST /api/login`, or a worker's or job's own.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_scheme)]


async def token_of(house: AtHome, credentials: Credentials) -> Token:
    return house.mint.read(_given(credentials))


async def _token_or_pools(house: AtHome, credentials: Credentials) -> Token | PoolToken:
    return house.mint.read_any(_given(credentials))


def _given(credentials: HTTPAuthorizationCredentials | None) -> str:
    if credentials is None:
        raise NotSignedIn("Sign in first: send `Authorization: Bearer …` with a token from POST /api/login.")
    return credentials.credentials


Bearer = Annotated[Token, Depends(token_of)]
# For the few routes that the server's own pool uses.
BearerOrPool = Annotated[Token | PoolToken, Depends(_token_or_pools)]


async def _worker(token: Bearer) -> WorkerToken:
    if not isinstance(token, WorkerToken):
        raise NotSignedIn("This is for workers: send the workerToken that registration answered.")
    return token


ByWorker = Annotated[WorkerToken, Depends(_worker)]
