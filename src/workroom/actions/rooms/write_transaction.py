"""Writing in a room: every write is one change, made by somebody who may make it now.

`begin` holds the room's data, so that writes and grants of locks come one after the other, and checks in the same
transaction that no lock stands in the way and that a job that writes is still the attempt it was. `finish` notes what
was done. What happens between the two is the write itself; if it fails, nothing has happened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.actions.engine import Transaction, new_id
from workroom.actions.events import ChangeMade
from workroom.domain.errors import AttemptLost, LockLost, RoomLocked
from workroom.domain.rooms.rights import no_such_room
from workroom.store.room_tables import changes
from workroom.store.room_tables.changes import CommittedChange, RoomData, WritingJob


@dataclass(frozen=True, slots=True)
class JobAttempt:
    """The one attempt of a job that may write for it."""

    job_id: UUID
    worker_id: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class WriteContext:
    """Who writes, for which job, under which lock."""

    account_id: UUID
    job: JobAttempt | None = None
    lock: str | None = None  # the token of the lock they say they have


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change under way."""

    id: UUID
    room: str
    data: RoomData  # as it was before
    writer: WriteContext
    by: WritingJob | None


async def begin_write(
    transaction: Transaction, room: str, writer: WriteContext, *, target: str | Sequence[str], id: UUID | None = None
) -> PendingChange:
    """Begin to write on a target of a room, e.g. its trajectory; or on several, as an undo may."""
    data = await lock_room(transaction, room)
    await _check_lock(transaction, room, writer, target)
    return PendingChange(id or new_id(), room, data, writer, await require_attempt(transaction, writer))


async def lock_room(transaction: Transaction, room: str) -> RoomData:
    """Hold a room's data until the transaction ends."""
    data = await changes.lock_room_data(transaction.connection, room)
    if data is None:
        raise no_such_room()
    return data


async def require_attempt(transaction: Transaction, writer: WriteContext) -> WritingJob | None:
    """The job a hand writes for, which stays this attempt's until the transaction ends."""
    if writer.job is None:
        return None
    job = await changes.lock_writing_job(
        transaction.connection, job_id=writer.job.job_id, worker_id=writer.job.worker_id, attempt=writer.job.attempt
    )
    if job is None:
        raise AttemptLost(jobId=str(writer.job.job_id), attempt=writer.job.attempt)
    return job


async def commit_write(
    transaction: Transaction,
    draft: PendingChange,
    *,
    act: str,
    label: str,
    length: int | None = None,
    step: int | None = None,
    undo_of: UUID | None = None,
) -> int:
    """Note the change; the room's revision since."""
    if draft.writer.lock is not None:
        await changes.extend_lock(transaction.connection, room=draft.room, token_hash=token_hash(draft.writer.lock))
    made = await changes.insert(
        transaction.connection,
        id=draft.id,
        room=draft.data.number,
        action=act,
        label=label,
        author=draft.writer.account_id,
        job_id=draft.writer.job and draft.writer.job.job_id,
        machine=draft.by and draft.by.machine,
        undo_of=undo_of,
        length=length,
        step=step,
    )
    _announce(transaction, draft, draft.id, made, act=act, label=label, undo_of=undo_of)
    return made.revision


async def extend_last_change(
    transaction: Transaction, draft: PendingChange, change_id: UUID, *, act: str, label: str
) -> int:
    """Instead of `finish`: what was written belongs to the last change of this room; the room's revision since."""
    if draft.writer.lock is not None:
        await changes.extend_lock(transaction.connection, room=draft.room, token_hash=token_hash(draft.writer.lock))
    made = await changes.extend(transaction.connection, id=change_id, room=draft.data.number, label=label)
    _announce(transaction, draft, change_id, made, act=act, label=label)
    return made.revision


def _announce(
    transaction: Transaction,
    draft: PendingChange,
    change_id: UUID,
    made: CommittedChange,
    *,
    act: str,
    label: str,
    undo_of: UUID | None = None,
) -> None:
    transaction.record(
        ChangeMade(
            room=draft.room,
            change_id=change_id,
            revision=made.revision,
            act=act,
            label=label,
            author=draft.writer.account_id,
            job_id=draft.writer.job and draft.writer.job.job_id,
            undo_of=undo_of,
            at=made.at,
        )
    )


def token_hash(token: str) -> str:
    """What is kept of a lock's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def locked_error(target: str, holder: str, message: str, expires_at: datetime) -> RoomLocked:
    """Who is in the way, and until when."""
    why = f": {message}" if message else ""
    return RoomLocked(
        f"{holder} holds the lock on the {target}{why}. Try again when it is released.",
        target=target,
        holder=holder,
        message=message,
        expiresAt=expires_at.isoformat(),
    )


async def _check_lock(transaction: Transaction, room: str, writer: WriteContext, target: str | Sequence[str]) -> None:
    """Nobody else may have a lock on what is written, and whoever says they have one must.

    Whoever writes on one target has the lock on that one; who writes on several, as an undo may, on any in the room.
    """
    targets = [target] if isinstance(target, str) else list(target)
    held = await changes.locks_on(
        transaction.connection, room=room, targets=targets, token_hash=token_hash(writer.lock) if writer.lock else ""
    )
    ours = [lock.target for lock in held if lock.ours]
    if writer.lock is not None and not (ours and (ours[0] in targets or not isinstance(target, str))):
        raise LockLost(target=", ".join(targets))
    for lock in held:
        if not lock.ours:
            raise locked_error(lock.target, lock.holder, lock.message, lock.expires_at)
