"""POOLER: postings whose statements go through a PgBouncer in transaction mode."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import parse_qs, urlsplit

from bench.environment import Environment, temporary_folder
from bench.redis_server import free_port, wait_for_port
from bench.row import Group, Row, RowSkipped, printed
from bench.rows.pool_roundtrip import roundtrip
from bench.rows.pool_throughput import PROCESSES, check_results, idle_pool, timed_posting

JOBS, ROUNDTRIPS = 50_000, 200
_FILE = Path(__file__).parents[2] / "deploy" / "pgbouncer" / "pgbouncer.ini"


def measure(environment: Environment) -> Iterator[Row]:
    """`post_work` to a pool of 2 processes, and one call at a time, with WORKROOM_POOLER; the floor is without it.

    PgBouncer runs with the file of `deploy/`. Through it statements are not prepared: PostgreSQL parses and plans each
    again, which costs single calls more than batches.
    """
    jobs, calls = environment.size(JOBS), max(20, environment.size(ROUNDTRIPS))
    direct, direct_times = _measured(environment, jobs, calls, through_pooler=False)
    pooled, pooled_times = _measured(environment, jobs, calls, through_pooler=True)
    what = f"post and run {jobs:,} calls through PgBouncer in transaction mode; floor: without it"
    yield printed("POOLER", what, pooled, "jobs/s", direct)
    what = "one call on an idle pool, p50; floor: without it"
    yield printed("POOLER-roundtrip", what, median(pooled_times), "ms", median(direct_times))


def _measured(environment: Environment, jobs: int, calls: int, *, through_pooler: bool) -> tuple[float, list[float]]:
    with environment.database() as url, _pooler(url, through_pooler), idle_pool(url, PROCESSES):
        rate, posting = timed_posting(url, jobs)
        check_results(posting, jobs)
        return rate, [roundtrip(url, number) for number in range(calls)]


@contextmanager
def _pooler(url: str, wanted: bool) -> Generator[None]:
    """Set WORKROOM_POOLER to a PgBouncer in front of the database, if wanted."""
    if not wanted:
        yield
        return
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise RowSkipped("pgbouncer is not installed")
    port, parts = free_port(), urlsplit(url)
    name, sockets = parts.path.lstrip("/"), Path(parse_qs(parts.query)["host"][0])
    text = _FILE.read_text().replace("host=db.example.org port=5432", f"host={sockets} user={parts.username}")
    for setting, value in {"listen_port": str(port), "auth_type": "any", "auth_file": ""}.items():
        text = re.sub(rf"^{setting} = .*$", f"{setting} = {value}", text, flags=re.MULTILINE)
    owner = sockets.stat()
    # PgBouncer refuses to run as root, and only one account may enter the folder of the socket.
    become = [f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"]
    with temporary_folder() as folder:
        file = folder / "pgbouncer.ini"
        file.write_text(f"{text}unix_socket_dir =\n".replace("\nworkroom = ", f"\n{name} = "))
        file.chmod(0o644)
        command = [*(["setpriv", *become] if os.geteuid() == 0 else []), program, "--quiet", str(file)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.environ |= {"WORKROOM_DATABASE": url, "WORKROOM_POOLER": f"postgresql://bench@127.0.0.1:{port}/{name}"}
        try:
            wait_for_port(port, process)
            yield
        finally:
            del os.environ["WORKROOM_DATABASE"], os.environ["WORKROOM_POOLER"]
            process.terminate()
            process.wait()


GROUP = Group(("POOLER", "POOLER-roundtrip"), measure)
