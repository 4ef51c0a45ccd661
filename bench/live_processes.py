"""Servers and workers to measure, each a process of its own, and a client of their REST interface."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil

from bench.environment import temporary_folder

# The limits against abuse would be measured instead of the speed, and the start of the pool would disturb it.
_UNLIMITED = {
    "WORKROOM_REGISTRATIONS_PER_MINUTE": "1000000",
    "WORKROOM_SUBMISSIONS_PER_MINUTE": "100000000",
    "WORKROOM_LOG_LEVEL": "error",
    "WORKROOM_POOL": "0",
}


@contextmanager
def running(*module: str, ready: str) -> Generator[str]:
    """Run `python -m MODULE …`; the rest of the line in its output that begins with or contains `ready`."""
    process = subprocess.Popen(
        [sys.executable, "-m", *module],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | _UNLIMITED,
    )
    assert process.stdout is not None
    try:
        line = next((line for line in process.stdout if ready in line), None)
        assert line is not None, f"{module[0]} ended before it was ready"
        yield line.partition(ready)[2].strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@contextmanager
def workroom_server(*options: str) -> Generator[tuple[str, Path]]:
    with temporary_folder() as folder:
        arguments = ("workroom.cli", "serve", "--port", "0", "--data", str(folder), *options)
        with running(*arguments, ready="listens at") as url:
            yield url, folder


def processes() -> Iterator[tuple[psutil.Process, list[str]]]:
    """Every process with its command line; one that ends meanwhile has none."""
    for process in psutil.process_iter(["cmdline"]):
        yield process, process.info["cmdline"] or []


def server_process(folder: Path) -> psutil.Process:
    """The server of this folder."""
    return next(process for process, words in processes() if "serve" in words and str(folder) in words)


def server_processes(folder: Path) -> list[psutil.Process]:
    """The server of this folder, or all of them with `--replicas`."""
    server = server_process(folder)
    return [one for one in server.children() if "workroom.cli.serving.replica_process" in one.cmdline()] or [server]


def processor_seconds(of: Sequence[psutil.Process]) -> float:
    """Processor time so far."""
    return sum(times.user + times.system for times in (process.cpu_times() for process in of))


class RestClient:
    """A user who is signed in."""

    def __init__(self, http: httpx2.AsyncClient, token: str) -> None:
        self.http = http
        self.token = token

    @classmethod
    async def sign_in(cls, http: httpx2.AsyncClient, name: str) -> RestClient:
        token = (await http.post("/api/login", json={"user": name})).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        return cls(http, token)

    @classmethod
    async def with_room(cls, http: httpx2.AsyncClient) -> RestClient:
        """A user who has made the room `bench`."""
        client = await cls.sign_in(http, "bench")
        answer = await http.post("/api/rooms", json={"name": "bench"})
        assert answer.status_code == 201, answer.text
        return client

    async def register_worker(self, capacity: int) -> str:
        """Register a worker that offers the extension Noop in the room; its token."""
        schema: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}
        offer = {"name": "Noop", "category": "modifiers", "schema": schema}
        body = {"room": "bench", "extensions": [offer], "capacity": capacity}
        answer = await self.http.post("/api/workers/register", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()["workerToken"]
