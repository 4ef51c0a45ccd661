"""Builds the ASGI application: REST routes, sockets, background services and the database."""

from __future__ import annotations

import gc
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp

from workroom import __version__
from workroom.actions.engine import Announce, Engine
from workroom.actions.events import (
    AccountRevoked,
    ApiTokenRevoked,
    Event,
    ExtensionsOffered,
    ExtensionsRemoved,
    MembersChanged,
    RoomChanged,
    RoomDeleted,
    WorkAppeared,
)
from workroom.actions.extensions.arguments import stop_processes
from workroom.actions.workers.heartbeat_window import open_after_server_start
from workroom.domain.errors import BadInput
from workroom.server.auth.bootstrap import ensure_admin, signing_secret
from workroom.server.auth.tokens import TokenIssuer
from workroom.server.builtin_names import BuiltinNames
from workroom.server.context import ServerContext
from workroom.server.dispatch.cancel_forwarder import CancelForwarder
from workroom.server.dispatch.notification_listener import NotificationListener
from workroom.server.dispatch.rematcher import Rematcher
from workroom.server.dispatch.throughput_flusher import ThroughputFlusher
from workroom.server.files.body_spool import UploadBudget
from workroom.server.files.service import FileService
from workroom.server.http import error_handlers
from workroom.server.http.allowed_hosts import AllowedHosts
from workroom.server.http.body_limit import BodyLimit
from workroom.server.http.openapi_errors import describe_problem
from workroom.server.http.request_metrics import RequestMetrics
from workroom.server.http.root_path import RootPath
from workroom.server.metrics import of_process
from workroom.server.metrics.page import MetricsPage
from workroom.server.realtime.choices_requests import ChoicesRequests
from workroom.server.realtime.handlers import SocketHandlers
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.posting_progress import PostingProgressPoller
from workroom.server.realtime.presence import PresenceTracker
from workroom.server.realtime.publisher import EventPublisher
from workroom.server.realtime.token_watch import TokenWatch
from workroom.server.replicas.bus import ReplicaBus
from workroom.server.replicas.detached_workers import AttachmentCheck
from workroom.server.replicas.event_receiver import SharedEventReceiver
from workroom.server.replicas.lost_messages import LostMessages
from workroom.server.routes import ROUTES
from workroom.server.settings import Settings
from workroom.store.database import Database
from workroom.upkeep import Maintainer
from workroom.upkeep.celery_publisher import CeleryPublisher

_CHANGES_EXTENSIONS = (ExtensionsOffered, ExtensionsRemoved, RoomDeleted)
_CHANGES_ACCESS = (AccountRevoked, ApiTokenRevoked, MembersChanged, RoomChanged, RoomDeleted)
_DESCRIPTION = "Shared rooms for science, with jobs that run anywhere. Errors are RFC 9457 problem documents."


def create_app(
    settings: Settings,
    database_url: str,
    data: Path,
    welcome: Callable[[], None],
    *,
    convert: Sequence[str] = (),
    builtin_names: BuiltinNames | None = None,
    server: int | None = None,
    name: str = "server",
) -> ASGIApp:
    """Build the server for a migrated database. Secrets and uploads are stored in the folder `data`.

    `welcome` is called once, when the first admin got a generated password. `convert` is the command that exports
    frames. `builtin_names` are the names that the pool of this server reserves; without a pool there are none. `server`
    is the number whose lock this process holds, `name` that of this process in metrics.
    """
    # Requests of one client reach any of several processes on one port, so long polling does not work there.
    hub = SocketHub(origins=settings.origins, transport=settings.transport, polling=settings.replicas == 1)
    alone = not settings.has_replicas

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            folder = None if settings.database else data / "postgres"  # of the embedded database
            database = await stack.enter_async_context(
                Database(database_url, connections=settings.connections, folder=folder, pooler=settings.pooler)
            )
            engine = Engine(database, timing=settings.timing, quotas=settings.quotas, server=server)
            if await ensure_admin(engine, settings, data):
                welcome()
            await open_after_server_start(engine)
            secret = signing_secret(settings, data)
            context = ServerContext(
                settings,
                engine,
                TokenIssuer(secret),
                PresenceTracker(hub, engine),
                builtin_names,
            )
            publisher = await stack.enter_async_context(EventPublisher(hub, engine, context.tokens, alone=alone))
            poller = await stack.enter_async_context(PostingProgressPoller(hub, engine, context.posting_rates))
            rematcher = await stack.enter_async_context(Rematcher(engine, alone=alone))
            cancels = await stack.enter_async_context(CancelForwarder(engine))
            handlers = SocketHandlers(hub, context)
            context.choices = ChoicesRequests(hub, engine, context.tokens)
            shared_events = SharedEventReceiver(engine, handlers.recheck_all)
            celery_publisher = _celery_publisher(engine, settings)
            bus = None if alone else ReplicaBus(engine, secret, settings.redis)
            await stack.enter_async_context(
                NotificationListener(
                    engine,
                    rematcher,
                    cancels,
                    on_events=shared_events.receive,
                    on_messages=bus.receive_part if bus else _ignore,
                    on_gap=shared_events.check_soon,
                    on_work=celery_publisher.wake if celery_publisher else _do_nothing,
                )
            )
            for service in (ThroughputFlusher(engine), TokenWatch(hub, engine), of_process.LoopLag()):
                await stack.enter_async_context(service)
            files = await stack.enter_async_context(FileService(data / "uploads", convert, _upload_budget(settings)))

            # The publisher is first, because a worker waits for `job:assigned`; the others do not depend on the order.
            announced = (publisher.announce, rematcher.announce, poller.announce, files.on_events)
            engine.announce = _announcer(context, announced, celery_publisher)
            publisher.recheck = handlers.recheck
            upkeep = Maintainer(engine, celery_publisher)
            context.metrics = MetricsPage(
                engine, name, lambda: of_process.families(hub.open_sockets(), upkeep, database, data)
            )
            app.state.context, app.state.files = context, files
            stack.push_async_callback(stop_processes)
            if bus is not None:
                _connect_bus(bus, hub, context, handlers, files)
                await stack.enter_async_context(bus)
                await stack.enter_async_context(AttachmentCheck(hub, engine))
            await stack.enter_async_context(upkeep)
            _freeze_gc()
            yield

    app = create_rest_app(lifespan)
    limited = BodyLimit(
        hub.asgi_app(app),
        upload=settings.upload_bytes,
        input_file=settings.input_bytes,
        least_rate=float(settings.upload_bytes_per_second),
        window=settings.upload_rate_seconds,
    )
    below = RootPath(limited, settings.root_path) if settings.root_path else limited
    served = AllowedHosts(below, bound=settings.host, hosts=settings.hosts)
    serves_tls = settings.tls_certificate is not None
    return RequestMetrics(served, log_level=settings.request_log, serves_tls=serves_tls)


