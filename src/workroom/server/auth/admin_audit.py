"""Audit rows for what admins do to jobs, postings, workers and messages of others.

Actions on accounts and rooms write their rows themselves. These here need no admin when the caller is the owner or a
member of the room, so only the route knows that the caller acted as an admin.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.actions.accounts.audit import record_admin_act
from workroom.server.auth.access import load_principal
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import ServerContext


async def audit_if_foreign(
    context: ServerContext, token: object, act: str, subject: str, *, owner: UUID | None, **detail: Any
) -> None:
    """Record an act of an admin on something that belongs to another account."""
    if not isinstance(token, PersonToken) or token.account_id == owner:
        return
    principal = await load_principal(context, token)
    if principal.is_admin:
        await record_admin_act(context.engine, principal.account_id, act, subject, **detail)
