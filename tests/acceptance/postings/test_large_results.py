"""Two thousand results of a megabyte: pool, server and client each hold a few of them at a time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

CALLS = 2_000
MEGABYTE = 999_992  # with its quotes just below the limit of a result
GROWTH_MB = 100.0

TASKS = f"""
from workroom import job

@job(name="megabyte", profile=0)
def megabyte(n):
    return f"{{n:08d}}" * ({MEGABYTE} // 8)
"""

CLIENT = f"""
import resource, sys
from megabyte_tasks import megabyte

posting = megabyte.post_work([(n,) for n in range({CALLS})])
print("posted", flush=True)
posting.wait()
results = posting.results()
for n in range(50):  # pages are as large as they get
    next(results)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for n, result in enumerate(results, 50):
    assert len(result) == {MEGABYTE} and result.startswith(f"{{n:08d}}"), n
assert n == {CALLS} - 1
print("grown", (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, flush=True)
"""


class MemoryWatch(threading.Thread):
    """The largest memory of a process, and of those that it started, each beside its first value after a warm-up."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._first: dict[int, float] = {}
        self.growth = 0.0
        self.stops = threading.Event()

    def run(self) -> None:
        while not self.stops.wait(0.2):
            for pid in [self._pid, *_children(self._pid)]:
                if (size := _resident_mb(pid)) is not None:
                    self.growth = max(self.growth, size - self._first.setdefault(pid, size))

    def begin(self) -> None:
        self._first.clear()
        self.growth = 0.0


def _children(pid: int) -> list[int]:
    try:
        own = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return own + [deeper for one in own for deeper in _children(one)]


def _resident_mb(pid: int) -> float | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    if "postgres" in status.splitlines()[0]:
        return None  # its memory is shared buffers
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else None


@pytest.mark.full
@pytest.mark.timeout(1_500)
def test_large_results_pass_through_pool_server_and_client(tmp_path: Path) -> None:
    (tmp_path / "megabyte_tasks.py").write_text(TASKS)
    server = LiveServer().start()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")} | {
        "WORKROOM_URL": server.url,
        "WORKROOM_USER": "admin",
        "WORKROOM_PASSWORD": ADMIN_PASSWORD,
    }
    run = [sys.executable, "-m", "workroom.cli", "pool", "--workers", "1", "--data", str(server.data)]
    pool = subprocess.Popen([*run, "--import", "megabyte_tasks.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    watches: list[MemoryWatch] = []
    client: subprocess.Popen[str] | None = None
    try:
        assert pool.stdout is not None and "megabyte" in pool.stdout.readline()
        watches = [MemoryWatch(server.pid), MemoryWatch(pool.pid)]
        for watch in watches:
            watch.start()
        client = subprocess.Popen(
            [sys.executable, "-c", CLIENT], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert client.stdout is not None and client.stdout.readline() == "posted\n"
        time.sleep(3.0)  # the first batches, and with them what is loaded on demand
        for watch in watches:
            watch.begin()
        said, _ = client.communicate(timeout=1_200)
        assert client.returncode == 0
        found = re.search(r"grown ([\d.]+)", said)
        assert found is not None
        grown = {"client": float(found[1]), "server": watches[0].growth, "pool": watches[1].growth}
        print("MB more:", grown)
        assert {name: size for name, size in grown.items() if size > GROWTH_MB} == {}
    finally:
        for watch in watches:
            watch.stops.set()
        if client is not None and client.poll() is None:
            client.kill()
            client.communicate()
        pool.terminate()
        pool.wait(30)
        pool.stdout.close() if pool.stdout else None
        server.remove()
