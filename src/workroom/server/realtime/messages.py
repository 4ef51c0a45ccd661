"""What is said by socket: parsed, and always answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import structlog
from pydantic import BaseModel, ValidationError

from workroom.domain.errors import BadInput, WorkroomError

log = structlog.get_logger("workroom.sockets")
Model = TypeVar("Model", bound=BaseModel)
Answer = dict[str, Any]


def acknowledged(handler: Callable[[str, Any], Awaitable[Answer]]) -> Callable[[str, Any], Awaitable[Answer]]:
    """The handler, whose errors are answers too: an acknowledgement always comes."""

    async def answered(sid: str, *said: Any) -> Answer:
        try:
            return {"ok": True} | await handler(sid, single_argument(said))
        except Exception as error:
            return error_ack(error)

    return answered


def single_argument(said: Sequence[Any]) -> Any:
    """An event says one thing, or nothing."""
    if len(said) > 1:
        raise BadInput("message: an event has one body.")
    return said[0] if said else None


def error_ack(error: Exception) -> Answer:
    """What whoever caused an error is told of it."""
    if isinstance(error, WorkroomError):
        return refusal_ack(error)
    log.error("socket handler failed", exc_info=error)
    return {"ok": False, "code": "error", "message": "Something went wrong in the server; its log says what."}


def refusal_ack(error: WorkroomError) -> Answer:
    return {**error.detail, "ok": False, "code": error.code, "status": error.status, "message": error.message}


def parse(model: type[Model], body: Any) -> Model:
    try:
        return model.model_validate(body)
    except ValidationError as error:
        fault = error.errors()[0]
        path = ".".join(str(part) for part in fault["loc"])
        raise BadInput(f"{path or 'message'}: {fault['msg']}") from None
