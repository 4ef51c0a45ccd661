"""Accounts: create, update, disable, delete, authenticate, and revoke tokens.

The row of a deleted account that jobs refer to stays, without its name, as long as they do. Upkeep deletes such rows
and idle guests when nothing refers to them. There is always an admin who can sign in.
"""

from __future__ import annotations

from uuid import UUID

from workroom.actions.accounts.audit import record_audit
from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import AccountRevoked, ApiTokenRevoked
from workroom.actions.rooms.locks import delete_locks_of
from workroom.actions.workers.revoke import end_workers_of, settle
from workroom.domain.errors import Conflict, NotFound
from workroom.domain.names import account_name
from workroom.store import accounts, api_tokens
from workroom.store.accounts import AccountRow, AuthenticatedAccount, Credentials, JobAccount
from workroom.store.paging import Listed


async def authenticate(
    engine: Engine, account_id: UUID, epoch: int | None, api_token: UUID | None = None
) -> AuthenticatedAccount | None:
    """The account of a token: of an epoch, or an API token. None if it was revoked or the account is disabled."""
    async with engine.database.connection() as connection:
        return await accounts.authenticate(connection, id=account_id, epoch=epoch, api_token=api_token)


async def account_of_job(engine: Engine, *, job_id: UUID, worker_id: UUID, attempt: int) -> JobAccount | None:
    """The account that submitted a job. None if another attempt has the job, or its worker has ended."""
    async with engine.database.connection() as connection:
        return await accounts.of_job(connection, job_id=job_id, worker_id=worker_id, attempt=attempt)


async def credentials(engine: Engine, name: str) -> Credentials | None:
    """The credentials that a sign-in with this name is checked against."""
    async with engine.database.connection() as connection:
        return await accounts.credentials(connection, name)


async def has_admin(engine: Engine) -> bool:
    async with engine.database.connection() as connection:
        return bool(await accounts.lock_admins(connection))


async def get_account(engine: Engine, account_id: UUID) -> AccountRow:
    async with engine.database.connection() as connection:
        row = await accounts.get(connection, account_id)
    return _require(row)


async def list_accounts(engine: Engine, *, search: str, limit: int, offset: int) -> Listed[AccountRow]:
    """Accounts whose name contains the search text."""
    async with engine.database.connection() as connection:
        return await accounts.page(connection, search=search, limit=limit, offset=offset)


async def create_account(
    engine: Engine, *, actor: UUID | None, name: str, role: str, password_hash: str | None
) -> AccountRow:
    """Create an account; NameTaken if the name is in use."""
    account_name(name)

    async def work(transaction: Transaction) -> AccountRow:
        made = await accounts.create(
            transaction.connection, id=new_id(), name=name, role=role, password_hash=password_hash
        )
        await record_audit(transaction, actor, "account.create", name, id=str(made.id), role=role)
        return made

    return await engine.transaction(work)


async def update_account(
    engine: Engine, *, actor: UUID | None, account_id: UUID, role: str | None = None, disabled: bool | None = None
) -> AccountRow:
    """Promote, demote, disable or enable an account. An account that loses rights is signed out, its workers end.

    Without an actor, the server does it because of the groups of a provider.
    """
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> AccountRow:
        connection = transaction.connection
        admins = await accounts.lock_admins(connection)
        before = _require(await accounts.lock(connection, account_id))
        new_role = before.role if role is None else role
        new_disabled = before.disabled if disabled is None else disabled
        _check_change(before, new_role, new_disabled, admins)
        acts = _audit_actions(before, new_role, new_disabled)
        if not acts:
            return before
        # A promoted user keeps their tokens. A guest got the tokens without a password, so a promotion revokes them.
        revoke = new_disabled or not (before.role == new_role or (before.role, new_role) == ("user", "admin"))
        after = await accounts.update(connection, id=account_id, role=new_role, disabled=new_disabled, revoke=revoke)
        for act in acts:
            await record_audit(transaction, actor, act, before.name, id=str(account_id), role=new_role, was=before.role)
        if revoke:
            ended[:] = await _revoke(transaction, account_id)
        return after

    after = await engine.transaction(work)
    await settle(engine, ended)
    return after


