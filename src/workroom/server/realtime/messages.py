"""Parses socket messages and builds their acknowledgements."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from workroom.domain.errors import BadInput, WorkroomError
from workroom.logs import get_logger

log = get_logger(__name__)
Model = TypeVar("Model", bound=BaseModel)
Answer = dict[str, Any]


def acknowledged(handler: Callable[[str, Any], Awaitable[Answer]]) -> Callable[[str, Any], Awaitable[Answer]]:
    """A Socket.IO handler that always sends an acknowledgement, also when it raises."""

    async def handle(sid: str, *arguments: Any) -> Answer:
        try:
            return {"ok": True} | await handler(sid, single_argument(arguments))
        except Exception as error:
            return error_ack(error)

    return handle


def single_argument(arguments: Sequence[Any]) -> Any:
    """The body of an event, or None for an event without a body."""
    if len(arguments) > 1:
        raise BadInput("message: an event has one body.")
    return arguments[0] if arguments else None


def error_ack(error: Exception) -> Answer:
    """The acknowledgement for a handler that raised."""
    if isinstance(error, WorkroomError):
        return refusal_ack(error)
    log.error("socket handler failed", exc_info=error)
    return {"ok": False, "code": "error", "message": "Something went wrong in the server; its log says what."}


def refusal_ack(error: WorkroomError) -> Answer:
    """The fields of a problem document, for an error that the client caused."""
    return {**error.detail, "ok": False, "code": error.code, "status": error.status, "message": error.message}


def parse(model: type[Model], body: Any) -> Model:
    try:
        return model.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{path or 'message'}: {first['msg']}") from None
