"""Live servers and workers to measure, each a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from bench.place import throw_away_folder

# Limits against abuse would be what is measured; the pool, which warms up meanwhile, would be in the way.
_UNLIMITED = {
    "WORKROOM_REGISTRATIONS_PER_MINUTE": "1000000",
    "WORKROOM_SUBMISSIONS_PER_MINUTE": "100000000",
    "WORKROOM_LOG_LEVEL": "error",
    "WORKROOM_POOL": "0",
}


@contextmanager
def process(*module: str, says: str) -> Generator[str]:
    """A module of ours as a process; what follows `says` on the line that tells it is ready."""
    running = subprocess.Popen(
        [sys.executable, "-m", *module],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | _UNLIMITED,
    )
    assert running.stdout is not None
    try:
        line = next((line for line in running.stdout if says in line), None)
        assert line is not None, f"{module[0]} ended before it was ready"
        yield line.partition(says)[2].strip()
    finally:
        running.terminate()
        running.wait()
        running.stdout.close()


@contextmanager
def workroom_server() -> Generator[tuple[str, Path]]:
    with throw_away_folder() as folder:
        arguments = ("workroom.cli", "serve", "--port", "0", "--data", str(folder))
        with process(*arguments, says="listens at") as url:
            yield url, folder


class Visitor:
    """Somebody with a room of their own."""

    def __init__(self, http: httpx2.AsyncClient, token: str) -> None:
        self.http = http
        self.token = token

    @classmethod
    async def signs_in(cls, http: httpx2.AsyncClient, name: str) -> Visitor:
        token = (await http.post("/api/login", json={"user": name})).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        return cls(http, token)

    @classmethod
    async def enters(cls, http: httpx2.AsyncClient) -> Visitor:
        visitor = await cls.signs_in(http, "bench")
        answer = await http.post("/api/rooms", json={"name": "bench"})
        assert answer.status_code == 201, answer.text
        return visitor

    async def registers(self, capacity: int) -> str:
        """A worker's token."""
        schema: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}
        offer = {"name": "Noop", "category": "modifiers", "schema": schema}
        body = {"room": "bench", "extensions": [offer], "capacity": capacity}
        answer = await self.http.post("/api/workers/register", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()["workerToken"]
