"""`workroom serve`: the server, with the embedded database unless a database URL is given."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from workroom.cli.database import DatabaseOption, DataOption, print_errors
from workroom.confinement.memory_privacy import protect_memory
from workroom.domain.errors import BadInput, ServerRunning, WorkroomError
from workroom.logs import get_logger

if TYPE_CHECKING:
    from workroom.server.settings import Settings
    from workroom.store.embedded import EmbeddedPostgres

_PORTS_TO_TRY = 50
_MAX_OPEN_FILES = 65_536


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 0 takes a free one.")] = None,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    pool: Annotated[int | None, typer.Option(help="Number of processes that run built-in extensions; 0: none.")] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
) -> None:
    """Run the server until Ctrl-C or SIGTERM."""
    from workroom import logs
    from workroom.server.settings import load
    from workroom.store.embedded import default_data_folder

    with print_errors():
        flags = {
            "host": host,
            "port": port,
            "data": data,
            "database": database_url,
            "pool": pool,
            "log_level": log_level,
        }
        settings = load(flags, default_data_folder()).settings
        logs.configure(settings.log_level, settings.log_format)
        folder = settings.data or default_data_folder()
        _raise_file_limit()
        protect_memory()
        with ExitStack() as stack:
            url = stack.enter_context(_database(settings, folder))
            listening = stack.enter_context(_bound_socket(settings.host, settings.port))
            _run(settings, url, folder, listening)


def _raise_file_limit() -> None:
    """Raise the soft limit of open files, which is often 1,024, towards the hard limit: each socket needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def _database(settings: Settings, folder: Path) -> Generator[str]:
    """The database with an upgraded schema: the given one, or the embedded one, which is restarted when it dies.

    The schema is upgraded only when no other server uses it.
    """
    from workroom.store.connect import check_database
    from workroom.store.embedded import EmbeddedPostgres
    from workroom.store.migrate import upgrade

    if settings.database:
        check_database(settings.database)
        with _only_server(settings.database):
            upgrade(settings.database)
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            yield settings.database
        return
    with EmbeddedPostgres(folder) as postgres, _restarting(postgres), _only_server(postgres.url):
        upgrade(postgres.url)
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

    with _in_a_thread("postgres watch", watch):
        yield


@contextmanager
def _only_server(url: str) -> Generator[None]:
    """Refuse to start beside another server on the database. A lock that is lost with its session is taken again."""
    from workroom.store.leadership import ServerLock

    lock = ServerLock(url)
    lock.acquire()

    def watch(stop: threading.Event) -> None:
        log = get_logger(__name__)
        is_away = False
        while not stop.wait(1.0):
            if lock.is_held:
                continue
            try:
                lock.acquire()
                is_away = False
                log.info("server lock taken again")
            except ServerRunning as error:
                log.error("another server has taken over the database, stopping", reason=error.message)
                os.kill(os.getpid(), signal.SIGTERM)
                return
            except WorkroomError as error:
                if not is_away:
                    log.warning("server lock lost, database not reachable", reason=error.message)
                is_away = True

    try:
        with _in_a_thread("server lock", watch):
            yield
    finally:
        lock.release()


@contextmanager
def _in_a_thread(name: str, watch: Callable[[threading.Event], None]) -> Generator[None]:
    """Run a function in a thread until the block ends; it returns when the event is set."""
    stop = threading.Event()
    watcher = threading.Thread(target=watch, args=(stop,), name=name, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


@contextmanager
def _bound_socket(host: str, port: int) -> Generator[socket.socket]:
    """A socket on this port, or on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + _PORTS_TO_TRY, 65536)) if port else [0]:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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


def _run(settings: Settings, url: str, folder: Path, listening: socket.socket) -> None:
    import uvicorn

    from workroom.cli.builtin_supervisor import BuiltinSupervisor
    from workroom.server.app import create_app
    from workroom.server.auth.bootstrap import signing_secret
    from workroom.server.auth.tokens import TokenIssuer
    from workroom.server.builtin_names import BuiltinNames

    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else shown}:{port}"  # noqa: S104 - compared, not bound

    pool: BuiltinSupervisor | None = None
    names = BuiltinNames() if settings.pool else None

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            nonlocal pool
            await super().startup(sockets)
            if self.started:
                if settings.port and port != settings.port:
                    print(f"Port {settings.port} is in use.", flush=True)
                _write_server_file(folder, address)
                print(f"Workroom listens at {address}", flush=True)
                if names is not None:
                    tokens = TokenIssuer(signing_secret(settings, folder))
                    pool = BuiltinSupervisor(settings, folder, address, tokens, names)
                    pool.start()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """Stop the pool first: its jobs still report to the server. A second signal stops the server at once."""
            nonlocal pool
            stopping, pool = pool, None
            if stopping is None:
                super().handle_exit(sig, frame)
                return

            def stop() -> None:
                stopping.stop()
                super(Server, self).handle_exit(sig, frame)

            threading.Thread(target=stop, name="stop the pool", daemon=True).start()

    config = uvicorn.Config(
        create_app(
            settings,
            url,
            folder,
            lambda: _print_password_file(folder),
            convert=[sys.executable, "-m", "workroom.atoms.files.export_process", settings.pool_confine],
            builtin_names=names,
        ),
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=5,
        ws_max_size=2_000_000,
        server_header=False,
        # Given in any case: uvicorn would otherwise believe the headers of every client on this machine.
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies,
    )
    server = Server(config)
    # uvicorn handles these signals while it serves, and raises them again when it has stopped. That must not end the
    # process before the database is stopped.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore_signal)
    try:
        server.run(sockets=[listening])
    finally:
        if pool is not None:
            pool.stop()
        with suppress(OSError):
            (folder / "server.json").unlink()
    if not server.started:
        raise BadInput("The server did not start; see the log above.")


def _print_password_file(folder: Path) -> None:
    print(f"The first admin is `admin`; the password is in {folder / 'admin-password'}", flush=True)


def _ignore_signal(number: int, frame: FrameType | None) -> None:
    return None


def _write_server_file(folder: Path, address: str) -> None:
    """Write this server's URL and pid, so that clients on this machine find it."""
    temporary = folder / f".server.json.{os.getpid()}"
    temporary.write_text(json.dumps({"url": address, "pid": os.getpid()}))
    temporary.replace(folder / "server.json")
