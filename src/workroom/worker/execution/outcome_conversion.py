"""Converts what a run returned or raised to its outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from pydantic import BaseModel

from workroom.domain.errors import BadInput, JobCancelled
from workroom.domain.jobs.job_error import exception_error, timeout_error
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.domain.limits import RESULT_BYTES
from workroom.domain.value_codec import pack
from workroom.worker.execution.execution_state import Execution, Stop


def outcome_of_return(execution: Execution, value: Any, encode: Callable[[Any], Any]) -> Outcome:
    """The outcome of a run that returned. One that had seen the request to stop counts as stopped."""
    if execution.stop_seen:
        return stopped(execution)
    return Succeeded(encode(value))


def outcome_of_error(execution: Execution, error: BaseException) -> Outcome:
    if isinstance(error, JobCancelled) and execution.stop is not None:
        return stopped(execution)
    return failure(error)


def stopped(execution: Execution) -> Outcome:
    return timed_out(execution) if execution.stop is Stop.TIMEOUT else Cancelled()


def timed_out(execution: Execution) -> Failed:
    return Failed(timeout_error(execution.assignment.timeout_seconds or 0))


def failure(error: BaseException) -> Failed:
    return Failed(exception_error(error))


def as_json(value: Any) -> Any:
    """The value as JSON; numpy arrays and pydantic models are converted. Raises BadInput if it cannot be."""
    try:
        encoded = orjson.dumps(value, default=_plain, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)
    except TypeError as error:
        raise BadInput(
            f"run() returned a value that cannot be converted to JSON ({type(value).__name__}): {error}."
        ) from None
    if len(encoded) > RESULT_BYTES:
        raise BadInput(
            f"run() returned {len(encoded):,} bytes; a result may take {RESULT_BYTES:,}. Keep data in the room."
        )
    return orjson.loads(encoded)


def as_packed(value: Any) -> Any:
    """The result of a function, packed so that the caller gets an equal value. Raises BadInput if it cannot be."""
    result = pack(value, "The result")
    size = len(orjson.dumps(result))
    if size > RESULT_BYTES:
        raise BadInput(f"The result takes {size:,} bytes; at most {RESULT_BYTES:,} are kept.")
    return result


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, set | frozenset):
        return list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if hasattr(value, "item"):  # a numpy scalar
        return value.item()
    raise TypeError(f"{type(value).__name__} is not JSON")
