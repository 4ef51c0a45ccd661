"""Wraps handlers of socket messages: refuses tokens of other kinds or scopes, parses the message, acknowledges it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from workroom.domain.errors import BadInput, NotSignedIn, WorkroomError
from workroom.logs import get_logger
from workroom.server.auth.api_tokens.scopes import check_grant, scopes_of_event
from workroom.server.auth.tokens import JobToken, PersonToken, Token, WorkerToken

log = get_logger(__name__)
Model = TypeVar("Model", bound=BaseModel)
Answer = dict[str, Any]
VISITORS: tuple[type[Token], ...] = (PersonToken, JobToken)  # who may be in rooms
_NAMES: dict[type[Token], str] = {PersonToken: "people", JobToken: "jobs", WorkerToken: "workers"}


def acknowledged(
    event: str,
    handler: Callable[[str, Any], Awaitable[Answer]],
    token_of: Callable[[str], Token | None],
    *kinds: type[Token],
) -> Callable[..., Awaitable[Answer]]:
    """A Socket.IO handler that always sends an acknowledgement, also when it raises.

    It refuses sockets that connected with a token of another kind, or with an API token without a scope of the event,
    before it reads the message. The handler itself checks the rights in the room or on the job.
    """
    scopes = scopes_of_event(event)

    async def handle(sid: str, *arguments: Any) -> Answer:
        try:
            token = token_of(sid)
            if not isinstance(token, kinds):
                raise NotSignedIn(f"This event is for {' and '.join(_NAMES[kind] for kind in kinds)}.")
            if isinstance(token, PersonToken):
                check_grant(token.grant, scopes)
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
