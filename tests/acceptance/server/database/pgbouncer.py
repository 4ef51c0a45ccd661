"""A PgBouncer of its own in front of a PostgreSQL, configured as the file in `deploy/` says."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.acceptance.live import ROOT
from tests.acceptance.server.deploy.port import wait_for_port
from tests.store.postgres_server import TcpServer

FILE = ROOT / "deploy" / "pgbouncer" / "pgbouncer.ini"
SESSIONS = 4  # of PostgreSQL, for all clients of a pooler in transaction mode


def _configuration(server: TcpServer, port: int, mode: str) -> str:
    """The file with other addresses, and two more databases: one without the settings, and a wrong one."""
    login = f"host=127.0.0.1 port={server.port} user=guest password='let me in'"
    text = FILE.read_text().replace("host=db.example.org port=5432", f"dbname=workroom {login}")
    text = text.replace(
        "[pgbouncer]", f"bare = dbname=workroom pool_size=1 {login}\nelsewhere = dbname=postgres {login}\n[pgbouncer]"
    )
    for name, value in {
        "listen_port": port,
        "auth_type": "any",
        "auth_file": "",
        "pool_mode": mode,
        "default_pool_size": SESSIONS if mode == "transaction" else 60,
    }.items():
        text, found = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert found == 1, name
    return text + "unix_socket_dir =\n"


@contextmanager
def pgbouncer(server: TcpServer, mode: str) -> Generator[str]:
    """The address of the pooler, without the name of a database."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("pgbouncer is not installed")
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    folder.chmod(0o711)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    file = folder / "pgbouncer.ini"
    file.write_text(_configuration(server, port, mode))
    file.chmod(0o644)
    # PgBouncer refuses to run as root.
    become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([*become, program, str(file)], stdout=log, stderr=log)
    try:
        wait_for_port(process, port, folder / "log")
        yield f"postgresql://guest@127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)
