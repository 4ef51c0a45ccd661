"""Throw-away folders, and a PostgreSQL on TCP that asks for passwords."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from workroom.store.embedded import EmbeddedPostgres


@contextmanager
def throw_away_folder(mode: int = 0o711) -> Generator[Path]:
    """A folder that is gone afterwards, with the cluster that may be kept for it elsewhere."""
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    folder.chmod(mode)
    try:
        yield folder
    finally:
        elsewhere = [link.readlink().parent for link in folder.glob("*/postgres") if link.is_symlink()]
        for place in (folder, *elsewhere):
            shutil.rmtree(place, ignore_errors=place is not folder)


@dataclass(frozen=True)
class TcpServer:
    """A server with the user `guest`, who may enter with the password alone."""

    port: int
    password: str

    def url(self, *, user: str = "guest", password: str | None = None, database: str = "workroom") -> str:
        return f"postgresql://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"


@contextmanager
def tcp_server(port: int | None = None) -> Generator[TcpServer]:
    with throw_away_folder() as folder:
        postgres = EmbeddedPostgres(folder / "data")
        server = TcpServer(port or _free_port(), "let%20me%20in")
        with postgres, psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute("create role guest login superuser password 'let me in'")
            connection.execute("alter system set listen_addresses = '127.0.0.1'")
            connection.execute(f"alter system set port = {server.port}".encode())
        rules = folder / "data" / "postgres" / "pg_hba.conf"
        rules.write_text("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
        with postgres:
            yield server


def parent_of(pid: int) -> int:
    """Of the postmaster it is the guard."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
