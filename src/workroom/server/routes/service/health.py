"""Liveness, readiness and metrics."""

from __future__ import annotations

from starlette.responses import Response

from workroom import __version__
from workroom.actions.queries import overview
from workroom.server.auth.access import Scraper
from workroom.server.context import Context
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.metrics.page import CONTENT_TYPE
from workroom.wire.admin import Health, Readiness

router = make_router(tag="health")


@router.get("/healthz", summary="Liveness: the process answers")
async def healthz() -> Health:
    return Health(version=__version__)


@router.get("/readyz", summary="Readiness: the database answers and can write", responses=error_responses(507))
async def readyz(context: Context) -> Readiness:
    await overview.ping(context.engine)
    return Readiness()


@router.get(
    "/metrics",
    summary="Metrics for Prometheus (admins, or the setting `metrics_token`)",
    response_class=Response,
    responses={200: {"description": "Metrics as text.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def get_metrics(context: Context, scraper: Scraper) -> Response:
    return Response(await context.metrics.render(), media_type=CONTENT_TYPE)
