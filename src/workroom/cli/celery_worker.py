"""`workroom celery`: a Celery worker that runs the built-in extensions and posted functions."""

from __future__ import annotations

import logging
import os
from typing import Annotated

import typer

from workroom import logs
from workroom.cli.api import asked_password
from workroom.cli.database import DatabaseOption, DataOption, database, warning_of_password
from workroom.cli.output import LogFormatOption
from workroom.cli.worker_options import OfferOption, UntilOption, WalltimeOption
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.errors import BadInput
from workroom.domain.jobs.resources import parsed_resources
from workroom.extras import require


def celery(
    context: typer.Context,
    imports: Annotated[
        list[str] | None,
        typer.Option("--import", metavar="MODULE_OR_FILE", help="A module or file with functions; may be repeated."),
    ] = None,
    built_in: Annotated[
        bool, typer.Option("--built-in/--no-built-in", help="Whether to run the server's built-in extensions.")
    ] = True,
    broker: Annotated[
        str | None,
        typer.Option(
            envvar="WORKROOM_BROKER",
            metavar="URL",
            callback=warning_of_password("broker"),
            help="A Redis or a RabbitMQ.",
        ),
    ] = None,
    database_url: DatabaseOption = None,
    data: DataOption = None,
    log_format: LogFormatOption = None,
    url: Annotated[str | None, typer.Option(envvar="WORKROOM_URL", help="The server.")] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="An admin, for --built-in.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="The admin's password.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
    ] = None,
    offer: OfferOption = None,
    walltime: WalltimeOption = None,
    until: UntilOption = None,
) -> None:
    """Run a Celery worker, until Ctrl-C or SIGTERM, for a server with WORKROOM_ENGINE=celery.

    It takes all options of `celery worker` too, e.g. --concurrency 4 -Q workroom --loglevel info. Each of its processes
    of functions offers the resources of --offer to one call at a time.
    """
    require(["celery"], "`workroom celery`")
    from workroom.server.settings import Settings, load
    from workroom.store.connections.budget import check_budget, of_pool
    from workroom.store.connections.pooler import check_address
    from workroom.store.embedded import default_data_folder
    from workroom.store.migrate import prepare_for_pool
    from workroom.worker.celery.celery_worker import CeleryProgram, Parts
    from workroom.worker.celery.node_info import CeleryNode
    from workroom.worker.walltime import find_walltime

    logs.configure("info", log_format)
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    protect_memory()
    settings = load({"database": database_url, "data": data, "broker": broker or None}, default_data_folder()).settings
    if settings.broker is None:
        raise BadInput("Celery needs a broker: give --broker or WORKROOM_BROKER, e.g. redis://127.0.0.1:6379/0.")
    if not imports and not built_in:
        raise BadInput("Nothing to run: give functions with --import MODULE_OR_FILE, or leave out --no-built-in.")
    offers, end = parsed_resources(offer or ()), find_walltime(walltime, until)
    if offers and not imports:
        raise BadInput("--offer is for functions: give them with --import, or leave it out.")
    folder = None if settings.database else settings.data or default_data_folder()

    def login_parts(at: str, settings: Settings, node: CeleryNode) -> Parts:
        from workroom.client import discovery
        from workroom.client.net.login_tokens import ADMIN, Login
        from workroom.worker.builtin.__main__ import BuiltinPlan
        from workroom.worker.celery.extension_worker import ExtensionWorker
        from workroom.worker.celery.function_processes import FunctionProcesses

        functions: FunctionProcesses | None = None
        if imports:
            need, pooled = of_pool(node.slots), settings.pooler is not None
            check_budget(at, need, pooler=pooled, fix=lambda _: "give a lower --concurrency")
            functions = FunctionProcesses(
                node.slots, imports, at, timing=settings.timing, offers=offers, walltime=end, node=node
            )
        extensions: ExtensionWorker | None = None
        if built_in:
            plan = BuiltinPlan(
                tuple(settings.pool_modules),
                node.slots,
                settings.pool_memory_mb or None,
                settings.pool_timeout_seconds,
                settings.pool_nice,
                settings.pool_jobs_each,
                settings.pool_confine,  # pyright: ignore[reportArgumentType] - the setting has a pattern
                settings.pool_network,
                tuple(settings.pool_readable),
                tuple(settings.pool_writable),
                (str((settings.data or default_data_folder()).resolve()),),
            )
            server = discovery.server_url(url)
            typed = asked_password(server, user, password, token) if user else password
            # Only an admin may offer built-ins.
            is_chosen = Login.is_chosen(user, typed, token, url=server)
            login = Login.of(user if is_chosen else ADMIN, typed, token, url=server)
            extensions = ExtensionWorker(plan, plan.offers(), server, login, at, settings.timing, node, end)
        return Parts(functions, extensions)

    with database(settings.database, folder) as at:
        check_address(at, settings.pooler)
        if settings.pooler:  # of the processes, and of jobs that post
            os.environ |= {"WORKROOM_DATABASE": at, "WORKROOM_POOLER": settings.pooler}
        prepare_for_pool(at)
        CeleryProgram(settings.broker, lambda node: login_parts(at, settings, node), end).run(context.args)
