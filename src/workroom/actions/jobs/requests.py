"""Requests for jobs of an extension: check the arguments, then submit or post."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.extensions.arguments import check_arguments
from workroom.actions.extensions.settings import SETTINGS, store_settings
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post, submit_each
from workroom.actions.jobs.submit import JobRequest, job_request
from workroom.domain.errors import BadInput, InvalidArguments
from workroom.store.queue_tables import postings
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Submitted


async def prepare_job(
    engine: Engine, extension: ExtensionRow, arguments: Any, options: JobOptions
) -> JobRequest | None:
    """A job of an extension, ready to be submitted. A settings extension stores the values instead and has no job."""
    _check_not_a_function(extension)
    check_arguments(extension.schema, extension.schema_hash, arguments)
    if extension.category == SETTINGS and options.room is not None:
        await store_settings(engine, options.room, options.submitter, extension.name, arguments)
        return None
    return job_request(extension, arguments, options)


async def submit_many(
    engine: Engine, extension: ExtensionRow, arguments: list[Any], options: JobOptions
) -> list[Submitted]:
    """Queue many jobs of one extension, all or none."""
    _check_not_a_function(extension)
    for values in arguments:
        check_arguments(extension.schema, extension.schema_hash, values)
    return await submit_each(engine, extension, arguments, options)


async def sweep(
    engine: Engine, extension: ExtensionRow, arguments: Iterable[dict[str, Any]], options: JobOptions, *, label: str
) -> UUID:
    """One posting of jobs of an extension; every set of arguments is checked before any is written."""
    _check_not_a_function(extension)
    if extension.category == SETTINGS:
        raise BadInput("A settings extension keeps one set of values: there is nothing to sweep over.")
    checked = list(arguments)
    for position, values in enumerate(checked):
        try:
            check_arguments(extension.schema, extension.schema_hash, values)
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
        # The first job of a posting has the id of the posting; the id then stands for the posting.
        posted = {need for need in ids if await postings.get(connection, need) is not None}
    needed = dict.fromkeys(ids)
    return Dependencies(
        jobs=tuple(need for need in needed if need not in posted),
        postings=tuple(need for need in needed if need in posted),
    )
