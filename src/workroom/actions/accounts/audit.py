"""The audit log: actions of admins and owners, recorded in the transaction of the action, and failed sign-ins."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import orjson

from workroom.actions.engine import Engine, Transaction
from workroom.store import accounts
from workroom.store.accounts import AuditRow
from workroom.store.paging import Listed


async def record_audit(transaction: Transaction, actor: UUID | None, act: str, subject: str, **detail: Any) -> None:
    """Record an action. Without an actor, the server did it."""
    await accounts.write_audit(
        transaction.connection, actor=actor, act=act, subject=subject, detail=orjson.dumps(detail).decode()
    )


async def record_admin_act(engine: Engine, actor: UUID, act: str, subject: str, **detail: Any) -> None:
    """Record an act of an admin that has just been carried out."""

    async def work(transaction: Transaction) -> None:
        await record_audit(transaction, actor, act, subject, **detail)

    await engine.transaction(work)


async def record_failed_sign_in(engine: Engine, *, name: str, address: str, method: str) -> None:
    """Record a refused sign-in; the subject is the name that was given. The login limits bound the number of rows."""

    async def work(transaction: Transaction) -> None:
        await record_audit(transaction, None, "login.failed", name, address=address, method=method)

    await engine.transaction(work)


async def list_audit(engine: Engine, *, limit: int, offset: int) -> Listed[AuditRow]:
    """The audit log, newest first."""
    async with engine.database.connection() as connection:
        return await accounts.audit_page(connection, limit=limit, offset=offset)
