"""Puts everything together: REST, sockets, upkeep and the database behind them, as one ASGI application."""

from __future__ import annotations

import gc
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp

from workroom import __version__
from workroom.actions.engine import Engine
from workroom.actions.events import (
    AccountRevoked,
    Event,
    ExtensionsOffered,
    ExtensionsRemoved,
    MembersChanged,
    RoomChanged,
    RoomDeleted,
)
from workroom.actions.workers.register import renew_leases_after_restart
from workroom.server import metrics
from workroom.server.auth.bootstrap import ensure_admin, signing_secret
from workroom.server.auth.tokens import TokenIssuer
from workroom.server.context import ServerContext
from workroom.server.dispatch.notification_listener import WorkNotificationListener
from workroom.server.dispatch.rematcher import Rematcher
from workroom.server.dispatch.throughput_flusher import ThroughputFlusher
from workroom.server.files.service import FileService
from workroom.server.http import problems
from workroom.server.http.body_limit import BodySizeLimit
from workroom.server.http.request_metrics import RequestMetrics
from workroom.server.realtime.handlers import SocketHandlers
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.posting_progress import PostingProgressPoller
from workroom.server.realtime.presence import PresenceTracker
from workroom.server.realtime.publisher import EventPublisher
from workroom.server.routes import ROUTES
from workroom.server.settings import Settings
from workroom.store.database import Database
from workroom.upkeep import Maintainer

_ABOUT_EXTENSIONS = (ExtensionsOffered, ExtensionsRemoved, RoomDeleted)
_ABOUT_GUESTS = (AccountRevoked, MembersChanged, RoomChanged, RoomDeleted)
_DESCRIPTION = "Shared rooms for science, with jobs that run anywhere. Errors are RFC 9457 problem documents."


def create_app(
    settings: Settings,
    database_url: str,
    data: Path,
    welcome: Callable[[str], None],
    *,
    convert: Sequence[str] = (),
) -> ASGIApp:
    """The server on a database that is up to date; secrets and uploads are kept in `data`.

    `welcome` is told the password that was made for the first admin, once. `convert` is the command that turns frames
    into files.
    """
    hub = SocketHub(origins=settings.origins, transport=settings.transport)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            database = await stack.enter_async_context(Database(database_url, connections=settings.connections))
            engine = Engine(database, timing=settings.timing)
            if password := await ensure_admin(engine, settings, data):
                welcome(password)
            await renew_leases_after_restart(engine)
            context = ServerContext(
                settings, engine, TokenIssuer(signing_secret(settings, data)), PresenceTracker(hub, engine)
            )
            publisher = await stack.enter_async_context(EventPublisher(hub, engine, context.tokens))

            watch = await stack.enter_async_context(PostingProgressPoller(hub, engine, context.posting_rates))
            dispatcher = await stack.enter_async_context(Rematcher(engine))
            await stack.enter_async_context(WorkNotificationListener(engine, dispatcher))
            await stack.enter_async_context(ThroughputFlusher(engine))
            files = await stack.enter_async_context(FileService(data / "uploads", convert))

            def announce(events: Sequence[Event]) -> None:
                publisher.announce(events)  # first: somebody waits for it, and nothing else here takes them by surprise
                for event in events:
                    if isinstance(event, _ABOUT_EXTENSIONS):
                        context.extension_cache.invalidate()
                    if isinstance(event, _ABOUT_GUESTS):
                        context.access_cache.clear()
                dispatcher.announce(events)
                watch.announce(events)
                files.on_events(events)
                metrics.saw_events(events)

            engine.announce = announce
            metrics.count_sockets(hub.open_sockets)
            publisher.recheck = SocketHandlers(hub, context).recheck
            app.state.context = context
            app.state.files = files
            await stack.enter_async_context(Maintainer(engine))
            _freeze_gc()
            yield

    app = create_rest_app(lifespan)
    return RequestMetrics(BodySizeLimit(hub.asgi_app(app), upload=settings.upload_bytes))


def _freeze_gc() -> None:
    """What has been made so far stays: no search for garbage needs to go through it again, and fewer are needed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def create_rest_app(lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None) -> FastAPI:
    """The REST interface and the web app; without a lifespan it can only be described."""
    app = FastAPI(
        title="Workroom",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        separate_input_output_schemas=False,
    )
    problems.install(app)
    for routes in ROUTES:
        # As they are: they bring their prefixes, and including them would build each once more, at its first request.
        app.router.routes.extend(routes.router.routes)
    return app
