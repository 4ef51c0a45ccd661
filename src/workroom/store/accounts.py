"""One function for each statement of `sql/account`, `sql/audit` and `sql/login_code`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.store.paging import Listed, PageStatement
from workroom.store.statement import Connection, Statement, first


class AccountRow(NamedTuple):
    id: UUID
    name: str
    role: str
    disabled: bool
    has_credentials: bool  # a password, or an identity at a provider
    created_at: datetime


class AuthenticatedAccount(NamedTuple):
    """The account of a valid token."""

    id: UUID
    name: str
    role: str


class JobAccount(NamedTuple):
    """The account that submitted a running job."""

    id: UUID
    name: str
    role: str
    worker_owner: UUID | None  # of the worker that runs the job; none: the server's own pool


class Credentials(NamedTuple):
    """What a sign-in is checked against, and the epoch that its token carries."""

    id: UUID
    name: str
    role: str
    token_epoch: int
    password_hash: str | None


class AuditRow(NamedTuple):
    id: int
    at: datetime
    actor: UUID | None
    actor_name: str | None
    act: str
    subject: str
    detail: dict[str, Any]


_create = Statement("account/create", AccountRow._make)
_get = Statement("account/get", AccountRow._make)
_find = Statement("account/find", AccountRow._make)
_list = PageStatement("account/list", AccountRow._make)
_authenticate = Statement("account/authenticate", AuthenticatedAccount._make)
_of_job = Statement("account/of_job", JobAccount._make)
_credentials = Statement("account/credentials", Credentials._make)
_sign_in_guest = Statement("account/sign_in_guest", Credentials._make)
_create_guest = Statement("account/create_guest", Credentials._make)
_find_external = Statement("account/find_external", AccountRow._make)
_create_external = Statement("account/create_external", AccountRow._make)
_sign_in_external = Statement("account/sign_in_external", Credentials._make)
_may_renew = Statement[bool]("account/may_renew", first)
_has_provider = Statement[bool]("account/has_provider", first)
_create_login_code = Statement[None]("login_code/create", first)
_use_login_code = Statement("login_code/use", Credentials._make)
_lock_admins = Statement[UUID]("account/lock_admins", first)
_lock = Statement("account/lock", AccountRow._make)
_update = Statement("account/update", AccountRow._make)
_revoke = Statement[UUID]("account/revoke", first)
_set_password = Statement("account/set_password", AccountRow._make)
_reset_password = Statement("account/reset_password", AccountRow._make)
_delete = Statement[UUID]("account/delete", first)
_anonymise = Statement[UUID]("account/anonymise", first)
_rehash = Statement[None]("account/rehash", first)
_delete_idle_guests = Statement[None]("account/delete_idle_guests", first)
_insert_audit = Statement[None]("audit/insert", first)
_list_audit = PageStatement("audit/list", AuditRow._make)
_delete_old_audit = Statement[None]("audit/delete_old", first)


async def create(connection: Connection, *, id: UUID, name: str, role: str, password_hash: str | None) -> AccountRow:
    row = await _create.one(connection, id=id, name=name, role=role, password_hash=password_hash)
    assert row is not None
    return row


async def get(connection: Connection, id: UUID) -> AccountRow | None:
    return await _get.one(connection, id=id)


async def find(connection: Connection, name: str) -> AccountRow | None:
    return await _find.one(connection, name=name)


async def page(connection: Connection, *, search: str, limit: int, offset: int) -> Listed[AccountRow]:
    return await _list.page(connection, search=search, limit=limit, offset=offset)


async def authenticate(
    connection: Connection, *, id: UUID, epoch: int | None, api_token: UUID | None
) -> AuthenticatedAccount | None:
    return await _authenticate.one(connection, id=id, epoch=epoch, api_token=api_token)


async def of_job(connection: Connection, *, job_id: UUID, worker_id: UUID, attempt: int) -> JobAccount | None:
    return await _of_job.one(connection, job_id=job_id, worker_id=worker_id, attempt=attempt)


async def credentials(connection: Connection, name: str) -> Credentials | None:
    return await _credentials.one(connection, name=name)


async def sign_in_guest(connection: Connection, *, key_hash: str) -> Credentials | None:
    return await _sign_in_guest.one(connection, key_hash=key_hash)


async def create_guest(
    connection: Connection, *, id: UUID, names: Sequence[str], key_hash: str | None
) -> Credentials | None:
    return await _create_guest.one(connection, id=id, names=list(names), key_hash=key_hash)


async def find_external(connection: Connection, *, issuer: str, subject: str) -> AccountRow | None:
    return await _find_external.one(connection, issuer=issuer, subject=subject)


async def create_external(
    connection: Connection, *, id: UUID, names: Sequence[str], role: str, issuer: str, subject: str
) -> AccountRow | None:
    return await _create_external.one(connection, id=id, names=list(names), role=role, issuer=issuer, subject=subject)


async def sign_in_external(connection: Connection, *, issuer: str, subject: str) -> Credentials | None:
    return await _sign_in_external.one(connection, issuer=issuer, subject=subject)


async def may_renew(connection: Connection, *, id: UUID, since: datetime) -> bool:
    return bool(await _may_renew.one(connection, id=id, since=since))


async def has_provider(connection: Connection, id: UUID) -> bool:
    return bool(await _has_provider.one(connection, id=id))


async def create_login_code(
    connection: Connection, *, account_id: UUID, code_hash: str, epoch: int, seconds: float
) -> None:
    await _create_login_code.run(connection, account_id=account_id, code_hash=code_hash, epoch=epoch, seconds=seconds)


async def use_login_code(connection: Connection, *, code_hash: str) -> Credentials | None:
    return await _use_login_code.one(connection, code_hash=code_hash)


async def lock_admins(connection: Connection) -> list[UUID]:
    return await _lock_admins.all(connection)


async def lock(connection: Connection, id: UUID) -> AccountRow | None:
    return await _lock.one(connection, id=id)


async def update(connection: Connection, *, id: UUID, role: str, disabled: bool, revoke: bool) -> AccountRow:
    """Returns the updated account; the row must be locked."""
    row = await _update.one(connection, id=id, role=role, disabled=disabled, revoke=revoke)
    assert row is not None
    return row


async def revoke(connection: Connection, id: UUID) -> bool:
    return await _revoke.one(connection, id=id) is not None


async def set_password(connection: Connection, *, id: UUID, old_hash: str, new_hash: str) -> AccountRow | None:
    return await _set_password.one(connection, id=id, old_hash=old_hash, new_hash=new_hash)


async def reset_password(connection: Connection, *, id: UUID, new_hash: str) -> AccountRow | None:
    return await _reset_password.one(connection, id=id, new_hash=new_hash)


async def rehash(connection: Connection, *, id: UUID, old_hash: str, new_hash: str) -> None:
    await _rehash.run(connection, id=id, old_hash=old_hash, new_hash=new_hash)


async def delete(connection: Connection, id: UUID) -> bool:
    """False if a job, a posting or a worker refers to the account."""
    return await _delete.one(connection, id=id) is not None


async def anonymise(connection: Connection, id: UUID) -> None:
    await _anonymise.run(connection, id=id)


async def write_audit(connection: Connection, *, actor: UUID | None, act: str, subject: str, detail: str) -> None:
    await _insert_audit.run(connection, actor=actor, act=act, subject=subject, detail=detail)


async def audit_page(connection: Connection, *, limit: int, offset: int) -> Listed[AuditRow]:
    return await _list_audit.page(connection, limit=limit, offset=offset)


async def delete_idle_guests(connection: Connection, *, before: datetime, limit: int) -> int:
    return await _delete_idle_guests.run(connection, before=before, limit=limit)


async def delete_old_audit(connection: Connection, *, before: datetime, limit: int) -> int:
    return await _delete_old_audit.run(connection, before=before, limit=limit)
