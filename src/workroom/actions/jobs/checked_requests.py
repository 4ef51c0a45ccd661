"""Requests for jobs of an extension: check the arguments, then submit or post."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.extensions.arguments import check_arguments, check_each, check_quickly
from workroom.actions.extensions.schema_validator import OverBudget
from workroom.actions.extensions.settings_category import SETTINGS
from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post, submit_each
from workroom.actions.jobs.submit import JobRequest, job_request, submit_batch
from workroom.actions.quotas.admission import admit_jobs
from workroom.domain.errors import BadInput, WorkroomError
from workroom.store.queue_tables import postings
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Submitted


@dataclass(frozen=True, slots=True)
class SubmitRequest:
    """A request for one job as its submitter sent it, before any check."""

    extension: ExtensionRow
    arguments: Any
    options: JobOptions
    depends_on: tuple[UUID, ...] = ()  # ids of jobs and postings


class LargeValidation(Exception):
    """The arguments of a request are too much work to validate together with others. Submit it alone."""


async def submit_requests(
    engine: Engine, requests: Sequence[SubmitRequest], *, validate_long: bool = False
) -> list[Submitted | WorkroomError | LargeValidation]:
    """Check the requests and submit them in one transaction. A refused one does not affect the others.

    Without `validate_long`, a request whose validation takes long is not submitted: the others would wait for it.
    """
    outcomes: dict[int, Submitted | WorkroomError | LargeValidation] = {}
    checked: dict[int, JobRequest] = {}
    for position, request in enumerate(requests):
        try:
            checked[position] = await _check(engine, request, validate_long=validate_long)
        except (WorkroomError, LargeValidation) as error:
            outcomes[position] = error
    if checked:
        outcomes |= zip(checked, await submit_batch(engine, list(checked.values())), strict=True)
    return [outcomes[position] for position in range(len(requests))]


async def _check(engine: Engine, request: SubmitRequest, *, validate_long: bool) -> JobRequest:
    extension, options = request.extension, request.options
    _check_not_a_function(extension)
    try:
        check_quickly(extension.schema, extension.schema_hash, request.arguments)
    except OverBudget:
        await asyncio.sleep(0)  # a batch may have many of these: others go on between them
        if not validate_long:
            raise LargeValidation from None
        await check_arguments(extension.schema, extension.schema_hash, request.arguments)
    if request.depends_on:
        options = replace(options, dependencies=await resolve_dependencies(engine, request.depends_on))
    await admit_jobs(engine, options.submitter, options.room)
    return job_request(extension, request.arguments, options)


async def submit_many(
    engine: Engine, extension: ExtensionRow, arguments: list[Any], options: JobOptions
) -> list[Submitted]:
    """Queue many jobs of one extension, all or none."""
    _check_not_a_function(extension)
    await check_each(extension.schema, extension.schema_hash, arguments)
    await admit_jobs(engine, options.submitter, options.room, len(arguments))
    return await submit_each(engine, extension, arguments, options)


async def sweep(
    engine: Engine, extension: ExtensionRow, arguments: Iterable[dict[str, Any]], options: JobOptions, *, label: str
) -> UUID:
    """One posting of jobs of an extension; every set of arguments is checked before any is written.

    `arguments` is iterated several times, so that they need not all be in memory.
    """
    _check_not_a_function(extension)
    if extension.category == SETTINGS:
        raise BadInput("A settings extension keeps one set of values: there is nothing to sweep over.")
    await check_each(extension.schema, extension.schema_hash, arguments)
    return await post(engine, extension, arguments, options, label=label)


def _check_not_a_function(extension: ExtensionRow) -> None:
    if extension.scope == "function":
        raise BadInput(f"{extension.name} is a function, not an extension: post its calls, POST /api/postings.")


async def resolve_dependencies(engine: Engine, ids: Sequence[UUID]) -> Dependencies:
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
