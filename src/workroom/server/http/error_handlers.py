"""Exception handlers: errors become RFC 9457 problem documents, with a stable code and without tracebacks or paths."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from workroom.domain.errors import DatabaseError, NotSignedIn, TooManyRequests, WorkroomError
from workroom.logs import get_logger

log = get_logger(__name__)


def problem(status: int, code: str, message: str, detail: dict[str, Any] | None = None) -> Response:
    # The details come first, so that they cannot overwrite the standard members.
    body = {
        **(detail or {}),
        "type": "about:blank",
        "title": _title(code),
        "status": status,
        "detail": message,
        "code": code,
    }
    return Response(orjson.dumps(body, default=str), status, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    app.add_exception_handler(WorkroomError, _workroom_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)


async def _workroom_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, WorkroomError)
    if isinstance(error, DatabaseError):
        log.warning("database error", code=error.code, reason=error.message, path=request.url.path)
    answer = problem(error.status, error.code, error.message, error.detail)
    if isinstance(error, NotSignedIn):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooManyRequests) and "retryAfter" in error.detail:
        answer.headers["Retry-After"] = str(error.detail["retryAfter"])
    return answer


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [
        {"path": ".".join(str(part) for part in fault["loc"]), "message": fault["msg"]} for fault in error.errors()
    ]
    first = faults[0] if faults else {"path": "", "message": "malformed"}
    wrong = next((fault["ctx"]["error"] for fault in error.errors() if fault["type"] == "json_invalid"), None)
    if wrong is not None:
        return problem(400, "bad_input", f"The body is not valid JSON: {wrong.removesuffix('.')}.", {"errors": faults})
    return problem(422, "invalid_request", f"{first['path']}: {first['message']}", {"errors": faults})


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    answer = problem(error.status_code, code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _unexpected(request: Request, error: Exception) -> Response:
    log.error("unexpected error", path=request.url.path, exc_info=error)
    return problem(500, "error", "Internal server error. The log of the server has the details.")


def _title(code: str) -> str:
    return code.replace("_", " ").capitalize()
