"""problem+json documents and socket acknowledgements as the errors that they stand for."""

from __future__ import annotations

from functools import cache
from typing import Any

import httpx2
import orjson

from workroom.domain.errors import (
    BadInput,
    Conflict,
    Forbidden,
    NotFound,
    NotSignedIn,
    ServerUnreachable,
    TooLarge,
    TooManyRequests,
    Unavailable,
    WorkroomError,
    all_errors,
)

_BY_STATUS: dict[int, type[WorkroomError]] = {
    400: BadInput,
    401: NotSignedIn,
    403: Forbidden,
    404: NotFound,
    405: BadInput,
    409: Conflict,
    413: TooLarge,
    422: BadInput,
    429: TooManyRequests,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}
_STANDARD_FIELDS = frozenset({"type", "title", "status", "detail", "code"})


def error_in(answer: httpx2.Response) -> WorkroomError:
    """The error of an unsuccessful HTTP response."""
    try:
        problem = orjson.loads(answer.content)
    except orjson.JSONDecodeError:
        problem = None
    if not isinstance(problem, dict):  # not a response of Workroom but of a proxy or another server
        problem = {"detail": f"{answer.request.url} answered {answer.status_code}."}
    facts: dict[str, Any] = {str(key): value for key, value in problem.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return error_of(
        str(facts.get("code", "")),
        answer.status_code,
        str(facts.get("detail", "")),
        {key: value for key, value in facts.items() if key not in _STANDARD_FIELDS},
    )


def no_workroom_server(url: object) -> ServerUnreachable:
    """The error for a response that no Workroom server gives."""
    at = str(url).rstrip("/")
    return ServerUnreachable(f"There is no Workroom server at {at}: another program answers. Are port and path right?")


def json_in(answer: httpx2.Response, url: object) -> Any:
    """The JSON of a successful response; ServerUnreachable if it is something else, e.g. a page of another program."""
    if not answer.content:
        return None
    try:
        return orjson.loads(answer.content)
    except orjson.JSONDecodeError:
        raise no_workroom_server(url) from None


def error_of(code: str, status: int, message: str, detail: dict[str, Any] | None = None) -> WorkroomError:
    """The error of this code; for an unknown code, the error class of the status."""
    kind = _by_code().get(code) or _BY_STATUS.get(status, WorkroomError)
    return kind(message or None, **(detail or {}))


def check_acknowledgement(answer: Any) -> dict[str, Any]:
    """Return the acknowledgement of a socket message; raises the error if the server refused it."""
    body: dict[str, Any] = answer if isinstance(answer, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    if body.get("ok"):
        return body
    raise error_of(str(body.get("code", "")), int(body.get("status", 500)), str(body.get("message", "")))


@cache
def _by_code() -> dict[str, type[WorkroomError]]:
    return {error.code: error for error in all_errors() if error.__module__ == WorkroomError.__module__}
