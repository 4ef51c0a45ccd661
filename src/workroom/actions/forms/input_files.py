"""Files that people upload for fields of extensions: stored in parts, named by jobs, deleted with the last of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.extensions.arguments import takes_files
from workroom.actions.quotas.admission import StorageClaim
from workroom.domain.errors import BadInput, NotFound, TooLarge
from workroom.domain.file_fields import FileValue, fault, file_values
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.room_tables import input_files
from workroom.store.room_tables.input_files import InputFileRow

_PART_BYTES = 1_000_000
_LONGEST_NAME = 200
_DELETED_AT_ONCE = 100
UNUSED_SECONDS = 86_400.0  # how long a file is kept that no job has


async def store(
    engine: Engine, room: str, account_id: UUID, name: str, size: int, pieces: AsyncIterator[bytes], *, largest: int
) -> InputFileRow:
    """Store an uploaded file, all of it or nothing."""
    name = name.replace("\\", "/").rpartition("/")[2].replace("\x00", "")[:_LONGEST_NAME]
    if not name:
        raise BadInput("The upload has no name: write ?name=FILE.")
    if size == 0:
        raise BadInput(f"{name} is empty. Send the content of the file as the body.")
    if size > largest:
        raise TooLarge(f"{name} takes {size:,} bytes; this server stores at most {largest:,} for a field.")
    row = InputFileRow(new_id(), name, size)
    claim = StorageClaim(engine, room)

    async def work(transaction: Transaction) -> InputFileRow:
        connection = transaction.connection
        await claim.add(connection, bytes=size)
        await input_files.insert(connection, id=row.id, room=room, account_id=account_id, name=name, size=size)
        async for ordinal, part in _parts(pieces):
            await input_files.insert_part(connection, file_id=row.id, ordinal=ordinal, body=part)
        return row

    try:
        async with engine.uploads:
            return await engine.transaction_once(work)
    except BaseException:
        claim.release()
        raise


async def _parts(pieces: AsyncIterator[bytes]) -> AsyncIterator[tuple[int, bytes]]:
    ordinal, pending, size = 0, list[bytes](), 0
    async for piece in pieces:
        pending.append(piece)
        size += len(piece)
        if size >= _PART_BYTES:
            yield ordinal, b"".join(pending)
            ordinal, pending, size = ordinal + 1, [], 0
    if pending:
        yield ordinal, b"".join(pending)


async def find(engine: Engine, room: str, file_id: UUID) -> InputFileRow:
    async with engine.database.connection() as connection:
        row = await input_files.get(connection, room=room, id=file_id)
    if row is None:
        raise NotFound("There is no such file in this room. It is deleted with the last job that has it.")
    return row


async def read(engine: Engine, file_id: UUID) -> AsyncIterator[bytes]:
    """The content of a file. No connection is held while a part is sent."""
    ordinal = 0
    while True:
        async with engine.database.connection() as connection:
            part = await input_files.part(connection, file_id=file_id, ordinal=ordinal)
        if part is None:
            return
        yield part
        ordinal += 1


def files_in(extension: ExtensionRow, arguments: object) -> tuple[FileValue, ...]:
    """The files that the arguments of a job name. Raises InvalidArguments for one that its field does not accept."""
    found = tuple(file_values(extension.schema, arguments))
    for file in found:
        file.check()
    return found


def files_in_each(extension: ExtensionRow, many: Iterable[object]) -> list[tuple[FileValue, ...]] | None:
    """The files of the arguments of many jobs; None if the extension has no field for one."""
    if not takes_files(extension.schema, extension.schema_hash):
        return None
    return [files_in(extension, arguments) for arguments in many]


async def lock(transaction: Transaction, room: str | None, files: Iterable[FileValue]) -> None:
    """Lock the files until the transaction ends. Raises InvalidArguments for one that is not in the room."""
    named = list(files)
    if not named:
        return
    rows = await input_files.lock(transaction.connection, room=room or "", ids=sorted({file.id for file in named}))
    stored = {row.id: row for row in rows}
    for file in named:
        row = stored.get(file.id)
        if row is None:
            raise fault(file.path, f"the file {file.name} is not stored in this room (any more). Upload it again.")
        if (row.name, row.size) != (file.name, file.size):
            raise fault(file.path, f"this upload is {row.name} of {row.size:,} bytes. Send what the upload answered.")


async def link(transaction: Transaction, job_ids: Sequence[UUID], files: Sequence[Sequence[FileValue]]) -> None:
    """Keep the files as long as their jobs. `files` has those of each job."""
    pairs = {(job_id, file.id) for job_id, own in zip(job_ids, files, strict=True) for file in own}
    if pairs:
        await input_files.link(
            transaction.connection, job_ids=[job for job, _ in pairs], file_ids=[file for _, file in pairs]
        )


async def delete_unused_files(engine: Engine, *, seconds: float = UNUSED_SECONDS) -> int:
    """Delete files that no job has; returns how many."""
    total = 0
    while True:
        async with engine.database.connection() as connection:
            deleted = await input_files.delete_unused(connection, seconds=seconds, limit=_DELETED_AT_ONCE)
        total += deleted
        if deleted < _DELETED_AT_ONCE:
            return total
