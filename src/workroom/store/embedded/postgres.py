"""`EmbeddedPostgres`: starts and stops the embedded server."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from workroom.domain.errors import DatabaseUnreachable, DataFolderUnusable
from workroom.store.embedded.binaries import Binaries, binaries_for
from workroom.store.embedded.cluster import DATABASE, ROLE, configure, is_ready, make_cluster, require_our_version
from workroom.store.embedded.data_dir import cluster_of, make_folder, remove_abandoned_clusters, settle_cluster
from workroom.store.embedded.data_dir_lock import OwnerLock
from workroom.store.embedded.orphaned_server import stop_orphan
from workroom.store.embedded.os_user import Account, account_for
from workroom.store.embedded.socket_dir import make_socket_folder
from workroom.store.embedded.watchdog import Watchdog

POLL_SECONDS = 0.005
START_TIMEOUT = 60.0  # seconds that a starting server may show no progress
LOG_LIMIT = 10_000_000


class EmbeddedPostgres:
    """A PostgreSQL in a data folder that lives as long as this process owns it."""

    def __init__(self, data: Path) -> None:
        self.data = data.expanduser().resolve()
        self._lock: OwnerLock | None = None
        self._watchdog: Watchdog | None = None
        self._cluster: Path | None = None
        self._socket_folder: Path | None = None
        self._log_start = 0  # where the present server's part of the log begins
        self._owner_pid = 0

    @property
    def url(self) -> str:
        if self._socket_folder is None:
            raise DatabaseUnreachable("The embedded PostgreSQL has not been started.")
        return f"postgresql://{ROLE}@/{DATABASE}?host={quote(str(self._socket_folder), safe='/')}"

    @property
    def is_alive(self) -> bool:
        return self._watchdog is not None and self._watchdog.is_alive

    def start(self) -> None:
        """Lock the folder and start the server. A server that has died is started again under the same URL."""
        if self.is_alive:
            return
        if self._watchdog is not None:
            self._watchdog.stop()
        make_folder(self.data)
        self._lock = self._lock or OwnerLock.take(self.data)
        self._owner_pid = os.getpid()
        try:
            self._start_server()
        except PermissionError as trouble:
            self.stop()
            raise DataFolderUnusable(
                f"{trouble.filename} belongs to another user. Choose another data folder with --data."
            ) from trouble
        except BaseException:
            self.stop()
            raise
        self._lock.publish(self.url)

    def stop(self) -> None:
        """Stop the server and release the folder. Does nothing in a fork of the owner, or after the first call."""
        if os.getpid() != self._owner_pid:
            return
        if self._watchdog is not None:
            self._watchdog.stop()
            self._watchdog = None
        if self._cluster is not None:
            stop_orphan(self._cluster)  # in case only the watchdog was killed
            self._cluster = None
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start_server(self) -> None:
        account = account_for(cluster_of(self.data))
        binaries = binaries_for(account)
        self._cluster = cluster = settle_cluster(self.data, account)
        remove_abandoned_clusters()
        stop_orphan(cluster)
        if not cluster.exists():
            make_cluster(cluster, account, binaries)
        require_our_version(cluster)
        self._socket_folder = socket_folder = make_socket_folder(account, self.data)
        configure(cluster, account, binaries, socket_folder=socket_folder)
        self._launch(account, binaries, cluster)
        self._await_ready(cluster)

    def _launch(self, account: Account, binaries: Binaries, cluster: Path) -> None:
        log = self._log
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_suffix(".log.old"))
        with log.open("ab") as output:
            self._log_start = output.tell()
            os.fchmod(output.fileno(), 0o600)
            command = [binaries.program("postgres"), "-D", str(cluster)]
            self._watchdog = Watchdog(account, command, log=output)

    def _await_ready(self, cluster: Path) -> None:
        log_size = self._log.stat().st_size
        deadline = time.monotonic() + START_TIMEOUT
        while not is_ready(cluster):
            if not self.is_alive:
                raise DatabaseUnreachable(f"The embedded PostgreSQL did not start. {self._last_log_lines()}")
            if time.monotonic() > deadline:
                raise DatabaseUnreachable(
                    f"The embedded PostgreSQL is not ready after {START_TIMEOUT:.0f} s. {self._last_log_lines()}"
                )
            if (size := self._log.stat().st_size) != log_size:  # a recovery that reports progress is given its time
                log_size, deadline = size, time.monotonic() + START_TIMEOUT
            time.sleep(POLL_SECONDS)

    @property
    def _log(self) -> Path:
        return self.data / "postgres.log"

    def _last_log_lines(self) -> str:
        lines = self._log.read_bytes()[self._log_start :].decode(errors="replace").splitlines()[-10:]
        return f"Its log, {self._log}, ends with:\n" + "\n".join(lines)