async def delete_account(engine: Engine, *, actor: UUID, account_id: UUID) -> None:
    """Delete an account: its name is free, its rooms have no owner. Jobs that it submitted stay, without its name."""
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> None:
        connection = transaction.connection
        admins = await accounts.lock_admins(connection)
        before = _require(await accounts.lock(connection, account_id))
        _check_change(before, before.role, True, admins)
        await record_audit(transaction, actor, "account.delete", before.name, id=str(account_id), role=before.role)
        ended[:] = await _revoke(transaction, account_id)
        if not await accounts.delete(connection, account_id):
            await accounts.anonymise(connection, account_id)

    await engine.transaction(work)
    await settle(engine, ended)


async def change_password(engine: Engine, *, account_id: UUID, old_hash: str, new_hash: str) -> AccountRow:
    """Change the own password; the caller has verified the old one. Revokes all tokens and ends the workers."""
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> AccountRow:
        after = await accounts.set_password(transaction.connection, id=account_id, old_hash=old_hash, new_hash=new_hash)
        if after is None:
            raise Conflict("The password was changed meanwhile. Sign in again.")
        await record_audit(transaction, account_id, "account.password", after.name, id=str(account_id))
        ended[:] = await _revoke(transaction, account_id)
        return after

    after = await engine.transaction(work)
    await settle(engine, ended)
    return after


async def reset_password(engine: Engine, *, actor: UUID, account_id: UUID, new_hash: str) -> AccountRow:
    """Set a new password as an admin. Revokes all tokens and ends the workers."""
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> AccountRow:
        after = _require(await accounts.reset_password(transaction.connection, id=account_id, new_hash=new_hash))
        await record_audit(transaction, actor, "account.reset", after.name, id=str(account_id))
        ended[:] = await _revoke(transaction, account_id)
        return after

    after = await engine.transaction(work)
    await settle(engine, ended)
    return after


async def rehash(engine: Engine, account_id: UUID, *, old_hash: str, new_hash: str) -> None:
    """Replace the hash of a password by one with current parameters."""
    async with engine.database.connection() as connection:
        await accounts.rehash(connection, id=account_id, old_hash=old_hash, new_hash=new_hash)


async def sign_out(engine: Engine, account_id: UUID, *, everywhere: bool = True) -> None:
    """Record that a client forgets its token, or revoke the tokens of all logins of the account.

    Its workers stay: a person who leaves the browser leaves jobs running. API tokens stay, too.
    """

    async def work(transaction: Transaction) -> None:
        account = _require(await accounts.get(transaction.connection, account_id))
        await record_audit(transaction, account_id, "account.sign_out", account.name, everywhere=everywhere)
        if everywhere and await accounts.revoke(transaction.connection, account_id):
            transaction.record(AccountRevoked(account_id))

    await engine.transaction(work)


async def shut_out(engine: Engine, account_id: UUID) -> None:
    """Revoke all tokens of an account whose person may not sign in any more, and end its workers."""
    ended: list[UUID] = []

    async def work(transaction: Transaction) -> None:
        if await accounts.revoke(transaction.connection, account_id):
            ended[:] = await _revoke(transaction, account_id)

    await engine.transaction(work)
    await settle(engine, ended)


async def _revoke(transaction: Transaction, account_id: UUID) -> list[UUID]:
    """The account lost its tokens: revoke its API tokens, close its sockets, delete its locks and end its workers."""
    transaction.record(AccountRevoked(account_id))
    for token_id in await api_tokens.revoke_all(transaction.connection, account_id):
        transaction.record(ApiTokenRevoked(account_id, token_id))
    await delete_locks_of(transaction, account_id)
    return await end_workers_of(transaction, account_id)


def _require(row: AccountRow | None) -> AccountRow:
    if row is None:
        raise NotFound("There is no such account.")
    return row


def _check_change(before: AccountRow, role: str, disabled: bool, admins: list[UUID]) -> None:
    if admins == [before.id] and (disabled or role != "admin"):
        raise Conflict("This is the last admin. Promote another account first.")
    if role == "admin" and not before.has_credentials:
        raise Conflict("An admin needs a password. Reset this account's password first.")


def _audit_actions(before: AccountRow, role: str, disabled: bool) -> list[str]:
    acts: list[str] = []
    if role != before.role:
        acts.append("account.promote" if _RANK[role] > _RANK[before.role] else "account.demote")
    if disabled != before.disabled:
        acts.append("account.disable" if disabled else "account.enable")
    return acts


_RANK = {"guest": 0, "user": 1, "admin": 2}
