"""`workroom pool`: processes that run the calls of postings."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from workroom.cli.database import DatabaseOption, DataOption, database, errors_told


def pool(
    imports: Annotated[
        list[str], typer.Option("--import", metavar="MODULE_OR_FILE", help="Where functions are; may be repeated.")
    ],
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
) -> None:
    """Run the functions that MODULE_OR_FILE registers with @job, until Ctrl-C or SIGTERM; twice to end at once."""
    from workroom.store.migrate import upgrade
    from workroom.worker.functions import Registry
    from workroom.worker.pool import ClusterPool

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    with errors_told(), database(database_url, data) as url:
        upgrade(url)
        cluster = ClusterPool(workers, imports, url, recycle_after=recycle_after, profile=profile)
        cluster.load()
        names = ", ".join(Registry)
        print(f"{cluster.max_workers} processes run {names}", flush=True)
        cluster.run()
    print("All processes have ended; goodbye.", flush=True)
