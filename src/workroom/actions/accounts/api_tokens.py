"""API tokens: made, listed and revoked by their account. Programs that run for months sign in with them.

Only the SHA-256 of a token is stored. The token is 256 random bits, so a slow password hash would protect nothing more.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import ApiTokenRevoked
from workroom.actions.workers.revoke import end_at_once, settle
from workroom.domain.api_token_scopes import FOR_ADMINS, TOKEN_PREFIX, checked_scopes
from workroom.domain.errors import AdminNeeded, Conflict, Forbidden, NotFound
from workroom.domain.names import api_token_name
from workroom.store import accounts, api_tokens
from workroom.store.api_tokens import ApiTokenRow, UsedApiToken

MOST_OF_ACCOUNT = 50
_HINT = len(TOKEN_PREFIX) + 4  # characters


async def create_api_token(
    engine: Engine, *, account_id: UUID, name: str, scopes: Sequence[str], expires_at: datetime | None
) -> tuple[ApiTokenRow, str]:
    """A new token and its text, which is not stored. NameTaken if a token of the account has the name."""
    api_token_name(name)
    given = checked_scopes(scopes)
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)

    async def work(transaction: Transaction) -> ApiTokenRow:
        account = await accounts.lock(transaction.connection, account_id)
        if account is None or account.disabled:
            raise NotFound("There is no such account.")
        if account.role == "guest":
            raise Forbidden("A guest has no API tokens. Ask an admin for an account.")
        if account.role != "admin" and (refused := FOR_ADMINS.intersection(given)):
            raise AdminNeeded(f"Only an admin can make a token with the scope {sorted(refused)[0]}.")
        made = await api_tokens.create(
            transaction.connection,
            id=new_id(),
            account_id=account_id,
            name=name,
            token_hash=_hash(text),
            hint=text[:_HINT],
            scopes=given,
            expires_at=expires_at,
            most=MOST_OF_ACCOUNT,
        )
        if made is None:
            raise Conflict(f"An account has at most {MOST_OF_ACCOUNT} API tokens. Revoke one that is not used.")
        expiry = None if expires_at is None else expires_at.isoformat()
        detail = {"id": str(made.id), "token": name, "scopes": given, "expires": expiry}
        await record_audit(transaction, account_id, "token.create", account.name, **detail)
        return made

    return await engine.transaction(work), text


async def list_api_tokens(engine: Engine, account_id: UUID) -> list[ApiTokenRow]:
    async with engine.database.connection() as connection:
        return await api_tokens.of_account(connection, account_id)


async def use_api_token(engine: Engine, text: str) -> UsedApiToken | None:
    """The account and scopes of a token, whose use is recorded. None if it is unknown, revoked or expired."""
    async with engine.database.connection() as connection:
        return await api_tokens.use(connection, token_hash=_hash(text))


async def revoke_api_token(engine: Engine, *, account_id: UUID, which: str) -> None:
    """Revoke a token by its id or name: its sockets are closed, and the workers that it registered end."""
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> None:
        connection = transaction.connection
        account = await accounts.lock(connection, account_id)
        serving = await api_tokens.workers(connection, account_id=account_id, which=which)
        revoked = await api_tokens.revoke(connection, account_id=account_id, which=which)
        if account is None or revoked is None:
            raise NotFound(f"You have no API token {which!r}.")
        detail = {"id": str(revoked.id), "token": revoked.name}
        await record_audit(transaction, account_id, "token.revoke", account.name, **detail)
        transaction.record(ApiTokenRevoked(account_id, revoked.id))
        ended[:] = await end_at_once(transaction, serving)

    await engine.transaction(work)
    await settle(engine, ended)


async def end_workers_of_expired_tokens(engine: Engine) -> list[UUID]:
    """End the workers whose API token has expired."""

    async def work(transaction: Transaction) -> list[UUID]:
        return await end_at_once(transaction, await api_tokens.workers_of_expired(transaction.connection))

    ended = await engine.transaction(work)
    await settle(engine, ended)
    return ended


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
