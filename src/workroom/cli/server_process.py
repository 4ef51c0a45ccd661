"""A server process: the lock of the database, uvicorn, and the pool that one server process starts."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from workroom import logs
from workroom.domain.errors import BadInput, ServerRunning, WorkroomError
from workroom.logs import get_logger
from workroom.server.builtin_names import BuiltinNames

if TYPE_CHECKING:
    from workroom.cli.builtin_supervisor import BuiltinSupervisor
    from workroom.server.settings import Settings
    from workroom.store.leadership import ServerLock

_MAX_OPEN_FILES = 65_536
_SERVER_FILE = "server.json"


@contextmanager
def hold_server_lock(settings: Settings, url: str, folder: Path) -> Generator[ServerLock]:
    """Refuse to start beside a server that excludes this one. A lock that is lost with its session is taken again.

    The schema is upgraded when no other server uses it.
    """
    from workroom.server.auth.bootstrap import signing_secret
    from workroom.store.leadership import ServerLock
    from workroom.store.migrate import require_head, upgrade

    digest = hashlib.sha256(b"workroom secret " + signing_secret(settings, folder).encode()).hexdigest()[:8]
    lock = ServerLock(url, replica=settings.has_replicas, secret_digest=digest)
    lock.acquire(lambda: upgrade(url))

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
        require_head(url)
        with in_a_thread("server lock", watch):
            yield lock
    finally:
        lock.release()


@contextmanager
def in_a_thread(name: str, watch: Callable[[threading.Event], None]) -> Generator[None]:
    """Run a function in a thread until the block ends; it returns when the event is set."""
    stop = threading.Event()
    watcher = threading.Thread(target=watch, args=(stop,), name=name, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def serve_with_pool(settings: Settings, url: str, folder: Path, listening: socket.socket, number: int) -> None:
    """Run the only server process of this command, and its pool, until a signal ends them."""
    address = address_of(listening)
    names = BuiltinNames() if settings.pool else None
    pool: BuiltinSupervisor | None = None

    def started() -> None:
        nonlocal pool
        announce_address(settings, folder, address)
        if names is not None:
            pool = make_pool(settings, folder, address, names)
            pool.start()

    def stop_pool() -> bool:
        nonlocal pool
        stopping, pool = pool, None
        if stopping is not None:
            stopping.stop()
        return stopping is not None

    def welcome() -> None:
        print_password_file(folder)

    try:
        run_server(settings, url, folder, listening, number, names, welcome, started, stop_pool)
    finally:
        stop_pool()
        remove_server_file(folder)


def run_server(
    settings: Settings,
    url: str,
    folder: Path,
    listening: socket.socket,
    number: int,
    names: BuiltinNames | None,
    welcome: Callable[[], None],
    started: Callable[[], None],
    before_stop: Callable[[], bool] = lambda: False,
) -> None:
    """Serve until a signal. `before_stop` runs in a thread before the server stops; returns whether it did anything."""
    import uvicorn

    from workroom.server.app import create_app

    class Server(uvicorn.Server):
        stops = False

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                started()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """Stop the pool first: its jobs still report to the server. A second signal stops the server at once."""
            if self.stops:
                super().handle_exit(sig, frame)
                return
            self.stops = True

            def stop() -> None:
                before_stop()
                super(Server, self).handle_exit(sig, frame)

            threading.Thread(target=stop, name="stop the server", daemon=True).start()

    _raise_file_limit()
    config = uvicorn.Config(
        create_app(
            settings,
            url,
            folder,
            welcome,
            convert=[sys.executable, "-m", "workroom.atoms.files.export_process", settings.pool_confine],
            builtin_names=names,
            server=number,
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
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, _ignore_signal)
    server.run(sockets=[listening])
    if not server.started:
        raise BadInput("The server did not start; see the log above.")


def make_pool(settings: Settings, folder: Path, address: str, names: BuiltinNames) -> BuiltinSupervisor:
    from workroom.cli.builtin_supervisor import BuiltinSupervisor
    from workroom.server.auth.bootstrap import signing_secret
    from workroom.server.auth.tokens import TokenIssuer

    return BuiltinSupervisor(settings, folder, address, TokenIssuer(signing_secret(settings, folder)), names)


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else shown}:{port}"  # noqa: S104 - compared, not bound


def announce_address(settings: Settings, folder: Path, address: str) -> None:
    """Print the address, and write it to a file so that clients on this machine find it."""
    if settings.port and not address.endswith(f":{settings.port}"):
        _announce(f"Port {settings.port} is in use.")
    temporary = folder / f".{_SERVER_FILE}.{os.getpid()}"
    temporary.write_text(json.dumps({"url": address, "pid": os.getpid()}))
    temporary.replace(folder / _SERVER_FILE)
    _announce(f"Workroom listens at {address}")


def remove_server_file(folder: Path) -> None:
    """Remove the file with the address, unless another server has written it."""
    with suppress(OSError, ValueError, KeyError):
        if json.loads((folder / _SERVER_FILE).read_text())["pid"] == os.getpid():
            (folder / _SERVER_FILE).unlink()


def print_password_file(folder: Path) -> None:
    _announce(f"The first admin is `admin`; the password is in {folder / 'admin-password'}")


def _announce(text: str) -> None:
    """Print a line for people; a log of JSON lines gets it as an event, so that all its lines are JSON."""
    settings = logs.settings()
    if settings is not None and settings[1] == "json":
        get_logger(__name__).info(text)
    else:
        print(text, flush=True)


def _raise_file_limit() -> None:
    """Raise the soft limit of open files, which is often 1,024, towards the hard limit: each socket needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _ignore_signal(number: int, frame: FrameType | None) -> None:
    return None
