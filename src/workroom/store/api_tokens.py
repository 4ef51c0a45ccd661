"""One function for each statement of `sql/api_token`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from workroom.store.statement import Connection, Statement, first


class ApiTokenRow(NamedTuple):
    id: UUID
    name: str
    hint: str  # its first characters
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    expired: bool


class UsedApiToken(NamedTuple):
    """A token that a program has sent."""

    id: UUID
    account_id: UUID
    scopes: list[str]
    expires_at: datetime | None


class RevokedApiToken(NamedTuple):
    id: UUID
    name: str


_create = Statement("api_token/create", ApiTokenRow._make)
_list = Statement("api_token/list", ApiTokenRow._make)
_use = Statement("api_token/use", UsedApiToken._make)
_revoke = Statement("api_token/revoke", RevokedApiToken._make)
_revoke_all = Statement[UUID]("api_token/revoke_all", first)
_workers = Statement[UUID]("api_token/workers", first)
_workers_of_expired = Statement[UUID]("api_token/workers_of_expired", first)


async def create(
    connection: Connection,
    *,
    id: UUID,
    account_id: UUID,
    name: str,
    token_hash: bytes,
    hint: str,
    scopes: Sequence[str],
    expires_at: datetime | None,
    most: int,
) -> ApiTokenRow | None:
    """None when the account has `most` tokens already. The row of the account must be locked."""
    return await _create.one(
        connection,
        id=id,
        account_id=account_id,
        name=name,
        token_hash=token_hash,
        hint=hint,
        scopes=list(scopes),
        expires_at=expires_at,
        most=most,
    )


async def of_account(connection: Connection, account_id: UUID) -> list[ApiTokenRow]:
    return await _list.all(connection, account_id=account_id)


async def use(connection: Connection, *, token_hash: bytes) -> UsedApiToken | None:
    return await _use.one(connection, token_hash=token_hash)


async def revoke(connection: Connection, *, account_id: UUID, which: str) -> RevokedApiToken | None:
    """Revoke a token by its id or name."""
    return await _revoke.one(connection, account_id=account_id, which=which)


async def revoke_all(connection: Connection, account_id: UUID) -> list[UUID]:
    return await _revoke_all.all(connection, account_id=account_id)


async def workers(connection: Connection, *, account_id: UUID, which: str) -> list[UUID]:
    """The live workers that a token registered."""
    return await _workers.all(connection, account_id=account_id, which=which)


async def workers_of_expired(connection: Connection) -> list[UUID]:
    return await _workers_of_expired.all(connection)
