"""Converts what a run returned or raised to its outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from workroom.domain.errors import JobCancelled, TooLarge
from workroom.domain.jobs.job_error import exception_error, refused_error, timeout_error
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.domain.limits import RESULT_BYTES
from workroom.domain.values.codec import pack
from workroom.worker.execution.execution_state import Execution, Stop


def outcome_of_return(execution: Execution, value: Any, encode: Callable[[Any], Any]) -> Outcome:
    """The outcome of a run that returned. One that had seen the request to stop counts as stopped."""
    if execution.stop_seen:
        return stopped(execution)
    try:
        return Succeeded(encode(value))
    except Exception as error:
        return refusal(error)


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


def refusal(error: BaseException) -> Failed:
    """The outcome for an argument or a result that cannot travel. It is not tried again."""
    return Failed(refused_error(error))


def as_packed(value: Any) -> Any:
    """A result, packed so that the caller gets an equal value. Raises BadInput if it cannot be."""
    result = pack(value, "The result")
    size = len(orjson.dumps(result))
    if size > RESULT_BYTES:
        raise TooLarge(f"The result takes {size:,} bytes; at most {RESULT_BYTES:,} are kept. Keep data in the room.")
    return result
