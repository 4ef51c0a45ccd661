"""The OpenAPI document describes every JSON response, so that generated clients need no types written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from workroom.server.app import create_rest_app

# Fields whose content users, extensions or other formats define: the server stores and returns them unchanged.
FREE_FORM = {
    "ExtensionInfo.schema": "the JSON schema that an extension brings",
    "JobDetail.data": "the arguments of a job",
    "JobDetail.result": "the return value of a job",
    "PostedJob.data": "the arguments of a job",
    "JobFailure.data": "the arguments of a job",
    "JobResult.result": "the return value of a job",
    "Preset.data": "the values of a form",
    "WorkerInfo.info": "what a worker says about itself",
    "FrameChange.parameters": "the arguments of the job that made the change",
    "Change.parameters": "the arguments of the job that made the change",
    "GeometryInfo.data": "depends on the geometry type: GET …/geometries/schemas",
    "NamedGeometry.data": "depends on the geometry type: GET …/geometries/schemas",
    "GeometrySchemas.schemas.*": "JSON schemas",
    "FigureInfo.data[]": "Plotly's format",
    "FigureInfo.layout": "Plotly's format",
    "FigureInfo.frames[]": "Plotly's format",
    "RoomMetadata.metadata": "any JSON that a user stores",
    "MetadataEntry.value": "any JSON that a user stores",
    "AuditEntry.detail": "depends on the audited action",
    "GET /api/rooms/{room}/extensions/{category}/{name}/values": "the schema of the settings extension describes them",
    "GET /api/profiles/{function}/export": "a speedscope file, which has a schema of its own",
}

DOCUMENT: dict[str, Any] = create_rest_app().openapi()


def responses() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    yield f"{method.upper()} {path}", status, response.get("content", {})


def untyped(schema: dict[str, Any], place: str, parents: tuple[str, ...] = ()) -> Iterator[str]:
    """The places below this schema that accept any value, or an object with any keys and values."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in parents:
            yield from untyped(DOCUMENT["components"]["schemas"][name], name, (*parents, name))
        return
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from untyped(part, place, parents)
    match schema.get("type"):
        case "object" if "properties" in schema:
            for key, value in schema["properties"].items():
                yield from untyped(value, f"{place}.{key}", parents)
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            yield from untyped(schema["additionalProperties"], f"{place}.*", parents)
        case "object":
            yield place
        case "array":
            yield from untyped(schema.get("items", {}), f"{place}[]", parents)
        case None if not schema.keys() & {"anyOf", "oneOf", "allOf", "enum", "const"}:
            yield place
        case _:
            pass


@pytest.mark.parametrize(("route", "status", "content"), list(responses()))
def test_every_response_has_a_typed_schema(route: str, status: str, content: dict[str, Any]) -> None:
    assert content or status == "204", "a response with a body names its media type"
    for media_type, body in content.items():
        schema = body.get("schema")
        assert schema, f"{media_type} has no schema"
        assert set(untyped(schema, route)) <= FREE_FORM.keys()


def test_the_list_of_free_form_fields_has_no_stale_entries() -> None:
    found = {
        place
        for route, _, content in responses()
        for body in content.values()
        for place in untyped(body.get("schema", {}), route)
    }
    assert found == FREE_FORM.keys()


def test_every_operation_says_what_it_does() -> None:
    """A name of a function in words, which FastAPI makes where a docstring is missing, is no description."""
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            made_up = operation["operationId"].partition("_api_")[0].replace("_", " ").title()
            assert operation.get("summary") not in (None, "", made_up), f"{method} {path}"


def test_errors_are_described_as_problem_documents() -> None:
    assert "HTTPValidationError" not in str(DOCUMENT)
