"""People whom a provider or a proxy has authenticated: each has an account of their own.

The account belongs to the identity at the provider, never to a name: names change hands, and an account of the same
name with a password belongs to another person until an admin says otherwise.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from uuid import UUID

from workroom.actions.accounts.accounts import shut_out, update_account
from workroom.actions.accounts.audit import record_audit
from workroom.actions.delete_in_batches import seconds_before
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.domain.errors import Conflict, Forbidden
from workroom.domain.names import account_name_from, numbered_account_names
from workroom.domain.role_of_groups import ExternalIdentity
from workroom.logs import get_logger
from workroom.store import accounts
from workroom.store.accounts import AccountRow, Credentials

log = get_logger(__name__)

_TRIES = 5  # each fails only when another sign-in takes the same name at the same time


async def sign_in_external(engine: Engine, identity: ExternalIdentity, role: str | None) -> Credentials:
    """Sign a person in. The first sign-in makes the account; each one sets the role, if groups decide it.

    Forbidden if an admin has disabled the account.
    """
    account = await _find(engine, identity)
    if account is None:
        account = await _create(engine, identity, role or "user")
    if account.disabled:
        raise Forbidden(f"The account {account.name} is disabled. Ask an admin of this server.")
    if role is not None and role != account.role:
        try:
            await update_account(engine, actor=None, account_id=account.id, role=role)
        except Conflict as error:  # the last admin: the server would have none
            log.warning("role kept, although the groups say otherwise", account=account.name, reason=error.message)
    async with engine.database.connection() as connection:
        signed_in = await accounts.sign_in_external(connection, issuer=identity.issuer, subject=identity.subject)
    if signed_in is None:
        raise Forbidden(f"The account {account.name} was disabled or deleted meanwhile.")
    return signed_in


async def revoke_external(engine: Engine, identity: ExternalIdentity) -> None:
    """The person may not sign in any more: tokens of earlier sign-ins end, too."""
    account = await _find(engine, identity)
    if account is not None:
        await shut_out(engine, account.id)


async def may_renew(engine: Engine, account_id: UUID, *, seconds: float, now: datetime | None = None) -> bool:
    """Whether the account has no provider, or signed in there within this time."""
    async with engine.database.connection() as connection:
        return await accounts.may_renew(connection, id=account_id, since=seconds_before(seconds, now))


async def has_provider(engine: Engine, account_id: UUID) -> bool:
    """Whether a provider or a proxy vouches for the person of an account."""
    async with engine.database.connection() as connection:
        return await accounts.has_provider(connection, account_id)


async def _find(engine: Engine, identity: ExternalIdentity) -> AccountRow | None:
    async with engine.database.connection() as connection:
        return await accounts.find_external(connection, issuer=identity.issuer, subject=identity.subject)


async def _create(engine: Engine, identity: ExternalIdentity, role: str) -> AccountRow:
    name = account_name_from(identity.name, default="user")

    async def work(transaction: Transaction) -> AccountRow | None:
        made = await accounts.create_external(
            transaction.connection,
            id=new_id(),
            names=numbered_account_names(name, secrets.token_hex(4)),
            role=role,
            issuer=identity.issuer,
            subject=identity.subject,
        )
        if made is not None:
            detail = {"id": str(made.id), "role": role, "issuer": identity.issuer, "identity": identity.subject}
            await record_audit(transaction, None, "account.create", made.name, **detail)
        return made

    for _ in range(_TRIES):
        made = await engine.transaction(work)
        if made is None:  # the same person signs in twice at the same time, or another person took the name
            made = await _find(engine, identity)
        if made is not None:
            return made
    raise Conflict("Other accounts took the name at the same time. Sign in again.")
