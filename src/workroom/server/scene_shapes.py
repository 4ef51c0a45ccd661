"""What is in a room, as messages of the wire."""

from __future__ import annotations

from typing import Any

from workroom.actions.events import LockFreed, LockHeld
from workroom.actions.locks import Grant
from workroom.store.locks import LockRow
from workroom.wire.locks import GrantedLock, Holder, LockInfo


def lock(row: LockRow) -> LockInfo:
    return LockInfo(**_lock(row))


def granted(grant: Grant) -> GrantedLock:
    return GrantedLock(**_lock(grant.lock), token=grant.token, client=grant.lock.client)


def _lock(row: LockRow) -> dict[str, Any]:
    return {
        "target": row.target,
        "holder": Holder(id=row.holder, name=row.holder_name),
        "job_id": row.job_id,
        "message": row.message,
        "fence": row.fence,
        "ttl_seconds": row.ttl_seconds,
        "acquired_at": row.acquired_at,
        "expires_at": row.expires_at,
    }


def lock_news(event: LockHeld | LockFreed) -> tuple[str, dict[str, Any]]:
    """The room, and what it is told about a lock: never the token."""
    if isinstance(event, LockHeld):
        return event.lock.room, lock(event.lock).model_dump(mode="json", by_alias=True)
    return event.room, {"target": event.target, "holder": None, "message": "", "expiresAt": None}
