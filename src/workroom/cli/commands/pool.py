"""`workroom pool`: processes that run the calls of postings, or the built-in extensions."""

from __future__ import annotations

import logging
import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from workroom import logs
from workroom.cli.api import asked_password
from workroom.cli.database import DatabaseOption, DataOption, database, watched_folder
from workroom.cli.output import LogFormatOption
from workroom.cli.user_code_errors import reported_import_errors
from workroom.cli.worker_options import OfferOption, UntilOption, WalltimeOption
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.errors import BadInput
from workroom.domain.jobs.resources import parsed_resources


class Confine(StrEnum):
    """How jobs are confined: with what the machine has, not without it, or not at all."""

    AUTO = "auto"
    REQUIRED = "required"
    OFF = "off"


def pool(
    imports: Annotated[
        list[str] | None,
        typer.Option("--import", metavar="MODULE_OR_FILE", help="A module or file with functions; may be repeated."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Number of processes. Default: one for each core.")] = None,
    recycle_after: Annotated[
        int | None, typer.Option(min=1, metavar="JOBS", help="Replace a process after this number of jobs.")
    ] = None,
    profile: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, envvar="WORKROOM_PROFILE", help="The share of calls to profile; 0 disables profiling."
        ),
    ] = None,
    database_url: DatabaseOption = None,
    data: DataOption = None,
    log_format: LogFormatOption = None,
    built_in: Annotated[
        bool, typer.Option("--built-in", help="Run the server's built-in extensions instead; no database needed.")
    ] = False,
    url: Annotated[str | None, typer.Option(envvar="WORKROOM_URL", help="The server, with --built-in.")] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="An admin, with --built-in.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="The admin's password.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
    ] = None,
    memory_mb: Annotated[
        int, typer.Option(min=0, help="Memory limit of each process in MB, with --built-in; 0: no limit.")
    ] = 4_096,
    timeout: Annotated[float, typer.Option(help="Seconds an extension may run, with --built-in.")] = 600.0,
    confine: Annotated[
        Confine, typer.Option(envvar="WORKROOM_POOL_CONFINE", help="Confinement of jobs, with --built-in.")
    ] = Confine.AUTO,
    network: Annotated[
        bool,
        typer.Option(envvar="WORKROOM_POOL_NETWORK", help="Let jobs open Internet connections, with --built-in."),
    ] = False,
    readable: Annotated[
        list[Path] | None, typer.Option(help="A file or folder that jobs may read, with --built-in; may be repeated.")
    ] = None,
    writable: Annotated[
        list[Path] | None, typer.Option(help="A folder that jobs may change, with --built-in; may be repeated.")
    ] = None,
    offer: OfferOption = None,
    walltime: WalltimeOption = None,
    until: UntilOption = None,
) -> None:
    """Run the functions that MODULE_OR_FILE registers with @job, until Ctrl-C or SIGTERM. A second signal kills jobs.

    With --built-in it runs the built-in extensions of a server, in addition to the server's own pool. Each process
    offers the resources of --offer to one call at a time.
    """
    logs.configure("info", log_format)
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    protect_memory()
    if built_in and (offer or walltime or until):
        raise BadInput("--offer, --walltime and --until are for functions: leave them out with --built-in.")
    if built_in:
        from workroom.client.discovery import data_folder
        from workroom.worker.builtin.__main__ import BuiltinPlan
        from workroom.worker.builtin.remote_pool import run

        plan = BuiltinPlan.of(
            imports or ["workroom.atoms"],
            workers,
            memory_mb,
            timeout,
            recycle_after,
            confine=confine.value,
            network=network,
            readable=tuple(map(str, readable or ())),
            writable=tuple(map(str, writable or ())),
            private=(str(data or data_folder()),),
        )
        if user:  # otherwise the login that is kept, or the admin's file
            password = asked_password(url, user, password, token)
        run(plan, url, user, password, token, lambda line: print(line, flush=True))
    elif imports:
        from workroom.server.settings import load
        from workroom.store.embedded import default_data_folder
        from workroom.worker.walltime import find_walltime

        settings = load({"database": database_url, "data": data}, default_data_folder()).settings
        folder = None if settings.database else settings.data or default_data_folder()
        with database(settings.database, folder) as at:
            if settings.pooler:  # of the processes, and of jobs that post
                os.environ |= {"WORKROOM_DATABASE": at, "WORKROOM_POOLER": settings.pooler}
            _run_functions(
                at,
                folder,
                imports,
                max_workers=workers,
                recycle_after=recycle_after,
                profile=profile,
                timing=settings.timing,
                offers=parsed_resources(offer or ()),
                walltime=find_walltime(walltime, until),
            )
    else:
        raise BadInput("Nothing to run: give functions with --import MODULE_OR_FILE, or --built-in.")
    print("All processes have ended; goodbye.", flush=True)


def _run_functions(url: str, folder: Path | None, imports: list[str], **settings: Any) -> None:
    from workroom.store.connections.budget import check_budget, of_pool
    from workroom.store.connections.pooler import check_address
    from workroom.store.migrate import prepare_for_pool
    from workroom.worker.function_registry import Registry
    from workroom.worker.pool import ClusterPool

    pooler = os.environ.get("WORKROOM_POOLER") or None
    check_address(url, pooler)
    prepare_for_pool(url)
    cluster = ClusterPool(imports=imports, database=url, **settings)
    need = of_pool(cluster.max_workers)
    check_budget(url, need, pooler=pooler is not None, fix=lambda _: "give fewer --workers")
    with reported_import_errors(", ".join(imports)):
        cluster.load()
    names = ", ".join(Registry)
    running = "1 process runs" if cluster.max_workers == 1 else f"{cluster.max_workers} processes run"
    print(f"{running} {names}", flush=True)
    if folder is None:
        cluster.run()
        return
    with watched_folder(folder, url, cluster.kill) as watch:
        cluster.run()
    if watch.trouble is not None:
        raise watch.trouble
