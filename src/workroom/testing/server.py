"""A real server for tests: a process with an embedded PostgreSQL, whose data is deleted at its end."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workroom.domain.errors import Unavailable
from workroom.extras import naming_extras

_STOP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ThrowAwayServer:
    """A running server."""

    url: str
    admin_password: str
    data: Path

    def room(self, name: str | None = None, user: str = "tester", **options: Any) -> Any:
        """A `Room` of this server; without a name a new one."""
        from workroom import Room

        return Room(name or f"test-{secrets.token_hex(6)}", self.url, user, **options)


@contextmanager
def throw_away_server(*, pool: int = 0, **settings: object) -> Generator[ThrowAwayServer]:
    """Start a server with these settings, e.g. `keep_days=1`; with `pool` processes it runs the built-in extensions.

    The database of the first one is made, which takes seconds; that of each further one of this process is copied.
    """
    with naming_extras():
        from workroom.testing.prepared_cluster import cluster_of_this_process

    data = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    data.chmod(0o711)  # PostgreSQL of a server that root starts runs as another user
    password = secrets.token_urlsafe(12)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    environment |= {"WORKROOM_ADMIN_PASSWORD": password, "WORKROOM_POOL": str(pool)}
    environment |= {f"WORKROOM_{name.upper()}": str(value) for name, value in settings.items()}
    if "database" not in settings:
        cluster_of_this_process().copy_to(data)
    log = data / "server.log"
    with log.open("w") as errors:
        process = subprocess.Popen(  # noqa: S603 - this program
            [sys.executable, "-m", "workroom.cli", "serve", "--port", "0", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        )
    try:
        yield ThrowAwayServer(_url_printed_by(process, log), password, data)
    finally:
        _stop(process)
        shutil.rmtree(data, ignore_errors=True)


def _url_printed_by(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"listens at (http://\S+)", line):
            return found[1]
    raise Unavailable(f"The server did not start. Its log says:\n{log.read_text()[-4_000:]}")


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
