"""The transaction of a write in a room: every write is one change.

`begin_write` locks the `room_data` row, so that writes and grants of locks are serialised. In the same transaction it
checks that no other client has a lock on the target, that a job that writes still has its attempt, and that the room is
at the revision which the writer expects, if any. The caller then writes. `commit_write` records the change and raises
the revision. If anything fails, the transaction is rolled back.

Who may write is decided before, in one place: `server/auth/access.authorize` reads the account, the room and the
membership in one statement and applies `domain/rooms/rights`. A frequent submit may use a copy of that row that is at
most a second old. It passes the copy as an `AccessSnapshot` with the statement, and the SQL fragment `access_unchanged`
compares it with the current rows: the statement inserts nothing if the account, its role or its membership, or the
visibility or the lock of the room changed, and the server authorises again. SQL decides
nothing else about a request. Which calls a worker may run, and what a list shows, are conditions of their statements.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.actions.engine import Transaction, new_id
from workroom.actions.events import ChangeMade
from workroom.domain.errors import AttemptLost, LockLost, RevisionConflict, RoomLocked
from workroom.domain.rooms.rights import no_such_room
from workroom.store.room_tables import changes, locks
from workroom.store.room_tables.changes import CommittedChange, RoomData, WritingJob


@dataclass(frozen=True, slots=True)
class JobAttempt:
    """The attempt that a writing job claims to have."""

    job_id: UUID
    worker_id: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class WriteContext:
    """The account that writes, its job and its lock, if any."""

    account_id: UUID
    job: JobAttempt | None = None
    lock: str | None = None  # the token of the lock that the caller claims to hold
    revision: int | None = None  # of the data that the caller has read; the write is refused if the room is past it


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change between `begin_write` and `commit_write`."""

    id: UUID
    room: str
    data: RoomData  # before the change
    writer: WriteContext
    by: WritingJob | None


async def begin_write(
    transaction: Transaction, room: str, writer: WriteContext, *, target: str | Sequence[str], id: UUID | None = None
) -> PendingChange:
    """Begin a write on a lock target of a room, e.g. its trajectory, or on several, as an undo may."""
    data = await lock_room(transaction, room)
    await _check_lock(transaction, room, writer, target)
    if writer.revision is not None and writer.revision != data.revision:
        raise RevisionConflict(revision=data.revision)
    return PendingChange(id or new_id(), room, data, writer, await require_attempt(transaction, writer))


async def lock_room(transaction: Transaction, room: str) -> RoomData:
    """Lock the data of a room until the transaction ends."""
    data = await changes.lock_room_data(transaction.connection, room)
    if data is None:
        raise no_such_room()
    return data


async def require_attempt(transaction: Transaction, writer: WriteContext) -> WritingJob | None:
    """Lock the job that writes, so that the attempt keeps it until the transaction ends; AttemptLost otherwise."""
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
    bytes: int = 0,
) -> int:
    """Record the change, with the bytes it adds. Returns the new revision of the room."""
    if draft.writer.lock is not None:
        await locks.extend(transaction.connection, room=draft.room, token_hash=token_hash(draft.writer.lock))
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
        bytes=bytes,
    )
    _announce(transaction, draft, draft.id, made, act=act, label=label, undo_of=undo_of)
    return made.revision


async def extend_last_change(
    transaction: Transaction, draft: PendingChange, change_id: UUID, *, act: str, label: str
) -> int:
    """Instead of `commit_write`: merge the write into the last change. Returns the new revision of the room."""
    if draft.writer.lock is not None:
        await locks.extend(transaction.connection, room=draft.room, token_hash=token_hash(draft.writer.lock))
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
    """The hash of a lock token, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def locked_error(target: str, holder: str, message: str, expires_at: datetime) -> RoomLocked:
    """The error that names the holder of the lock, and its expiry."""
    why = f": {message}" if message else ""
    return RoomLocked(
        f"{holder} holds the lock on the {target}{why}. Try again when it is released.",
        target=target,
        holder=holder,
        message=message,
        expiresAt=expires_at.isoformat(),
    )


async def _check_lock(transaction: Transaction, room: str, writer: WriteContext, target: str | Sequence[str]) -> None:
    """No other client may have a lock on a target, and a token that the caller sends must be valid.

    A write on one target needs the token of that target. An undo on several accepts the token of any lock in the room.
    """
    targets = [target] if isinstance(target, str) else list(target)
    held = await locks.on_targets(
        transaction.connection, room=room, targets=targets, token_hash=token_hash(writer.lock) if writer.lock else ""
    )
    ours = [lock.target for lock in held if lock.ours]
    if writer.lock is not None and not (ours and (ours[0] in targets or not isinstance(target, str))):
        raise LockLost(target=", ".join(targets))
    for lock in held:
        if not lock.ours:
            raise locked_error(lock.target, lock.holder, lock.message, lock.expires_at)
