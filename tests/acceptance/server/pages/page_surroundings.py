"""What stands around the shell blocks of a page: its server, programs beside it, and what a reader has made before."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from pathlib import Path
from typing import NamedTuple

import httpx2
from tests.acceptance.jobs.celery.celery_fleet import celery_server
from tests.acceptance.live import ROOT, LiveServer
from tests.acceptance.replicas.servers import Redis
from tests.acceptance.server.database.pgbouncer import pgbouncer
from tests.acceptance.server.deploy.certificates import make_certificates
from tests.acceptance.server.deploy.port import free_port
from tests.store.postgres_server import tcp_server

from workroom.store.embedded import running_url

_PROFILED = """
from workroom import ClusterPool, Registry, job

def decode(path):
    return sum(ord(letter) for letter in path)

@job(name="resize", profile=1.0)
def resize(path):
    return decode(path)

if __name__ == "__main__":
    with ClusterPool(max_workers=1):
        Registry["resize"].post_work([("a.png",)] * 20).wait(60)
"""


# The server of these pages has made the admin's password, and the reader has nothing but what the page says.
_EXPORT = re.compile(r"^export (WORKROOM_\w+)=(\S+)$", re.MULTILINE)
_HOST = re.compile(r"https?://([a-z.-]+):8686")
AS_STARTED = frozenset({"docs/tutorial/first_cluster.md"})


class Surroundings(NamedTuple):
    server: LiveServer
    url: str
    replaced: tuple[tuple[str, str], ...] = ()  # words of the page, and what stands for them


@contextmanager
def _server(**settings: str) -> Generator[LiveServer]:
    live = LiveServer(**{"WORKROOM_POOL": "1", "WORKROOM_LEASE_SECONDS": "60"} | settings).start()
    try:
        yield live
    finally:
        live.remove()


@contextmanager
def _redis() -> Generator[Redis]:
    redis = Redis().start()
    try:
        yield redis
    finally:
        redis.remove()


@contextmanager
def _plain(folder: Path) -> Generator[Surroundings]:
    with _server() as live:
        yield Surroundings(live, live.url)


@contextmanager
def _as_started(page: str) -> Generator[Surroundings]:
    """A server with the variables that the page exports before it starts one, known by the names that the page uses."""
    text = (ROOT / page).read_text()
    before, _, _ = text.partition("\nworkroom serve")
    live = LiveServer(**{"WORKROOM_LEASE_SECONDS": "60"} | dict(_EXPORT.findall(before))).start(admin_password=None)
    try:
        for host in set(_HOST.findall(text)):
            answer = httpx2.get(f"{live.url}/healthz", headers={"Host": host}, trust_env=False)
            assert answer.status_code == 200, f"the server is not reached as {host}: {answer.text}"
        yield Surroundings(live, live.url)
    finally:
        live.remove()


@contextmanager
def _backup(folder: Path) -> Generator[Surroundings]:
    """The dump that is restored is that of today, and the key was copied beside it."""
    with _server() as live:
        shutil.copy(live.data / "secret-key", folder)
        yield Surroundings(live, live.url, (("2026-11-16", date.today().isoformat()),))


@contextmanager
def _caddy(folder: Path) -> Generator[Surroundings]:
    """Without a certificate for a public name, and on a port that needs no rights."""
    file = folder / "deploy" / "Caddyfile"
    with _server() as live:
        file.write_text("{\n\tadmin off\n\tauto_https off\n}\n" + file.read_text())
        replaced = (
            ("WORKROOM_NAME=workroom.example.org", f"WORKROOM_NAME=http://127.0.0.1:{free_port()}"),
            ("127.0.0.1:8686", live.url.removeprefix("http://")),
        )
        yield Surroundings(live, live.url, replaced)


@contextmanager
def _celery(folder: Path) -> Generator[Surroundings]:
    with _redis() as redis:
        live = celery_server(redis.url).start()
        try:
            database = running_url(live.data)
            assert database is not None
            replaced = (
                ("redis://redis.example.org:6379", redis.url),
                ("postgresql://workroom:…@db.example.org/workroom", f"'{database}'"),
            )
            yield Surroundings(live, live.url, replaced)
        finally:
            live.remove()


@contextmanager
def _moved(folder: Path) -> Generator[Surroundings]:
    """An empty database of another PostgreSQL, to which the data is moved."""
    with _server() as live, tcp_server() as postgres:
        replaced = (("postgresql://workroom@db.example.org/workroom", f"'{postgres.url()}'"),)
        yield Surroundings(live, live.url, replaced)


@contextmanager
def _pooler(folder: Path) -> Generator[Surroundings]:
    with _server() as live, tcp_server() as postgres, pgbouncer(postgres, "transaction") as address:
        replaced = (
            ("postgresql://workroom:…@db.example.org:5432/workroom", f"'{postgres.url()}'"),
            ("postgresql://workroom:…@127.0.0.1:6432/workroom", f"'{address}/workroom'"),
        )
        yield Surroundings(live, live.url, replaced)


@contextmanager
def _profiles(folder: Path) -> Generator[Surroundings]:
    """Two versions of a function have run."""
    (folder / "images.py").write_text(_PROFILED)
    with _server() as live:
        for version in ("1.4", "1.5"):
            variables = {"WORKROOM_DATA": str(live.data), "WORKROOM_CODE_VERSION": version, "HOME": str(folder)}
            subprocess.run([sys.executable, "images.py"], cwd=folder, env=variables, check=True, timeout=120)
        yield Surroundings(live, live.url)


@contextmanager
def _several(folder: Path) -> Generator[Surroundings]:
    with _server() as live, _redis() as redis:
        yield Surroundings(live, live.url, (("redis://redis.example.org:6379", redis.url),))


@contextmanager
def _tls(folder: Path) -> Generator[Surroundings]:
    files = make_certificates(folder)
    with _server(WORKROOM_TLS_CERTIFICATE=str(files.certificate), WORKROOM_TLS_KEY=str(files.key)) as live:
        local = json.loads((live.data / "server.json").read_text())["url"]
        replaced = (
            ("https://workroom.example.org:8686", f"https://localhost:{live.port}"),
            ("/etc/ssl/lab-ca.pem", str(files.authority)),
        )
        yield Surroundings(live, local, replaced)


@contextmanager
def _upgrade(folder: Path) -> Generator[Surroundings]:
    """A dump was written, and the server has stopped."""
    with _server() as live:
        command = ["db", "dump", str(folder / "before-upgrade.sql.gz"), "--data", str(live.data)]
        subprocess.run([sys.executable, "-m", "workroom.cli", *command], check=True, timeout=120)
        live.stop()
        yield Surroundings(live, live.url)


_SURROUNDINGS: Mapping[str, Callable[[Path], AbstractContextManager[Surroundings]]] = {
    "docs/howto/backup.md": _backup,
    "docs/howto/celery.md": _celery,
    "docs/howto/external_postgresql.md": _pooler,
    "docs/howto/profiles.md": _profiles,
    "docs/howto/reverse_proxy.md": _caddy,
    "docs/howto/run_a_server.md": _moved,
    "docs/howto/several_servers.md": _several,
    "docs/howto/sign_in.md": _tls,
    "docs/howto/upgrade.md": _upgrade,
}


def surroundings(page: str, folder: Path) -> AbstractContextManager[Surroundings]:
    """For the blocks of a page, which run in `folder`."""
    shutil.copytree(ROOT / "deploy", folder / "deploy")
    return _as_started(page) if page in AS_STARTED else _SURROUNDINGS.get(page, _plain)(folder)
