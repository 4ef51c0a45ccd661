"""`workroom fleet`: starts workers while jobs wait, as jobs of SLURM or as processes of this machine."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workroom import logs
from workroom.cli.api import Server
from workroom.cli.output import LogFormatOption
from workroom.cli.worker_options import OfferOption
from workroom.domain.errors import BadInput
from workroom.domain.jobs.resources import parsed_resources

if TYPE_CHECKING:
    from workroom.worker.fleet.backend import FleetBackend

app = typer.Typer(
    name="fleet", help="Start workers while jobs wait, and let them end afterwards.", no_args_is_help=True
)

RoomOption = Annotated[str, typer.Option(help="The room whose jobs the workers run.")]
GlobalOption = Annotated[bool, typer.Option("--global", help="Offer the extensions to all rooms (admins only).")]
MinOption = Annotated[int, typer.Option("--min", min=0, max=10_000, help="Workers that run also without jobs.")]
MaxOption = Annotated[int, typer.Option("--max", min=1, max=10_000, help="The most workers at a time.")]
NameOption = Annotated[
    str, typer.Option(help="The fleet's name. A fleet finds its workers by it when it is started again.")
]
EveryOption = Annotated[float, typer.Option(min=0.1, max=3_600, metavar="SECONDS", help="Seconds between two looks.")]
IdleOption = Annotated[
    float,
    typer.Option(
        min=0, metavar="SECONDS", help="A worker without a job ends after this time, if it is not of the minimum."
    ),
]
LeaveOption = Annotated[bool, typer.Option("--leave", help="Leave the workers running when the fleet ends.")]
GraceOption = Annotated[
    float, typer.Option(min=0, metavar="SECONDS", help="How long the end of the fleet waits for its workers.")
]
TimeoutOption = Annotated[
    float | None, typer.Option(min=0.001, help="Seconds that a job of an extension may run. Default: no limit.")
]
UrlOption = Annotated[
    str | None, typer.Option(envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine.")
]
UserOption = Annotated[str | None, typer.Option(envvar="WORKROOM_USER", help="The user to sign in as.")]
PasswordOption = Annotated[str | None, typer.Option(envvar="WORKROOM_PASSWORD", help="The user's password.")]
TokenOption = Annotated[
    str | None, typer.Option(envvar="WORKROOM_TOKEN", help="A token, instead of user and password.")
]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@app.command()
def slurm(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE_OR_MODULE]",
            help="What the workers run. Its extensions are offered from the start, and only their jobs count.",
        ),
    ] = None,
    template: Annotated[Path, typer.Option(help="The batch script of one worker, as sbatch takes it.")] = Path(
        "worker.sbatch"
    ),
    minimum: MinOption = 0,
    maximum: MaxOption = 20,
    room: RoomOption = "lobby",
    everywhere: GlobalOption = False,
    name: NameOption = "workroom",
    every: EveryOption = 10.0,
    idle_exit: IdleOption = 120.0,
    timeout: TimeoutOption = None,
    offer: OfferOption = None,
    sbatch_option: Annotated[
        list[str] | None, typer.Option(metavar="OPTION", help="A further option of sbatch, like --partition=gpu.")
    ] = None,
    leave: LeaveOption = False,
    grace: GraceOption = 600.0,
    log_format: LogFormatOption = None,
    url: UrlOption = None,
    user: UserOption = None,
    password: PasswordOption = None,
    token: TokenOption = None,
) -> None:
    """Submit worker jobs with sbatch while jobs wait, until Ctrl-C or SIGTERM.

    Jobs that ask for gpus, memory_gb or cpus get workers with --gpus, --mem and --cpus-per-task.
    """
    from workroom.worker.fleet.slurm import SlurmBackend

    def backend(environment: dict[str, str]) -> FleetBackend:
        file = "" if source is None else str(Path(source).resolve()) if Path(source).exists() else source
        settings = {
            "WORKROOM_FLEET_FILE": file,
            "WORKROOM_FLEET_ROOM": room,
            "WORKROOM_FLEET_GLOBAL": "1" if everywhere else "",
            "WORKROOM_FLEET_TIMEOUT": "" if timeout is None else str(timeout),
        }
        offers = parsed_resources(offer or ())
        return SlurmBackend(
            template,
            name,
            idle_exit=idle_exit,
            offers=offers,
            environment=environment | settings,
            options=sbatch_option or (),
        )

    logs.configure("info", log_format)
    login = {"url": url, "user": user, "password": password, "token": token}
    fleet = _Fleet(source, room, everywhere, timeout, name, minimum, maximum, every, leave, grace)
    _run(fleet, login, backend)


@app.command()
def local(
    source: Annotated[
        str, typer.Argument(metavar="FILE_OR_MODULE", help="A file or module with extensions and functions.")
    ],
    minimum: MinOption = 0,
    maximum: MaxOption = 4,
    room: RoomOption = "lobby",
    everywhere: GlobalOption = False,
    name: NameOption = "workroom",
    every: EveryOption = 1.0,
    idle_exit: IdleOption = 30.0,
    timeout: TimeoutOption = None,
    offer: OfferOption = None,
    leave: LeaveOption = False,
    grace: GraceOption = 600.0,
    log_format: LogFormatOption = None,
    url: UrlOption = None,
    user: UserOption = None,
    password: PasswordOption = None,
    token: TokenOption = None,
) -> None:
    """Start workers as processes of this machine while jobs wait, until Ctrl-C or SIGTERM."""
    from workroom.worker.fleet.local import LocalBackend

    def backend(environment: dict[str, str]) -> FleetBackend:
        command = [source, "--room", room]
        command += ["--global"] if everywhere else []
        command += ["--timeout", str(timeout)] if timeout is not None else []
        offers = parsed_resources(offer or ())
        return LocalBackend(name, command, idle_exit=idle_exit, offers=offers, environment=environment)

    logs.configure("info", log_format)
    login = {"url": url, "user": user, "password": password, "token": token}
    fleet = _Fleet(source, room, everywhere, timeout, name, minimum, maximum, every, leave, grace)
    _run(fleet, login, backend)


@dataclass(frozen=True, slots=True)
class _Fleet:
    """The options that both kinds of fleets have."""

    source: str | None
    room: str
    public: bool
    timeout: float | None
    name: str
    minimum: int
    maximum: int
    every: float
    leave: bool
    grace: float

    def __post_init__(self) -> None:
        if self.minimum > self.maximum:
            raise BadInput(f"--min {self.minimum} is more than --max {self.maximum}.")
        if not _NAME.fullmatch(self.name):
            raise BadInput("The name of a fleet has letters, digits, dots, dashes and underscores.")


def _run(chosen: _Fleet, login: dict[str, str | None], make_backend: Callable[[dict[str, str]], FleetBackend]) -> None:
    from workroom.cli.fleet.room_server import RoomServer
    from workroom.worker.fleet.fleet import Fleet
    from workroom.worker.fleet.fleet_lock import fleet_lock
    from workroom.worker.signals import graceful_shutdown

    stop = threading.Event()
    server = Server(**login, as_admin=chosen.public)
    served = RoomServer(server, chosen.room, chosen.source, public=chosen.public, timeout=chosen.timeout)
    with fleet_lock(chosen.name), graceful_shutdown(stop.set):
        try:
            # The workers sign in as the fleet does. Secrets pass through the environment, never a command line.
            given = {f"WORKROOM_{key.upper()}": value for key, value in login.items() if value}
            fleet = Fleet(
                served,
                make_backend({"WORKROOM_URL": server.url} | given),
                minimum=chosen.minimum,
                maximum=chosen.maximum,
                every=chosen.every,
                say=lambda line: print(line, flush=True),
            )
            print(f"Fleet {chosen.name} starts up to {chosen.maximum} workers for {served.what}", flush=True)
            fleet.run(stop)
            fleet.end(leave=chosen.leave, grace=chosen.grace)
        finally:
            served.close()
            server.close()
