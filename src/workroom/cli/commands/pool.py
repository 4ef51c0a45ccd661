"""`workroom pool`: processes that run the calls of postings, or the built-in extensions."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from workroom.cli.database import DatabaseOption, DataOption, database, errors_told
from workroom.domain.errors import BadInput


def pool(
    imports: Annotated[
        list[str] | None,
        typer.Option("--import", metavar="MODULE_OR_FILE", help="Where functions are; may be repeated."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many processes; one for each core without.")] = None,
    recycle_after: Annotated[
        int | None, typer.Option(min=1, metavar="JOBS", help="Replace a process after so many jobs.")
    ] = None,
    profile: Annotated[
        float | None,
        typer.Option(min=0, max=1, envvar="WORKROOM_PROFILE", help="The share of calls to profile; 0: none at all."),
    ] = None,
    database_url: DatabaseOption = None,
    data: DataOption = None,
    built_in: Annotated[
        bool, typer.Option("--built-in", help="Run the server's built-in extensions instead; no database needed.")
    ] = False,
    url: Annotated[str | None, typer.Option(envvar="WORKROOM_URL", help="The server, with --built-in.")] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="An admin, with --built-in.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="And the password.")] = None,
    token: Annotated[str | None, typer.Option(envvar="WORKROOM_TOKEN", help="Or a token instead of both.")] = None,
    memory_mb: Annotated[int, typer.Option(min=0, help="Memory of each process, with --built-in; 0: any.")] = 4_096,
    timeout: Annotated[float, typer.Option(help="Seconds an extension may run, with --built-in.")] = 600.0,
) -> None:
    """Run the functions that MODULE_OR_FILE registers with @job, until Ctrl-C or SIGTERM; twice to end at once.

    With --built-in: run the built-in extensions of a server, beside its own pool, on whatever machine this is.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    for noisy in ("httpx2", "httpcore2", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    with errors_told():
        if built_in:
            from workroom.worker.builtin.__main__ import BuiltinPlan
            from workroom.worker.builtin.remote import run

            plan = BuiltinPlan.of(imports or ["workroom.atoms"], workers, memory_mb, timeout, recycle_after)
            run(plan, url, user, password, token, lambda line: print(line, flush=True))
        elif imports:
            with database(database_url, data) as at:
                _run_functions(at, imports, workers, recycle_after, profile)
        else:
            raise BadInput("What is to be run? Name functions with --import MODULE_OR_FILE, or give --built-in.")
    print("All processes have ended; goodbye.", flush=True)


def _run_functions(
    url: str, imports: list[str], workers: int | None, recycle_after: int | None, profile: float | None
) -> None:
    from workroom.store.migrate import upgrade
    from workroom.worker.pool import ClusterPool
    from workroom.worker.registry import Registry

    upgrade(url)
    cluster = ClusterPool(workers, imports, url, recycle_after=recycle_after, profile=profile)
    cluster.load()
    names = ", ".join(Registry)
    print(f"{cluster.max_workers} processes run {names}", flush=True)
    cluster.run()
