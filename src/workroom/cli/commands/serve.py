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
from workroom.cli.database import DatabaseOption, DataOption, print_errors, warning_of_password
from workroom.cli.serving.replicas import ReplicaSupervisor
from workroom.cli.serving.server_process import hold_server_lock, in_a_thread, serve_with_pool
from workroom.cli.serving.systemd_notify import SystemdNotifier
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.errors import BadInput, WorkroomError
from workroom.extras import require
from workroom.logs import get_logger
from workroom.server.listen_sockets import Listening
from workroom.server.tls_certificate import check_certificate

if TYPE_CHECKING:
    from workroom.server.settings import Settings
    from workroom.store.embedded import EmbeddedPostgres

_PORTS_TO_TRY = 50


def serve(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on. Default: 127.0.0.1, this machine only.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 0 takes a free one. Default: 8686.")] = None,
    root_path: Annotated[
        str | None, typer.Option(metavar="PATH", help="The path below which a proxy serves it. Default: none.")
    ] = None,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    pool: Annotated[
        int | None, typer.Option(help="Number of processes that run built-in extensions; 0: none. Default: 2.")
    ] = None,
    replicas: Annotated[
        int | None, typer.Option(help="Number of server processes that share the port. Default: 1.")
    ] = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            callback=warning_of_password("redis"),
            help="A Redis, through which several servers on one database reach each other. Default: none.",
        ),
    ] = None,
    tls_certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A certificate with its chain (PEM): serve https. Default: none."),
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The private key of the certificate (PEM). Default: none.")
    ] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error. Default: info.")] = None,
) -> None:
    """Run the server until Ctrl-C or SIGTERM.

    `workroom config show` lists all settings. Each can also be set by a variable WORKROOM_… or in workroom.toml.
    """
    from workroom.server.settings import load
    from workroom.store.embedded import default_data_folder

    with print_errors():
        flags = {
            "host": host,
            "port": port,
            "root_path": root_path,
            "data": data,
            "database": database_url,
            "pool": pool,
            "replicas": replicas,
            "redis": redis,
            "tls_certificate": tls_certificate,
            "tls_key": tls_key,
            "log_level": log_level,
        }
        settings = load(flags, default_data_folder()).settings
        logs.configure(settings.log_level, settings.log_format)
        folder = settings.data or default_data_folder()
        check_certificate(settings)
        if settings.oidc_issuer is not None:
            require(["authlib"], "Sign-in with OpenID Connect")
        if settings.redis is not None:
            require(["redis"], "The setting redis")
        systemd = SystemdNotifier.take()
        protect_memory()
        with ExitStack() as stack:
            # First: without a port, no folder is made and no database started. Requests wait until the server runs.
            listening = stack.enter_context(_listening(settings))
            url = stack.enter_context(_database(settings, folder))
            _check_budget(settings, url)
            lock = stack.enter_context(hold_server_lock(settings, url, folder, serves=settings.replicas == 1))
            if settings.replicas > 1:
                ReplicaSupervisor(settings, url, folder, listening, systemd).run()
            else:
                serve_with_pool(settings, url, folder, listening[0], lock.number, systemd)


@contextmanager
def _listening(settings: Settings) -> Generator[list[Listening]]:
    """The sockets of each server process."""
    count = settings.replicas
    with ExitStack() as stack:
        public = stack.enter_context(_sockets(settings.host, settings.port, count))
        local: list[socket.socket] | list[None] = [None] * count
        if settings.tls_certificate is not None:
            local = stack.enter_context(_sockets("127.0.0.1", 0, count))
        yield [Listening(*pair) for pair in zip(public, local, strict=True)]


@contextmanager
def _database(settings: Settings, folder: Path) -> Generator[str]:
    """The given database, or the embedded one, which is restarted when it dies."""
    from workroom.store.connect import database_identity
    from workroom.store.connections.pooler import check_address
    from workroom.store.embedded import EmbeddedPostgres, OwnerLock, make_folder

    if settings.pooler and not settings.database:
        raise BadInput("pooler is set without database. Set WORKROOM_DATABASE to the address of PostgreSQL itself.")
    if settings.database:
        check_address(settings.database, settings.pooler)
        make_folder(folder)
        lock = OwnerLock.share(folder, database_identity(settings.database))
        try:
            yield settings.database
        finally:
            lock.release()
        return
    with EmbeddedPostgres(folder) as postgres, _restarting(postgres):
        yield postgres.url


def _check_budget(settings: Settings, url: str) -> None:
    from workroom.store.connections.budget import check_budget, of_servers

    need = of_servers(settings.replicas, settings.connections, publishes=settings.engine == "celery")

    def fix(allowed: int) -> str:
        most = (allowed - need.sessions) // settings.replicas
        return f"set `connections` to at most {most}" if most >= 2 else "start fewer `replicas`"

    check_budget(url, need, pooler=settings.pooler is not None, fix=fix)


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
def _sockets(host: str, port: int, count: int) -> Generator[list[socket.socket]]:
    """So many sockets on one port, which no other program uses. The kernel distributes the connections among them."""
    with _bound_socket(host, port) as alone:
        if count == 1:
            yield [alone]
            return
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
