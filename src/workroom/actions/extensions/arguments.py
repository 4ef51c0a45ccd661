"""Validate arguments against the schema of an extension, before a job is queued; judge schemas at registration.

A validation first runs in the event loop with a small budget, which nearly every one keeps. One that needs more runs in
a process with a larger budget and a memory limit. That process is killed when it does not answer in time, so a schema
can neither stop the event loop nor take the memory of the server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import orjson

from workroom.actions.extensions.schema_check import judge_schema
from workroom.actions.extensions.schema_validator import Budget, Fault, OverBudget, Schema, faults_of
from workroom.actions.extensions.validation_process import SECONDS, ProcessPool
from workroom.domain.errors import BadInput, InvalidArguments, TooLarge
from workroom.domain.file_fields import has_file_fields
from workroom.domain.limits import POSTING_BYTES

_QUICK_STEPS = 3_000
_QUICK_SECONDS = 0.01
_QUICK_BYTES = 50_000  # of the arguments: error messages quote them, which takes time and memory
_PAUSE_SECONDS = 0.01  # between two pauses in which the event loop does other work
_LONGEST_SECONDS = 60.0  # for the arguments of many jobs in one request
_TOO_LONG = "The validation takes too long: the arguments are too large for the schema, or the schema is too complex."

_MOST_SCHEMAS = 10_000

_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, ProcessPool] = WeakKeyDictionary()
_schemas_with_files: dict[str, bool] = {}  # by the hash of the schema


def takes_files(schema: Schema, schema_hash: str) -> bool:
    """Whether a schema has a field for an uploaded file."""
    known = _schemas_with_files.get(schema_hash)
    if known is None:
        if len(_schemas_with_files) >= _MOST_SCHEMAS:
            _schemas_with_files.clear()
        known = _schemas_with_files[schema_hash] = has_file_fields(schema)
    return known


async def check_arguments(schema: Schema, schema_hash: str, arguments: Any) -> None:
    """Raise InvalidArguments with the path of each error."""
    try:
        check_quickly(schema, schema_hash, arguments)
    except OverBudget:
        await _check_in_process(schema, schema_hash, arguments)


def check_quickly(schema: Schema, schema_hash: str, arguments: Any) -> None:
    """Check arguments with a budget that the event loop can spare. Raises OverBudget when they need more."""
    if _size(arguments) > _QUICK_BYTES:
        raise OverBudget
    _raise(faults_of(schema, schema_hash, arguments, Budget(steps=_QUICK_STEPS, seconds=_QUICK_SECONDS)))


async def check_each(schema: Schema, schema_hash: str, many: Iterable[Any]) -> None:
    """Check the arguments of many jobs. The error names the position of the first fault."""
    size = 0
    async for _, arguments in _with_pauses(many):
        size += _size(arguments)
        if size > POSTING_BYTES:
            raise TooLarge(f"The arguments take more than {POSTING_BYTES:,} bytes. Submit fewer jobs at once.")
    deadline = time.monotonic() + _LONGEST_SECONDS
    async for position, arguments in _with_pauses(many):
        try:
            await check_arguments(schema, schema_hash, arguments)
        except InvalidArguments as error:
            raise InvalidArguments(f"Job {position}: {error.message}", position=position, **error.detail) from None
        if time.monotonic() > deadline:
            raise InvalidArguments(f"Job {position}: the validation takes too long. Submit fewer jobs at once.")


async def _with_pauses(many: Iterable[Any]) -> AsyncIterator[tuple[int, Any]]:
    """The items and their positions, with pauses in which the event loop does other work."""
    paused = time.monotonic()
    for position, item in enumerate(many):
        yield position, item
        if time.monotonic() - paused > _PAUSE_SECONDS:
            await asyncio.sleep(0)
            paused = time.monotonic()


async def check_schema(name: str, schema: Schema) -> None:
    """Raise BadInput for a schema that is invalid, refers outside, or does not always end."""
    try:
        judge_schema(name, schema, Budget(steps=_QUICK_STEPS, seconds=_QUICK_SECONDS))
    except OverBudget:
        answer = await _pool().ask({"name": name, "schema": schema})
        if answer is None:
            raise BadInput(f"The schema of {name} cannot be checked within {SECONDS:g} s: it is too complex.") from None
        if "refused" in answer:
            raise BadInput(answer["refused"]) from None


async def stop_processes() -> None:
    """End the processes that validate. They start again when they are needed."""
    if (pool := _pools.pop(asyncio.get_running_loop(), None)) is not None:
        await pool.stop()


def _pool() -> ProcessPool:
    """The processes of this event loop."""
    return _pools.setdefault(asyncio.get_running_loop(), ProcessPool())


async def _check_in_process(schema: Schema, schema_hash: str, arguments: Any) -> None:
    answer = await _pool().ask({"hash": schema_hash, "schema": schema, "arguments": arguments})
    if answer is None:
        raise InvalidArguments(_TOO_LONG)
    if "refused" in answer:
        raise BadInput(answer["refused"])
    _raise(answer["faults"])


def _raise(faults: Sequence[Fault]) -> None:
    if faults:
        raise InvalidArguments(f"{faults[0]['path'] or 'data'}: {faults[0]['message']}", errors=list(faults))


def _size(arguments: Any) -> int:
    try:
        return len(orjson.dumps(arguments))
    except (TypeError, ValueError):
        return 0  # `encode` refuses what is no JSON, and names it
