"""Status updates, which workers send by REST or by socket, as reports of the domain."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from workroom.domain.errors import BadInput
from workroom.domain.jobs.job_error import REPORTABLE
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Report, Started, Succeeded
from workroom.domain.jobs.states import State, state_named
from workroom.wire.jobs import StatusUpdate
from workroom.wire.socket_requests import JobStatus


def to_report(job_id: UUID, update: StatusUpdate | JobStatus) -> Report:
    return Report(job_id, update.attempt, _outcome(update))


def _outcome(update: StatusUpdate | JobStatus) -> Outcome:
    try:
        state = state_named(update.status)
    except ValueError:
        state = None
    match state:
        case State.RUNNING:
            return Started()
        case State.COMPLETED:
            return Succeeded(update.result)
        case State.FAILED:
            return Failed(_error(update.error))
        case State.CANCELLED:
            return Cancelled()
        case _:
            raise BadInput(f"status {update.status[:40]!r} is not one of running, completed, failed and cancelled.")


def _error(error: Any) -> dict[str, Any]:
    """The stored form of a reported error; a plain text becomes its message."""
    if not isinstance(error, dict):
        return {"type": "Error", "message": "" if error is None else str(error)[:50_000]}
    fields = cast("dict[Any, Any]", error)
    known = ("type", "message", "traceback", "place")
    stored = {key: str(fields[key])[:50_000] for key in known if fields.get(key) is not None}
    reason = fields.get("reason")
    return stored | {"reason": reason} if isinstance(reason, str) and reason in REPORTABLE else stored
