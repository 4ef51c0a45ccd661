"""`workroom serve`: the server, with the embedded database unless a database URL is given."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workroom import logs
from workroom.cli.database import DatabaseOption, DataOption, print_errors
from workroom.cli.replicas import ReplicaSupervisor
from workroom.cli.server_process import hold_server_lock, in_a_thread, serve_with_pool
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.errors import BadInput, WorkroomError
from workroom.logs import get_logger

if TYPE_CHECKING:
    from workroom.server.settings import Settings
    from workroom.store.embedded import EmbeddedPostgres

_PORTS_TO_TRY = 50


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 0 takes a free one.")] = None,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    pool: Annotated[int | None, typer.Option(help="Number of processes that run built-in extensions; 0: none.")] = None,
    replicas: Annotated[int | None, typer.Option(help="Number of server processes that share the port.")] = None,
    redis: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A Redis, through which several servers on one database reach each other."),
    ] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
) -> None:
    """Run the server until Ctrl-C or SIGTERM."""
    from workroom.server.settings import load
    from workroom.store.embedded import default_data_folder

    with print_errors():
        flags = {
            "host": host,
            "port": port,
            "data": data,
            "database": database_url,
            "pool": pool,
            "replicas": replicas,
            "redis": redis,
            "log_level": log_level,
        }
        settings = load(flags, default_data_folder()).settings
        logs.configure(settings.log_level, settings.log_format)
        folder = settings.data or default_data_folder()
        protect_memory()
        with ExitStack() as stack:
            url = stack.enter_context(_database(settings, folder))
            lock = stack.enter_context(hold_server_lock(settings, url, folder))
            if settings.replicas > 1:
                sockets = stack.enter_context(_shared_sockets(settings.host, settings.port, settings.replicas))
                ReplicaSupervisor(settings, url, folder, sockets).run()
            else:
                listening = stack.enter_context(_bound_socket(settings.host, settings.port))
                serve_with_pool(settings, url, folder, listening, lock.number)


@contextmanager
def _database(settings: Settings, folder: Path) -> Generator[str]:
    """The given database, or the embedded one, which is restarted when it dies."""
    from workroom.store.connect import check_database
    from workroom.store.embedded import EmbeddedPostgres

    if settings.database:
        check_database(settings.database)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        yield settings.database
        return
    with EmbeddedPostgres(folder) as postgres, _restarting(postgres):
        yield postgres.url


@contextmanager
def _restarting(postgres: EmbeddedPostgres) -> Generator[None]:
    def watch(stop: threading.Event) -> None:
        log = get_logger(__name__)
        while not stop.wait(0.25):
            if not postgres.is_alive:
                log.warning("embedded postgres exited, restarting")
                try:
                    postgres.start()
                except (WorkroomError, OSError) as error:  # an OSError when the disk is full
                    log.error("embedded postgres failed to start, retrying", reason=str(error))

    with in_a_thread("postgres watch", watch):
        yield


@contextmanager
def _shared_sockets(host: str, port: int, count: int) -> Generator[list[socket.socket]]:
    """So many sockets on one port, which no other program uses. The kernel distributes the connections among them."""
    with _bound_socket(host, port) as alone:
        free: int = alone.getsockname()[1]
    with ExitStack() as stack:
        yield [stack.enter_context(_bound_socket(host, free, shared=True)) for _ in range(count)]


@contextmanager
def _bound_socket(host: str, port: int, *, shared: bool = False) -> Generator[socket.socket]:
    """A socket on this port, or on the next free one. With `shared`, several sockets can have the port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + _PORTS_TO_TRY, 65536)) if port else [0]:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listener.bind((host, candidate))
        except OSError as error:
            listener.close()
            if not isinstance(error, PermissionError) and error.errno in _BUSY:
                continue
            raise BadInput(f"Cannot listen on {host}:{candidate}: {error.strerror}.") from None
        listener.listen(2048)
        listener.set_inheritable(False)
        with listener:
            yield listener
        return
    raise BadInput(
        f"Ports {port} to {port + _PORTS_TO_TRY - 1} are all in use. Give another --port, or 0 for any free one."
    )


_BUSY = {98, 48, 10048}  # "address already in use" on Linux, macOS and Windows
