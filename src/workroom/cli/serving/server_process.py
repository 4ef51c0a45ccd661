"""A server process: the lock of the database, uvicorn, and the pool that one server process starts."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import platform
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from workroom import logs
from workroom.cli.serving.systemd_notify import SystemdNotifier
from workroom.client.discovery import this_machine
from workroom.domain.errors import BadInput, ServerRunning, WorkroomError
from workroom.logs import get_logger
from workroom.server.builtin_names import BuiltinNames
from workroom.server.listen_sockets import Listening
from workroom.server.sign_in_settings import is_loopback

if TYPE_CHECKING:
    from workroom.cli.serving.builtin_supervisor import BuiltinSupervisor
    from workroom.server.settings import Settings
    from workroom.store.leadership import ServerLock

_MAX_OPEN_FILES = 65_536
_SERVER_FILE = "server.json"


@contextmanager
def hold_server_lock(settings: Settings, url: str, folder: Path, *, serves: bool = True) -> Generator[ServerLock]:
    """Refuse to start beside a server that excludes this one. A lock that is lost with its session is taken again.

    A supervisor of servers does not serve itself. The schema is upgraded when no other server uses it.
    """
    from workroom.server.auth.bootstrap import signing_secret
    from workroom.store.leadership import ServerLock
    from workroom.store.migrate import require_head, upgrade

    digest = hashlib.sha256(b"workroom secret " + signing_secret(settings, folder).encode()).hexdigest()[:8]
    group = None
    if settings.replicas > 1 and settings.redis is None:
        command = f"{this_machine()} {os.getppid() if serves else os.getpid()}"
        group = hashlib.sha256(command.encode()).hexdigest()[:4]
    lock = ServerLock(url, replica=settings.has_replicas, secret_digest=digest, group=group, serves=serves)
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


def serve_with_pool(
    settings: Settings, url: str, folder: Path, listening: Listening, number: int, systemd: SystemdNotifier
) -> None:
    """Run the only server process of this command, and its pool, until a signal ends them."""
    names = BuiltinNames() if settings.has_pool else None
    pool: BuiltinSupervisor | None = None

    def started() -> None:
        nonlocal pool
        announce_address(settings, folder, listening.address, listening.local_address)
        if names is not None:
            pool = make_pool(settings, folder, listening.local_address, names)
            pool.start()
        systemd.ready(f"listens at {listening.address}")
        systemd.start_heartbeat()

    def stop_pool() -> bool:
        nonlocal pool
        stopping, pool = pool, None
        if stopping is not None:
            stopping.stop()
        return stopping is not None

    def before_stop() -> bool:
        systemd.stopping()
        return stop_pool()

    def welcome() -> None:
        print_password_file(folder)

    try:
        run_server(settings, url, folder, listening, number, names, welcome, started, before_stop)
    finally:
        stop_pool()
        remove_server_file(folder)


def run_server(
    settings: Settings,
    url: str,
    folder: Path,
    listening: Listening,
    number: int,
    names: BuiltinNames | None,
    welcome: Callable[[], None],
    started: Callable[[], None],
    before_stop: Callable[[], bool] = lambda: False,
) -> None:
    """Serve until a signal. `before_stop` runs in a thread before the server stops; returns whether it did anything."""
    import uvicorn
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from workroom.server.app import create_app
    from workroom.server.http.peer_before_proxy import PeerAddress
    from workroom.server.http.slow_reader_timeout import http_protocol

    class UvicornServer(uvicorn.Server):
        stops = False

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                if listening.local is not None:
                    await self._serve_without_tls(listening.local)
                started()

        async def _serve_without_tls(self, local: socket.socket) -> None:
            def protocol() -> asyncio.Protocol:
                make: Any = self.config.http_protocol_class
                return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

            loop = asyncio.get_running_loop()
            self.servers.append(await loop.create_server(protocol, sock=local, backlog=self.config.backlog))

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """Stop the pool first: its jobs still report to the server. A second signal stops the server at once."""
            if self.stops:
                super().handle_exit(sig, frame)
                return
            self.stops = True
            get_logger(__name__).info("server stops", signal=signal.Signals(sig).name)

            def stop() -> None:
                before_stop()
                super(UvicornServer, self).handle_exit(sig, frame)

            threading.Thread(target=stop, name="stop the server", daemon=True).start()

    _raise_file_limit()
    app: Any = create_app(
        settings,
        url,
        folder,
        welcome,
        convert=[sys.executable, "-m", "workroom.atoms.files.export_process", settings.pool_confine],
        builtin_names=names,
        server=number,
        name=_name_of(listening.public),
    )
    if settings.proxies:
        app = ProxyHeadersMiddleware(app, settings.proxies)
    if settings.header_user:
        app = PeerAddress(app)
    config = uvicorn.Config(
        app,
        http=http_protocol(settings.unread_seconds),
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=5,
        ws_max_size=2_000_000,
        server_header=False,
        proxy_headers=False,  # uvicorn's own would believe every client on this machine, and hide it from PeerAddress
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
    )
    server = UvicornServer(config)
    # uvicorn handles these signals while it serves, and raises them again when it has stopped. That must not end the
    # process before the database is stopped.
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, _ignore_signal)
    server.run(sockets=[listening.public])
    if not server.started:
        raise BadInput("The server did not start; see the log above.")


def make_pool(settings: Settings, folder: Path, address: str, names: BuiltinNames) -> BuiltinSupervisor:
    from workroom.cli.serving.builtin_supervisor import BuiltinSupervisor
    from workroom.server.auth.bootstrap import signing_secret
    from workroom.server.auth.tokens import TokenIssuer

    return BuiltinSupervisor(settings, folder, address, TokenIssuer(signing_secret(settings, folder)), names)


def _name_of(listening: socket.socket) -> str:
    """The name of this server process in metrics, the same after a restart."""
    replica = os.environ.get("WORKROOM_REPLICA")
    name = f"{platform.node()}:{listening.getsockname()[1]}"
    return name if replica is None else f"{name}/{replica}"


def announce_address(settings: Settings, folder: Path, address: str, local_address: str) -> None:
    """Print the address, and write that of this machine to a file so that clients here find it."""
    if settings.port and not address.endswith(f":{settings.port}"):
        _announce(f"Port {settings.port} is in use.")
    temporary = folder / f".{_SERVER_FILE}.{os.getpid()}"
    temporary.write_text(json.dumps({"url": local_address, "pid": os.getpid(), "machine": this_machine()}))
    temporary.replace(folder / _SERVER_FILE)
    if settings.guests and not is_loopback(settings.host):
        _announce(
            f"warning: the server listens on {settings.host}, and everyone who reaches it may sign in as a guest "
            "without a password. Set WORKROOM_GUESTS=false to allow only accounts."
        )
    _announce(f"Workroom listens at {address}")


def remove_server_file(folder: Path) -> None:
    """Remove the file with the address, unless another server has written it."""
    with suppress(OSError, ValueError, KeyError):
        server = json.loads((folder / _SERVER_FILE).read_text())
        if (server["pid"], server["machine"]) == (os.getpid(), this_machine()):
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
