"""The problems a route can answer with, for the OpenAPI page."""

from __future__ import annotations

from typing import Any

from workroom.wire.base import Problem

_MEANINGS = {
    400: "The request cannot be understood.",
    401: "The token is missing, expired or revoked.",
    403: "You may not do this.",
    404: "There is no such thing, or you may not see it.",
    409: "This conflicts with what is already so.",
    413: "This is larger than allowed.",
    422: "A field does not fit.",
    423: "Somebody else holds the lock.",
    429: "Too many requests: `retryAfter` says how many seconds to wait.",
    503: "The database does not answer right now.",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Problem documents of these statuses, and of those that every route has."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        status: {
            "description": _MEANINGS[status],
            "model": Problem,
            "content": {"application/problem+json": schema},
        }
        for status in sorted({400, 401, 422, 503, *statuses})
    }
