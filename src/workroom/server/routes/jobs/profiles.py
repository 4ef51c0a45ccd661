"""Profiles: where the time of posted functions goes. People see those of their own postings, admins all."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Depends, Path, Query
from pydantic import AwareDatetime
from starlette.responses import Response

from workroom.actions import profiles
from workroom.server.auth.access import Person
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.paging import Limit
from workroom.server.http.strict_json import make_router
from workroom.server.serializers import profiles as serializers
from workroom.store.queue_tables.profiles import ProfileFilter
from workroom.wire.base import WITHOUT_NUL
from workroom.wire.profiles import Callers, Diff, ProfiledFunctions, Top

router = make_router("/api/profiles", tag="profiles")

FunctionName = Annotated[
    str, Path(pattern=WITHOUT_NUL, max_length=200, description="The posted function's name.", examples=["resize"])
]
Name = Annotated[str | None, Query(pattern=WITHOUT_NUL, max_length=200)]
ProfileSet = Annotated[
    str,
    Query(
        pattern=WITHOUT_NUL,
        max_length=200,
        description="posting:ID, version:NAME, machine:NAME, or a time range FROM..TO with one or both ends.",
    ),
]
_MEDIA = {"prof": "application/octet-stream", "speedscope": "application/json"}
_EXPORT_CONTENT: dict[str, Any] = {
    _MEDIA["prof"]: {"schema": {"type": "string", "format": "binary"}},
    _MEDIA["speedscope"]: {"schema": {"type": "object", "description": "A file in the format of speedscope."}},
}


async def _filter(
    principal: Person,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    posting: UUID | None = None,
    version: Name = None,
    machine: Name = None,
) -> ProfileFilter:
    return ProfileFilter(_visible_to(principal), since, until, posting, version, machine)


Which = Annotated[ProfileFilter, Depends(_filter)]


@router.get("", summary="Functions that have profiles, the most expensive first", responses=error_responses())
async def functions(
    context: Context,
    principal: Person,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    limit: Limit = 100,
) -> ProfiledFunctions:
    found = await profiles.list_functions(
        context.engine, ProfileFilter(_visible_to(principal), since=since, until=until), limit=limit
    )
    return serializers.functions(found)


@router.get("/{function}/top", summary="The most expensive functions", responses=error_responses(404))
async def top(
    context: Context,
    which: Which,
    function: FunctionName,
    order: Literal["own", "total", "calls"] = "own",
    limit: Limit = 50,
) -> Top:
    return serializers.top(await profiles.summarise(context.engine, function, which), order=order, limit=limit)


@router.get("/{function}/callers", summary="The cost of calls, by caller and callee", responses=error_responses(404))
async def callers(
    context: Context,
    which: Which,
    function: FunctionName,
    of: Annotated[Name, Query(description="Only pairs with this function as caller or callee.")] = None,
    limit: Limit = 200,
) -> Callers:
    found = await profiles.summarise(context.engine, function, which, pairs=True)
    return serializers.callers(found, of=of, limit=limit)


@router.get(
    "/{function}/diff",
    summary="The difference between two sets of profiles, per execution",
    responses=error_responses(404),
)
async def diff(
    context: Context, which: Which, function: FunctionName, a: ProfileSet, b: ProfileSet, limit: Limit = 50
) -> Diff:
    found = await profiles.compare(
        context.engine, function, profiles.parse_side(a, which), profiles.parse_side(b, which)
    )
    return serializers.diff(found, limit=limit)


@router.get(
    "/{function}/export",
    summary="Export for other tools: pstats or speedscope",
    response_class=Response,
    responses=error_responses(404) | {200: {"description": "The file.", "content": _EXPORT_CONTENT}},
)
async def export(
    context: Context, which: Which, function: FunctionName, format: Literal["prof", "speedscope"] = "prof"
) -> Response:
    """Speedscope needs stacks. Where none were recorded, the export estimates them and says so."""
    content = await profiles.export(context.engine, function, which, format)
    return Response(content, media_type=_MEDIA[format])


def _visible_to(principal: Person) -> UUID | None:
    return None if principal.is_admin else principal.account_id
