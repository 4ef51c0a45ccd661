"""The parts of a request that posts calls: its room, its lines and its calls."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from workroom.domain.errors import BadInput, Forbidden
from workroom.domain.values.codec import checked_call
from workroom.server.auth.tokens import JobToken, Token
from workroom.wire.postings import Call, PostingHeader


def room_of_posting(token: Token, header: PostingHeader) -> str | None:
    """The room that a posting names. A job posts in its own room, also when the posting names none."""
    if not isinstance(token, JobToken) or header.room == token.room:
        return header.room
    if header.room is not None:
        raise Forbidden(f"A job posts in its own room ({token.room or 'none'}): leave out `room`.", room=token.room)
    return token.room


def to_stored_call(header: PostingHeader, call: Call, position: int) -> Any:
    """The call in the format of the job table; in a keyed posting together with its key."""
    stored = checked_call({"args": call.args, "kwargs": call.kwargs}, position)
    if call.key is not None and not header.keyed:
        raise BadInput(f"Call {position} has a key, but the posting is not `keyed`.")
    return [stored, call.key] if header.keyed else stored


def parse_line(model: Any, value: Any, line: int) -> Any:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        fault = error.errors()[0]
        path = ".".join(str(part) for part in fault["loc"])
        raise BadInput(f"Line {line + 1}: {path + ': ' if path else ''}{fault['msg']}") from None
