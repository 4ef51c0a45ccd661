"""`workroom pool`: processes that run the calls of postings, or the built-in extensions."""

from __future__ import annotations

import logging
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from workroom import logs
from workroom.cli.database import DatabaseOption, DataOption, database, watched_folder
from workroom.cli.output import LogFormatOption
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.errors import BadInput
from workroom.domain.jobs.time_settings import Timing


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
) -> None:
    """Run the functions that MODULE_OR_FILE registers with @job, until Ctrl-C or SIGTERM. A second signal kills jobs.

    With --built-in it runs the built-in extensions of a server, in addition to the server's own pool.
    """
    logs.configure("info", log_format)
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    protect_memory()
    if built_in:
        from workroom.client.discovery import data_folder
        from workroom.worker.builtin.__main__ import BuiltinPlan
        from workroom.worker.builtin.on_another_machine import run

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
        run(plan, url, user, password, token, lambda line: print(line, flush=True))
    elif imports:
        from workroom.server.settings import load
        from workroom.store.embedded import default_data_folder

        settings = load({"database": database_url, "data": data}, default_data_folder()).settings
        folder = None if settings.database else settings.data or default_data_folder()
        with database(settings.database, folder) as at:
            _run_functions(at, folder, imports, workers, recycle_after, profile, settings.timing)
    else:
        raise BadInput("Nothing to run: give functions with --import MODULE_OR_FILE, or --built-in.")
    print("All processes have ended; goodbye.", flush=True)


def _run_functions(
    url: str,
    folder: Path | None,
    imports: list[str],
    workers: int | None,
    recycle_after: int | None,
    profile: float | None,
    timing: Timing,
) -> None:
    from workroom.store.migrate import prepare_for_pool
    from workroom.worker.function_registry import Registry
    from workroom.worker.pool import ClusterPool

    prepare_for_pool(url)
    cluster = ClusterPool(workers, imports, url, recycle_after=recycle_after, profile=profile, timing=timing)
    cluster.load()
    names = ", ".join(Registry)
    print(f"{cluster.max_workers} processes run {names}", flush=True)
    if folder is None:
        cluster.run()
        return
    with watched_folder(folder, url, cluster.kill) as watch:
        cluster.run()
    if watch.trouble is not None:
        raise watch.trouble
