"""`workroom worker`: offers the extensions and functions of a file or module, and runs their jobs."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from workroom.cli.database import errors_told

if TYPE_CHECKING:
    from workroom.worker.remote.extension_room import Room


def worker(
    source: Annotated[str, typer.Argument(metavar="FILE_OR_MODULE", help="Where the extensions and functions are.")],
    room: Annotated[str, typer.Option(help="The room they are offered to.")] = "lobby",
    everywhere: Annotated[bool, typer.Option("--global", help="Offer them to all rooms (admins only).")] = False,
    url: Annotated[str | None, typer.Option(envvar="WORKROOM_URL", help="The server; the local one without.")] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="Who you are.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="And your password.")] = None,
    token: Annotated[str | None, typer.Option(envvar="WORKROOM_TOKEN", help="Or a token instead of both.")] = None,
    reload: Annotated[bool, typer.Option("--reload", help="Offer them anew whenever the file is saved.")] = False,
    name: Annotated[str, typer.Option(help="What to call this worker.")] = "",
    slots: Annotated[int, typer.Option(min=1, max=1000, help="How many calls of functions run at once.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, max=1000, help="How many jobs of an extension run at once.")] = 1,
) -> None:
    """Run jobs of the extensions and functions (@job) in FILE_OR_MODULE, until Ctrl-C or SIGTERM.

    Functions are called by postings: yours, and those of the room; with --global everybody's.
    """
    from workroom.worker.remote.extension_room import Room

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    for noisy in ("httpx2", "httpcore2", "watchfiles", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    with errors_told():
        if everywhere and user is None and token is None:
            user = "admin"  # only an admin may; on the server's own machine the password is at hand
        with Room(room, url, user, password, token, worker_name=name) as served:
            _serve(served, source, public=everywhere, reload=reload, slots=slots, concurrency=concurrency)


def _serve(room: Room, source: str, *, public: bool, reload: bool, slots: int, concurrency: int) -> None:
    from workroom.worker import loading as sources
    from workroom.worker.remote.offers import offers_in
    from workroom.worker.remote.reload import Reloader
    from workroom.worker.remote.status_line import StatusLine

    module = sources.load(source)
    offers = offers_in(module, public=public, slots=slots, concurrency=concurrency)
    remote = room.inner.worker
    where = "all rooms" if public else f"room {room.name}"
    names = ", ".join(f"{category}/{name}" for category, name in (offer.identity for offer in offers))
    # The line first: what jobs print, caught from the first offer on, must be caught before it meets the line.
    with StatusLine(remote):
        room.portal.call(remote.offer(*offers))
        print(f"Worker {remote.id} offers {names} to {where} at {room.url}", flush=True)
        chosen = {"public": public, "slots": slots, "concurrency": concurrency}
        with Reloader(room.portal, remote, module, chosen, enabled=reload):
            room.wait()
    print("All jobs are finished; goodbye.", flush=True)
