"""The error responses of a route in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from workroom.wire.base import Problem

_DESCRIPTIONS = {
    400: "The request is malformed.",
    401: "The token is missing, expired or revoked.",
    403: "The caller may not do this.",
    404: "It does not exist, or the caller may not see it.",
    408: "The body arrives too slowly.",
    409: "The request conflicts with the current state.",
    413: "The body is larger than allowed.",
    422: "A field is invalid.",
    423: "Another client holds the lock.",
    429: "Too many requests: `retryAfter` says how many seconds to wait.",
    503: "The database does not answer.",
    507: "A quota of stored data is used up, or the disk is full.",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Problem documents for these statuses, and for those that every route can return."""
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        status: {
            "description": _DESCRIPTIONS[status],
            "content": {"application/problem+json": schema},
        }
        for status in sorted({400, 401, 422, 503, *statuses})
    }


def describe_problem(app: FastAPI) -> None:
    """Add the schema of problem documents to the OpenAPI document, and name it wherever FastAPI names its own for 422.

    FastAPI would add it for a response with a model, but compile the model for each of 800 responses at each start.
    """
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        document = generate()
        schemas = document["components"]["schemas"]
        schemas["Problem"] = Problem.model_json_schema()
        if schemas.pop("HTTPValidationError", None) is not None:
            schemas.pop("ValidationError", None)
            for operation in (one for path in document["paths"].values() for one in path.values()):
                if "application/json" in operation.get("responses", {}).get("422", {}).get("content", {}):
                    operation["responses"]["422"] = error_responses()[422]
        return document

    app.openapi = openapi