def _connect_bus(
    bus: ReplicaBus, hub: SocketHub, context: ServerContext, handlers: SocketHandlers, files: FileService
) -> None:
    """Connect everything in this server that must know of other servers."""
    hub.connect_bus(bus)
    handlers.connect_bus(bus)
    context.presence.connect_bus(bus)
    files.connect_bus(bus)
    context.choices.connect_bus(bus)
    context.login_limits.connect_bus(bus)
    context.metrics.connect_bus(bus)
    recovery = LostMessages(bus, hub, context.presence, handlers.repeat_all)
    bus.on_gap = recovery.recover_soon
    bus.on_joined = context.presence.send_all
    bus.on_gone = context.presence.forget_server


def _announcer(
    context: ServerContext, consumers: Sequence[Announce], celery_publisher: CeleryPublisher | None
) -> Announce:
    """What is done with the events of a committed transaction."""

    def announce(events: Sequence[Event]) -> None:
        first, *others = consumers
        first(events)
        for event in events:
            if isinstance(event, _CHANGES_EXTENSIONS):
                context.extension_cache.invalidate()
            if isinstance(event, _CHANGES_ACCESS):
                context.access_cache.clear()
            if celery_publisher is not None and isinstance(event, WorkAppeared):
                celery_publisher.wake()
        for consumer in others:
            consumer(events)
        of_process.observe_events(context.engine.latencies, events)

    return announce


def _celery_publisher(engine: Engine, settings: Settings) -> CeleryPublisher | None:
    """Sends the messages of jobs to the broker, with the engine `celery`."""
    if settings.engine != "celery":
        return None
    if settings.broker is None:
        raise BadInput("The engine celery needs a broker: set WORKROOM_BROKER, e.g. to redis://127.0.0.1:6379/0.")
    from workroom.celery.send_messages import Broker

    return CeleryPublisher(
        engine,
        Broker(settings.broker).send,
        ahead=settings.celery_ahead,
        republish_seconds=settings.celery_republish_seconds,
    )


def _do_nothing() -> None:
    return None


def _ignore(_: str) -> None:
    return None


def _upload_budget(settings: Settings) -> UploadBudget:
    return UploadBudget(per_account=settings.unfinished_upload_bytes, total=settings.unfinished_upload_bytes_total)


def _freeze_gc() -> None:
    """Exclude the objects of the start from garbage collection, which would scan them all in each full run.

    A closed WebSocket leaves some hundred objects that refer to each other. With these thresholds they are collected
    after a thousand closed ones at the latest, and a full run still needs many new objects.
    """
    gc.collect()
    gc.freeze()
    gc.collect()  # a full run waits for a quarter as many new objects as this one finds
    gc.set_threshold(10_000, 5, 2)


def create_rest_app(lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None) -> FastAPI:
    """Build the REST interface and the web app. Without a lifespan it can only produce its OpenAPI document."""
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
    error_handlers.install(app)
    describe_problem(app)
    for routes in ROUTES:
        # `include_router` would build each route a second time; the routes already have their prefixes.
        app.router.routes.extend(routes.router.routes)
    return app
