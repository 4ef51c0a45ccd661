"""PEERS: the same no-op tasks through other queues, each in an environment of its own; only on request."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.environment import Environment
from bench.row import Group, Row, failed, printed, skipped
from bench.rows.pool_throughput import PROCESSES, rate_of_pool

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "bench/peers"
TASKS = 5_000
ROUNDS = 3


class Peer(NamedTuple):
    packages: tuple[str, ...]
    server: str  # redis, postgresql or none
    durability: str  # after a kill -9 of what holds the tasks


PEERS = {
    "celery": Peer(("celery[redis]>=5.5",), "redis", "loses up to a second"),
    "dramatiq": Peer(("dramatiq[redis]>=2",), "redis", "loses up to a second"),
    "rq": Peer(("rq>=2.6",), "redis", "loses up to a second"),
    "huey": Peer(("huey>=2.5", "redis>=7"), "redis", "loses up to a second"),
    "procrastinate": Peer(("procrastinate>=3.5",), "postgresql", "loses nothing"),
    "dask": Peer(("distributed>=2025.1",), "none", "loses everything"),
}


def measure(environment: Environment) -> Iterator[Row]:
    """5,000 no-op calls through a pool of Workroom; the floor is the same through a peer (`bench/peers`), in turn.

    3 rounds each, the medians count. Redis writes its log every second (`appendfsync everysec`); PostgreSQL is durable.
    """
    tasks = environment.size(TASKS)
    for name, peer in PEERS.items():
        row = f"PEERS-{name}"
        if peer.server == "redis" and shutil.which("redis-server") is None:
            yield skipped(row, "there is no redis-server: install the package redis-server")
            continue
        try:
            python = _environment(name, peer)
        except subprocess.CalledProcessError as error:
            yield skipped(row, f"{', '.join(peer.packages)} cannot be installed: {error.stderr.strip()[-200:]}")
            continue
        ours, theirs = list[float](), list[float]()
        try:
            for _ in range(environment.rounds(ROUNDS)):
                ours.append(rate_of_pool(environment, tasks))
                theirs.append(_rate(environment, python, name, peer, tasks))
        except (subprocess.SubprocessError, ValueError, IndexError) as error:
            yield failed(row, f"{name} failed: {error}")
            continue
        what = f"{tasks:,} no-op calls by {PROCESSES} processes; floor: {name}, which {peer.durability} at a kill -9"
        yield printed(row, what, median(ours), "jobs/s", median(theirs))


def _environment(name: str, peer: Peer) -> Path:
    """The Python of an environment with the peer; made at the first use."""
    folder = ROOT / ".bench-peers" / name
    python = folder / "bin/python"
    uv = Path(sys.executable).parent / "uv"
    if not (folder / "installed").exists():
        _run(uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder)
        _run(uv, "pip", "install", "--quiet", "--python", python, *peer.packages)
        (folder / "installed").touch()
    return python


def _run(*words: str | Path) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True)


def _rate(environment: Environment, python: Path, name: str, peer: Peer, tasks: int) -> float:
    with _server(environment, peer.server) as url:
        done = subprocess.run(
            [python, PROGRAMS / f"{name}_peer.py", url, str(tasks)],
            cwd=PROGRAMS,
            env=os.environ | {"PEER_URL": url, "PYTHONPATH": str(PROGRAMS)},
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
    if done.returncode != 0:
        raise ValueError(f"it ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return float(done.stdout.split()[-1])


@contextmanager
def _server(environment: Environment, kind: str) -> Generator[str]:
    if kind == "postgresql":
        with environment.database() as url:
            yield url
    elif kind == "redis":
        with _redis() as url:
            yield url
    else:
        yield "none"


@contextmanager
def _redis() -> Generator[str]:
    """A Redis with throw-away data that logs every write, flushed each second."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="workroom-peers-") as folder:
        flags = ["--port", str(port), "--dir", folder, "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""]
        process = subprocess.Popen(["redis-server", *flags], stdout=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 10
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert time.monotonic() < until, "Redis did not start"
                    time.sleep(0.02)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
            process.wait()


GROUP = Group(tuple(f"PEERS-{name}" for name in PEERS), measure)
