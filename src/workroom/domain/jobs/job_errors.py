"""Errors of failed jobs in the form that is stored and served: {type, message, traceback, reason}."""

from __future__ import annotations

import traceback

# Together below limits.ERROR_BYTES. The start of a message and the end of a traceback are the useful parts.
_MESSAGE_CHARACTERS = 4_000
_TRACEBACK_CHARACTERS = 20_000


def exception_error(error: BaseException) -> dict[str, str]:
    """The error of a job whose code raised an exception."""
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be shown)"
    trace = "".join(traceback.format_exception(error))
    return {
        "type": type(error).__name__,
        "message": _storable(message)[:_MESSAGE_CHARACTERS],
        "traceback": _storable(trace)[-_TRACEBACK_CHARACTERS:],
    }


def timeout_error(seconds: float) -> dict[str, str]:
    """The error of a job that exceeded its time limit, reported by its worker or set by upkeep."""
    return {"type": "JobTimeout", "reason": "timeout", "message": f"The job exceeded its time limit of {seconds:g} s."}


def _storable(text: str) -> str:
    """The text without NUL and lone surrogates, which PostgreSQL rejects."""
    return text.replace("\0", "\\0").encode("utf-8", "replace").decode()
