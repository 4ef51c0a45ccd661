"""`workroom worker`: runs a worker for the extensions and functions of a file or module."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workroom import logs
from workroom.cli.api import asked_password
from workroom.cli.output import LogFormatOption
from workroom.cli.user_code_errors import reported_import_errors
from workroom.cli.worker_options import OfferOption, UntilOption, WalltimeOption
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.jobs.resources import parsed_resources

if TYPE_CHECKING:
    from workroom.worker.remote.offering_room import Room


def worker(
    source: Annotated[
        str, typer.Argument(metavar="FILE_OR_MODULE", help="A file or module with extensions and functions.")
    ],
    room: Annotated[str, typer.Option(help="The room that they are offered to.")] = "lobby",
    everywhere: Annotated[bool, typer.Option("--global", help="Offer them to all rooms (admins only).")] = False,
    url: Annotated[
        str | None, typer.Option(envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine.")
    ] = None,
    user: Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="The user to sign in as.")] = None,
    password: Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="The user's password.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
    ] = None,
    reload: Annotated[
        bool, typer.Option("--reload", help="Reload and offer them again when the file is saved.")
    ] = False,
    name: Annotated[str, typer.Option(help="The worker's name.")] = "",
    log_format: LogFormatOption = None,
    slots: Annotated[
        int, typer.Option(min=1, max=1000, help="Maximum number of function calls that run at the same time.")
    ] = 1,
    concurrency: Annotated[
        int, typer.Option(min=1, max=1000, help="Maximum number of jobs of an extension that run at the same time.")
    ] = 1,
    offer: OfferOption = None,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds that a job of an extension may run. Default: no limit.")
    ] = None,
    walltime: WalltimeOption = None,
    until: UntilOption = None,
    idle_exit: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="End after this time without a job.")
    ] = None,
) -> None:
    """Run jobs of the extensions and functions (@job) in FILE_OR_MODULE, until Ctrl-C or SIGTERM.

    Functions run the calls of your postings and of the room's postings; with --global of all postings. A worker that
    knows its end drains before it, and gets no job whose time-out is later. In a job of SLURM it knows its end.
    """
    from workroom.client.discovery import server_url
    from workroom.client.net.login_tokens import Login
    from workroom.worker import loading
    from workroom.worker.remote.offering_room import Room
    from workroom.worker.walltime import find_walltime

    logs.configure("info", log_format)
    protect_memory()
    with reported_import_errors(source):
        module = loading.load(source)  # before the sign-in: errors of the file are reported first
    if everywhere and not Login.is_chosen(user, password, token, url=server_url(url)):
        user = "admin"  # --global needs an admin; on the server's machine the password file is readable
    password = asked_password(url, user, password, token)
    with Room(
        room,
        url,
        user,
        password,
        token,
        worker_name=name,
        offers=parsed_resources(offer or ()),
        walltime=find_walltime(walltime, until),
        idle_exit=idle_exit,
    ) as served:
        _serve(served, module, reload=reload, public=everywhere, slots=slots, concurrency=concurrency, timeout=timeout)


def _serve(room: Room, module: ModuleType, *, reload: bool, public: bool, **options: Any) -> None:
    from workroom.worker.remote.offers import offers_in
    from workroom.worker.remote.reload import Reloader
    from workroom.worker.remote.status_line import StatusLine

    offers = offers_in(module, public=public, **options)
    remote = room.inner.worker
    target = "all rooms" if public else f"room {room.name}"
    names = ", ".join(f"{category}/{name}" for category, name in (offer.identity for offer in offers))
    # The status line starts first: the output of jobs is captured from the first offer on and must not overwrite it.
    with StatusLine(remote):
        room.portal.call(remote.offer(*offers))
        print(f"Worker {remote.id} offers {names} to {target} at {room.url}", flush=True)
        with Reloader(room.portal, remote, module, {"public": public, **options}, enabled=reload):
            room.wait()
    print("All jobs have finished; goodbye.", flush=True)
