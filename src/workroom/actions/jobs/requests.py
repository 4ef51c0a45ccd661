"""Ask for an extension by name: find it, check the arguments, queue the job."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import SettingsStored
from workroom.actions.extensions.arguments import check_arguments
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post, submit_each
from workroom.actions.jobs.submit import JobRequest, job_request, submit
from workroom.actions.workers.register import FUNCTIONS, function, register_extensions
from workroom.domain.errors import BadInput, InvalidArguments, NotFound, WrongState
from workroom.domain.jobs.states import FINAL
from workroom.store.queue_tables import extensions, jobs, postings
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Submitted
from workroom.store.room_tables import setting_values

SETTINGS = "settings"  # extensions of this category keep values and queue nothing


async def find_extension(
    engine: Engine, room: str | None, category: str, name: str, scope: str | None = None
) -> ExtensionRow:
    """The extension a room means: its own, then a global one, then a built-in one, unless the scope is named."""
    async with engine.database.connection() as connection:
        found = await extensions.find(connection, room=room, category=category, name=name, scope=scope)
    if found is None:
        where = f"in room {room!r}" if room else "here"
        raise NotFound(f"There is no extension {category}/{name} {where}.", category=category, name=name)
    return found


async def function_named(engine: Engine, name: str, *, tries: int, timeout_seconds: float | None) -> ExtensionRow:
    """The function of this name; one that nobody has offered yet is made known, and its jobs wait for whoever does."""
    async with engine.database.connection() as connection:
        found = await extensions.find(connection, room=None, category=FUNCTIONS, name=name, scope="function")
    if found is not None:
        return found
    await register_extensions(engine, [function(name, tries=tries, timeout_seconds=timeout_seconds)])
    return await find_extension(engine, None, FUNCTIONS, name, "function")


async def prepare_job(
    engine: Engine, extension: ExtensionRow, arguments: Any, options: JobOptions
) -> JobRequest | None:
    """A job of an extension, ready to be submitted. Of a settings extension the values are kept: there is no job."""
    _check_not_a_function(extension)
    check_arguments(extension.schema, extension.schema_hash, arguments)
    if extension.category == SETTINGS and options.room is not None:
        await _store_settings(engine, options.room, options.submitter, extension.name, arguments)
        return None
    return job_request(extension, arguments, options)


async def submit_many(
    engine: Engine, extension: ExtensionRow, arguments: list[Any], options: JobOptions
) -> list[Submitted]:
    """Queue many jobs of one extension, all or none."""
    _check_not_a_function(extension)
    for one in arguments:
        check_arguments(extension.schema, extension.schema_hash, one)
    return await submit_each(engine, extension, arguments, options)


async def sweep(
    engine: Engine, extension: ExtensionRow, arguments: Iterable[dict[str, Any]], options: JobOptions, *, label: str
) -> UUID:
    """One posting of jobs of an extension; every set of arguments is checked before any is written."""
    _check_not_a_function(extension)
    if extension.category == SETTINGS:
        raise BadInput("A settings extension keeps one set of values: there is nothing to sweep over.")
    checked = list(arguments)
    for position, one in enumerate(checked):
        try:
            check_arguments(extension.schema, extension.schema_hash, one)
        except InvalidArguments as error:
            raise InvalidArguments(f"Job {position}: {error.message}", position=position, **error.detail) from None
    return await post(engine, extension, checked, options, label=label)


def _check_not_a_function(extension: ExtensionRow) -> None:
    if extension.scope == "function":
        raise BadInput(f"{extension.name} is a function, not an extension: post its calls, POST /api/postings.")


async def resolve_dependencies(engine: Engine, ids: list[UUID]) -> Dependencies:
    """Which of these are jobs and which are postings."""
    if not ids:
        return Dependencies()
    async with engine.database.connection() as connection:
        # The first job of a posting has the posting's own id; whoever names it means all of it.
        posted = {one for one in ids if await postings.get(connection, one) is not None}
    needed = dict.fromkeys(ids)
    return Dependencies(
        jobs=tuple(one for one in needed if one not in posted), postings=tuple(one for one in needed if one in posted)
    )


async def retry(engine: Engine, job_id: UUID, by: UUID) -> Submitted:
    """Run an ended job once more, as a new job with the same arguments."""
    async with engine.database.connection() as connection:
        before = await jobs.get(connection, job_id)
        extension = None if before is None else await extensions.get(connection, before.extension_id)
    if before is None or extension is None:
        raise NotFound(f"There is no job {job_id}.")
    if before.state not in FINAL:
        raise WrongState(f"The job is {before.state}: only an ended job can be retried.", state=before.state)
    options = JobOptions(
        submitter=by,
        room=before.room,
        priority=before.priority,
        tries=before.tries,
        on_worker_lost=before.on_worker_lost,
        retry_of=job_id,
    )
    current = await find_extension(engine, before.room, extension.category, extension.name, extension.scope)
    check_arguments(current.schema, current.schema_hash, before.arguments)
    return await submit(engine, current, before.arguments, options)


async def setting(engine: Engine, room: str, account_id: UUID, name: str) -> Any:
    """What a person wants of a settings extension in a room; none when never said."""
    async with engine.database.connection() as connection:
        return await setting_values.get(connection, room=room, account_id=account_id, name=name)


async def _store_settings(engine: Engine, room: str, account_id: UUID, name: str, data: Any) -> None:
    async def work(transaction: Transaction) -> None:
        await setting_values.put(
            transaction.connection, room=room, account_id=account_id, name=name, data=orjson.dumps(data).decode()
        )
        transaction.record(SettingsStored(room, account_id, name))

    await engine.transaction(work)
