"""Queue many jobs at once: a posting, or jobs without a posting."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine, Transaction, new_id
from workroom.actions.events import JobsMoved, PostingChanged, WorkAppeared
from workroom.actions.forms import input_files
from workroom.actions.jobs.add_dependencies import add_dependencies, lock_dependencies
from workroom.actions.jobs.assign import announce_and_assign, assign_extension
from workroom.actions.jobs.call_chunks import Chunk, ChunkedCalls, pieces
from workroom.actions.jobs.options import Dependencies, JobOptions, extension_gone, validate_options
from workroom.actions.jobs.propagate import end_counted_posting
from workroom.domain import ids
from workroom.domain.errors import BadInput, DatabaseBusy
from workroom.domain.file_fields import FileValue
from workroom.domain.jobs.states import State
from workroom.store.queue_tables import jobs, postings
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Submitted, Transition
from workroom.store.queue_tables.postings import NewPosting

_AT_ONCE = 10_000
_NOTIFICATION_BYTES = 6_000  # larger arguments do not fit; the statement checks the exact size


async def post(
    engine: Engine,
    extension: ExtensionRow,
    arguments: Iterable[Any],
    options: JobOptions,
    *,
    label: str = "",
    timeout_seconds: float | None = None,
    backoff_base: float | None = None,
    backoff_cap: float | None = None,
    retry_of: Sequence[UUID] = (),
    by_job: UUID | None = None,
    worker_owner: UUID | None = None,
    keyed: bool = False,
) -> UUID:
    """Write one posting and its jobs, all or none, from any iterable in bounded memory.

    The extension may be a function or any other. `retry_of` has, for each call, the ended job that it retries; `by_job`
    is the job that posts, and `worker_owner` the account whose worker runs it. An idempotency key that was used before
    returns its posting. With `keyed` each of `arguments` is a pair of arguments and unique key; a call whose key
    belongs to an unfinished job of the function is left out.
    """
    validate_options(options)
    posting_id = ids.posting_id(new_id())
    priority = extension.priority if options.priority is None else options.priority
    tries = options.tries or extension.tries
    on_worker_lost = options.on_worker_lost or extension.on_worker_lost
    files = None if keyed else input_files.files_in_each(extension, arguments)
    source = ChunkedCalls(arguments, keyed=keyed)
    new = NewPosting(
        id=posting_id,
        extension_id=extension.id,
        submitter=options.submitter,
        room=options.room,
        label=label,
        priority=priority,
        tries=tries,
        timeout_seconds=timeout_seconds,
        backoff_base=backoff_base,
        backoff_cap=backoff_cap,
        on_worker_lost=on_worker_lost,
        unique_key=options.idempotency_key,
        by_job=by_job,
        posted_by=options.submitter if by_job is None else worker_owner,
    )
    simple = (
        not keyed and not options.dependencies and not retry_of and options.idempotency_key is None and files is None
    )
    if (piece := source.only) is not None and simple:
        return await _post_single_chunk(engine, extension, piece, options, new)

    async def work(transaction: Transaction) -> UUID:
        async with aclosing(source.read()) as given:
            return await write(transaction, given)

    async def write(transaction: Transaction, given: AsyncIterator[Chunk]) -> UUID:
        if (before := await _posted_before(transaction, extension, options)) is not None:
            return before
        unmet, failed, _ = await lock_dependencies(transaction, options.dependencies)
        needs = len(unmet.jobs) + len(unmet.postings) + len(failed.jobs) + len(failed.postings)
        await input_files.lock(transaction, options.room, _distinct(files))
        created = await postings.create(transaction.connection, new)
        if created is None:
            raise DatabaseBusy  # another transaction posts with the same key; the retry finds its posting
        transaction.record(PostingChanged(posting_id))
        if keyed:
            await jobs.lock_unique_keys(transaction.connection, extension_id=extension.id)
        total = duplicates = 0
        made: list[UUID] = []
        async for piece in given:
            count = piece.size
            turn = await jobs.reserve_turns(
                transaction.connection,
                extension_id=extension.id,
                schema_hash=extension.schema_hash,
                priority=priority,
                submitter=options.submitter,
                count=count,
            )
            if turn is None:
                raise extension_gone(extension)
            where: dict[str, Any] = {
                "id_prefix": posting_id.bytes[:12],
                "first_position": total + duplicates,
                "first_turn": turn,
                "extension_id": extension.id,
                "submitter": options.submitter,
                "posting_id": posting_id,
                "arguments": piece.arguments,
                "room": options.room,
                "priority": priority,
                "tries": tries,
                "on_worker_lost": on_worker_lost,
                "run_at": options.run_at,
                "unmet_dependencies": needs,
            }
            chunk = await jobs.insert_chunk(
                transaction.connection,
                unique_keys=piece.keys if keyed else (),
                retry_of=retry_of[total : total + count],
                return_ids=needs > 0,
                **where,
            )
            if files is not None:
                made_here = list(ids.job_ids(posting_id, total, count))
                await input_files.link(transaction, made_here, files[total : total + count])
            if needs:
                await add_dependencies(transaction, chunk.ids, unmet, Dependencies())
                made += chunk.ids
            total += chunk.inserted
            duplicates += count - chunk.inserted
        await postings.seal(transaction.connection, posting_id, count=total, duplicates=duplicates)
        if not total:
            await end_counted_posting(transaction, posting_id)
        if failed:
            await add_dependencies(transaction, made, Dependencies(), failed)
        elif not needs:
            await announce_and_assign(transaction, [extension.id])
            await jobs.notify_pools(transaction.connection, [extension.id])
        return posting_id

    return await engine.transaction(work)


async def _posted_before(transaction: Transaction, extension: ExtensionRow, options: JobOptions) -> UUID | None:
    if options.idempotency_key is None:
        return None
    return await postings.find_by_key(
        transaction.connection,
        submitter=options.submitter,
        extension_id=extension.id,
        unique_key=options.idempotency_key,
    )


async def _post_single_chunk(
    engine: Engine, extension: ExtensionRow, piece: Chunk, options: JobOptions, new: NewPosting
) -> UUID:
    """Post a single chunk in one statement."""
    if _can_assign(extension, piece, options, new) and await _post_assigned(engine, extension, piece, new):
        return new.id

    async def work(transaction: Transaction) -> bool | None:
        remote_workers = await postings.post(
            transaction.connection,
            new,
            schema_hash=extension.schema_hash,
            run_at=options.run_at,
            count=piece.size,
            arguments=piece.arguments,
        )
        if remote_workers is not None:
            transaction.record(PostingChanged(new.id))
            transaction.record(WorkAppeared((extension.id,)))
        return remote_workers

    remote_workers = await engine.autocommit(work)
    if remote_workers is None:
        raise extension_gone(extension)
    if remote_workers:
        await assign_extension(engine, extension.id)
    return new.id


def _can_assign(extension: ExtensionRow, piece: Chunk, options: JobOptions, new: NewPosting) -> bool:
    """Whether an idle pool process may get the call with the notification.

    A process that shuts down at this moment releases the job; a job with `on_worker_lost` fail would fail instead.
    """
    return (
        piece.size == 1
        and extension.scope == "function"
        and options.run_at is None
        and new.on_worker_lost != "fail"
        and len(piece.arguments) < _NOTIFICATION_BYTES
    )


async def _post_assigned(engine: Engine, extension: ExtensionRow, piece: Chunk, new: NewPosting) -> bool:
    """Send a single call to an idle pool process; returns whether there was one."""

    async def work(transaction: Transaction) -> bool:
        # The JSON array of one argument without the brackets.
        argument = piece.arguments[1:-1]
        sent = await postings.post_assigned(
            transaction.connection, new, schema_hash=extension.schema_hash, argument=argument
        )
        if sent:
            transaction.record(PostingChanged(new.id))
        return sent

    return await engine.autocommit(work)


async def submit_each(
    engine: Engine, extension: ExtensionRow, arguments: Sequence[Any], options: JobOptions
) -> list[Submitted]:
    """Queue many jobs of one extension, all or none, without a posting."""
    validate_options(options)
    if options.idempotency_key is not None or options.dependencies:
        raise BadInput("Many jobs at once take neither an idempotency key nor dependencies.")
    if not arguments or len(arguments) > _AT_ONCE:
        raise BadInput(f"Submit 1 to {_AT_ONCE:,} jobs at once, not {len(arguments):,}.")
    encoded = list(pieces(arguments))
    files = input_files.files_in_each(extension, arguments)
    seed = ids.posting_id(new_id())
    made = list(ids.job_ids(seed, 0, len(arguments)))
    priority = extension.priority if options.priority is None else options.priority

    async def work(transaction: Transaction) -> list[Submitted]:
        await input_files.lock(transaction, options.room, _distinct(files))
        turn = await jobs.reserve_turns(
            transaction.connection,
            extension_id=extension.id,
            schema_hash=extension.schema_hash,
            priority=priority,
            submitter=options.submitter,
            count=len(made),
        )
        if turn is None:
            raise extension_gone(extension)
        total = 0
        for count, text, _ in encoded:
            await jobs.insert_chunk(
                transaction.connection,
                id_prefix=seed.bytes[:12],
                first_position=total,
                first_turn=turn + total,
                extension_id=extension.id,
                submitter=options.submitter,
                posting_id=None,
                arguments=text,
                room=options.room,
                priority=priority,
                tries=options.tries or extension.tries,
                on_worker_lost=options.on_worker_lost or extension.on_worker_lost,
                run_at=options.run_at,
                unmet_dependencies=0,
            )
            total += count
        if files is not None:
            await input_files.link(transaction, made, files)
        moved = [Transition(job_id, 0, extension.id, None, options.room, State.PENDING, False) for job_id in made]
        transaction.record(JobsMoved(tuple(moved)))
        await announce_and_assign(transaction, [extension.id])
        return [Submitted(job_id, State.PENDING, datetime.now(UTC)) for job_id in made]

    return await engine.transaction(work)


def _distinct(files: Sequence[Sequence[FileValue]] | None) -> list[FileValue]:
    """The files of many jobs, each once: a sweep has the same file in all of its jobs."""
    return list({(file.id, file.name, file.size): file for own in files or () for file in own}.values())
