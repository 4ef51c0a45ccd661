"""The `error` of a failed job: a type, a message, and a reason where the job's own code did not raise it.

All runtimes and the server's upkeep build it here, so that a time-out reads the same whatever ran the job.
"""

from __future__ import annotations

import sys
import sysconfig
import traceback
from enum import StrEnum
from typing import Any, Literal

import orjson

# Both together stay below `limits.ERROR_BYTES` with every escape that JSON needs.
_MESSAGE_BYTES = 10_000
_TRACEBACK_BYTES = 30_000
_TYPE_BYTES = 1_000
_PLACE_BYTES = 500

_STANDARD_LIBRARY = sysconfig.get_path("stdlib") + "/"
_WORKROOM = __file__.removesuffix("domain/jobs/job_error.py")


class FailureReason(StrEnum):
    """Why a job failed without an exception of its own code. An exception has no reason."""

    TIMEOUT = "timeout"  # set by the worker or by upkeep: it ran longer than it may
    PROCESS_DIED = "process_died"  # set by the worker: the job's own process ended without an outcome
    WORKER_LOST = "worker_lost"  # set by upkeep: the worker was lost while it ran
    VALUE_REFUSED = "value_refused"  # set by the worker: an argument or the result cannot travel, so it is not retried
    DEPENDENCY_FAILED = "dependency_failed"  # set by the database: a job it depends on failed or was cancelled


# Why an attempt was followed by another: the worker failed it, was lost with it, or never confirmed it.
AttemptEnd = Literal["failed", "worker_lost", "unconfirmed"]

# Only the server and its upkeep can know the others, so a worker may not report them.
REPORTABLE = frozenset({FailureReason.TIMEOUT, FailureReason.PROCESS_DIED, FailureReason.VALUE_REFUSED})


def timeout_error(seconds: float) -> dict[str, Any]:
    return {
        "type": "JobTimeout",
        "reason": FailureReason.TIMEOUT.value,
        "message": f"The job ran for longer than its timeout of {seconds:g} s.",
    }


def process_died_error(message: str) -> dict[str, Any]:
    return {"type": "ProcessDied", "reason": FailureReason.PROCESS_DIED.value, "message": message}


def refused_error(error: BaseException) -> dict[str, Any]:
    """An argument or a result that cannot be restored or stored. Another attempt would meet it again."""
    return exception_error(error) | {"reason": FailureReason.VALUE_REFUSED.value}


def exception_error(error: BaseException) -> dict[str, Any]:
    """An exception with its traceback, without the characters that PostgreSQL cannot store, and bounded in bytes.

    Everyone in the room reads it, so files are named from the import path on: their folders tell about the machine.
    """
    try:
        message = str(error)
    except Exception:
        message = "(str() of the exception raised another one)"
    place = _place(error)
    return ({} if place is None else {"place": _head(_storable(place), _PLACE_BYTES)}) | {
        "type": _head(_storable(str(type(error).__name__)), _TYPE_BYTES),
        "message": _head(_storable(message), _MESSAGE_BYTES),
        "traceback": _head(
            _storable(_without_folders("".join(traceback.format_exception(error))))[::-1], _TRACEBACK_BYTES
        )[::-1],
    }


def _place(error: BaseException) -> str | None:
    """File, line and function of the last frame in the user's code, so that equal errors can be grouped.

    Frames of the standard library and of installed packages are not the user's, nor are those of Workroom. An error
    that has no other frames is placed in Workroom, for example in a built-in extension.
    """
    frames = [
        (frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    if not frames:
        return None
    own = [frame for frame in frames if not _is_installed(frame[0])]
    file, line, function = next(
        (frame for frame in reversed(own) if not frame[0].startswith(_WORKROOM)), (own or frames)[-1]
    )
    name = _without_folders(f'File "{file}').removeprefix('File "')
    return f"{name}:{line} in {function}"


def _is_installed(file: str) -> bool:
    return file.startswith(("<frozen", _STANDARD_LIBRARY)) or "/site-packages/" in file or "/dist-packages/" in file


def _without_folders(text: str) -> str:
    for folder in sorted(filter(None, sys.path), key=len, reverse=True):
        text = text.replace(f'File "{folder.rstrip("/")}/', 'File "')
    return text


def _storable(text: str) -> str:
    return text.replace("\0", "\\0").encode("utf-8", "replace").decode()


def _head(text: str, most: int) -> str:
    """As much of the text as takes at most so many bytes as JSON."""
    text = text[:most]
    while (excess := len(orjson.dumps(text)) - 2 - most) > 0:
        # A character takes at most 6 bytes, so at least a sixth of the excess has to go.
        text = text[: len(text) - -(-excess // 6)]
    return text
