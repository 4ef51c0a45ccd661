"""A live server in its own process, people who talk plain HTTP to it, and workers with a plain Socket.IO client."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import socketio
from socketio.exceptions import ConnectionError as RefusedByServer
from tests import prepared_cluster
from tests.fork_server import ForkedProgram, ForkServer

from workroom.client.net.guest_key import guest_key

ROOT = Path(__file__).parents[2]
ADMIN_PASSWORD = "correct horse battery staple"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "factor": {"type": "number", "minimum": 0}},
    "additionalProperties": False,
}

# Short clocks, so that losing a worker takes seconds; everything else as it comes.
QUICK = {
    "WORKROOM_HEARTBEAT_SECONDS": "1",
    "WORKROOM_LEASE_SECONDS": "3",
    "WORKROOM_SWEEP_SECONDS": "0.5",
    "WORKROOM_GRACE_SECONDS": "1.5",
    "WORKROOM_CONFIRM_SECONDS": "1.5",
    "WORKROOM_REGISTRATIONS_PER_MINUTE": "100000",
    "WORKROOM_LOGINS_PER_MINUTE": "100000",
    "WORKROOM_ADDRESS_LOGINS_PER_MINUTE": "100000",
    "WORKROOM_GUESTS_PER_MINUTE": "100000",
    "WORKROOM_CHAT_PER_MINUTE": "100000",
    "WORKROOM_METRICS_TOKEN": "metrics-token-of-the-tests",
    "WORKROOM_POOL": "0",  # tests that need the pool say so
}


PROGRAM = ["-m", "workroom.cli"]


@functools.cache
def fork_server() -> ForkServer:
    """One for each process of the tests."""
    return ForkServer()


class LiveServer:
    """`workroom serve` as a process of its own, with throw-away data."""

    def __init__(self, **settings: str) -> None:
        self.data = Path(tempfile.mkdtemp(prefix="workroom-test-"))
        self.data.chmod(0o711)
        self._settings = QUICK | settings
        self.program: list[str] | None = None  # what Python runs; none: a fork that has imported the server
        self.python = sys.executable
        self.log_file: Path | None = None  # in place of one in the data folder
        self._process: subprocess.Popen[str] | ForkedProgram | None = None
        self.url = ""
        self.port = 0
        self.output = ""  # what it printed until it was ready

    @classmethod
    def with_pool(cls, processes: int = 4, **settings: str) -> LiveServer:
        """With a pool that runs the extensions of `built_in`, and things around it that are not for jobs."""
        return cls(
            **{
                "WORKROOM_POOL": str(processes),
                "WORKROOM_POOL_MODULES": "tests.acceptance.built_in",
                "WORKROOM_POOL_MEMORY_MB": "1500",
                "WORKROOM_POOL_JOBS_EACH": "20",
                "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
                "SOMEBODYS_TOKEN": "not for jobs",
            }
            | settings
        )

    def start(self, admin_password: str | None = ADMIN_PASSWORD) -> LiveServer:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("WORKROOM_") or name == "WORKROOM_TRANSPORT"  # the whole suite runs with either
        } | self._settings
        if admin_password is not None:
            environment["WORKROOM_ADMIN_PASSWORD"] = admin_password
        if "WORKROOM_DATABASE" not in self._settings:
            prepared_cluster.copy_cluster(self.data)
        command = ["serve", "--port", str(self.port), "--data", str(self.data)]
        self._log = (self.log_file or self.data / "server.log").open("a")
        if self.program is None:
            self._process = fork_server().start(command, environment, self._log.fileno())
        else:
            self._process = subprocess.Popen(
                [self.python, *self.program, *command],
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
                env=environment,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.output += line
            if found := re.search(r"listens at (https?://\S+:(\d+))", line):
                self.url, self.port = found[1], int(found[2])
                return self
        raise AssertionError(f"the server did not start:\n{self.log()}")

    def change(self, **settings: str) -> None:
        """Other settings for the next start."""
        self._settings |= settings

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def proc(self) -> Path:
        """What the kernel tells of the server's process."""
        return Path(f"/proc/{self.pid}")

    def log(self) -> str:
        return (self.data / "server.log").read_text()

    def kill(self) -> None:
        """kill -9, as the machine's kernel might."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def _end(self) -> int:
        assert self._process is not None and self._process.stdout is not None
        code = self._process.wait(timeout=30)
        self._process.stdout.close()
        self._log.close()
        return code

    def stop(self) -> int:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._end()

    def ended(self) -> int:
        """It was told to stop, and does."""
        return self._end()

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.stop()
        shutil.rmtree(self.data, ignore_errors=True)


class Someone:
    """Somebody who is signed in, and talks plain HTTP."""

    def __init__(self, server: LiveServer, token: str, user: dict[str, Any]) -> None:
        self.server = server
        self.token = token
        self.id: str = user["id"]
        self.name: str = user["name"]
        self.http = httpx2.AsyncClient(
            base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=30, trust_env=False
        )

    @classmethod
    async def signs_in(cls, server: LiveServer, name: str, password: str | None = None) -> Someone:
        # The key of the Python client: a guest is the same one, however the test signs in.
        secret = {"guestKey": guest_key(server.url, name)} if password is None else {"password": password}
        body = {"user": name} | secret
        async with httpx2.AsyncClient(base_url=server.url, timeout=30, trust_env=False) as http:
            answer = await http.post("/api/login", json=body)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        return cls(server, told["token"], told["user"])

    @classmethod
    async def admin(cls, server: LiveServer) -> Someone:
        return await cls.signs_in(server, "admin", ADMIN_PASSWORD)

    async def get(self, path: str, **params: Any) -> Any:
        # httpx2 replaces the query of the path, also with an empty one.
        answer = await self.http.get(path, params=params or None)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def makes_room(self, name: str, visibility: str = "public") -> str:
        answer = await self.http.post("/api/rooms", json={"name": name, "visibility": visibility})
        assert answer.status_code == 201, answer.text
        return name

    async def submits(self, room: str, name: str, data: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        category = more.pop("category", "modifiers")
        body = {"data": data or {}} | more
        answer = await self.http.post(f"/api/rooms/{room}/extensions/{category}/{name}/submit", json=body)
        assert answer.status_code == 202, answer.text
        return answer.json()

    async def job(self, job_id: str) -> dict[str, Any]:
        return await self.get(f"/api/jobs/{job_id}")

    async def sees(self, job_id: str, *states: str, within: float = 10.0) -> dict[str, Any]:
        """The job, once it is in one of these states."""
        return await eventually(lambda: self.job(job_id), lambda job: job["status"] in states, within, str(states))

    async def close(self) -> None:
        await self.http.aclose()


async def eventually(
    look: Callable[[], Any], fits: Callable[[Any], bool], within: float = 10.0, wanted: str = "it"
) -> Any:
    """What is seen once it fits; an AssertionError with the last look when it never does."""
    seen: Any = None
    deadline = asyncio.get_running_loop().time() + within
    while asyncio.get_running_loop().time() < deadline:
        seen = await look()
        if fits(seen):
            return seen
        await asyncio.sleep(0.02)
    raise AssertionError(f"never saw {wanted}; last: {seen}")


def plain_socket() -> Any:
    """A plain Socket.IO client; the library has no types."""
    return socketio.AsyncClient(reconnection=False)


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """End tasks that use sockets. A cancellation may get lost where an answer comes just then, so it is repeated."""
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=0.2)
    await asyncio.gather(*tasks, return_exceptions=True)


class PlainWorker:
    """A worker as anybody could write one: REST to register, a plain Socket.IO client for the rest.

    It sends heartbeats while its socket is connected, unless it is `silent`.
    """

    def __init__(self, owner: Someone, *, silent: bool = False) -> None:
        self.owner = owner
        self.silent = silent
        self.id = ""
        self.token = ""
        self.incarnation = 0
        self.last_beat = time.monotonic()
        self.assigned: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.cancelled: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sio = self._socket()
        self._beating: asyncio.Task[None] | None = None

    def _socket(self) -> Any:
        sio = plain_socket()
        sio.on("job:assigned", self._on_assigned)
        sio.on("job:cancel", self._on_cancel)
        return sio

    async def _on_assigned(self, job: dict[str, Any]) -> dict[str, Any]:
        self.assigned.put_nowait(job)
        return {"ok": True}

    async def _on_cancel(self, job: dict[str, Any]) -> None:
        self.cancelled.put_nowait(job)

    async def registers(self, room: str | None, *names: str, again: bool = False, **more: Any) -> httpx2.Response:
        capacity = more.pop("capacity", 1)
        offers = [
            {"name": name, "category": more.get("category", "modifiers"), "schema": SCHEMA, "public": room is None}
            | {key: value for key, value in more.items() if key != "category"}
            for name in names
        ]
        body: dict[str, Any] = {"room": room, "extensions": offers, "capacity": capacity, "info": {"host": "test"}}
        if again:
            body["workerId"] = self.id
        answer = await self.owner.http.post("/api/workers/register", json=body)
        if answer.status_code == 201:
            told = answer.json()
            self.id, self.token, self.incarnation = told["workerId"], told["workerToken"], told["incarnation"]
        return answer

    async def attaches(self, transport: str = "websocket") -> PlainWorker:
        said: list[Any] = []
        self.sio.on("connect_error", said.append)
        try:
            await self.sio.connect(self.owner.server.url, auth={"token": self.token}, transports=[transport])
        except RefusedByServer as error:
            silent = time.monotonic() - self.last_beat
            raise AssertionError(f"{error}: {said}; the last heartbeat was answered {silent:.1f} s ago") from error
        if not self.silent:
            self._beating = asyncio.create_task(self._beats(self.sio, self.token))
        return self

    async def reconnects(self, token: str) -> None:
        """With a new socket and another token."""
        await self.leaves()
        self.token = token
        self.sio = self._socket()
        await self.attaches()

    @classmethod
    async def online(
        cls, owner: Someone, room: str | None, *names: str, silent: bool = False, **more: Any
    ) -> PlainWorker:
        worker = cls(owner, silent=silent)
        answer = await worker.registers(room, *names, **more)
        assert answer.status_code == 201, answer.text
        return await worker.attaches()

    async def is_seen(self, *states: str) -> None:
        """The server has noticed that this worker came, or went."""

        async def look() -> dict[str, Any]:
            return (await self.owner.http.get(f"/api/workers/{self.id}")).json()

        await eventually(look, lambda worker: worker["state"] in states, wanted=str(states))

    async def gets(self, within: float = 5.0) -> dict[str, Any]:
        async with asyncio.timeout(within):
            return await self.assigned.get()

    async def says(self, job: dict[str, Any], status: str, **more: Any) -> dict[str, Any]:
        """By socket."""
        body = {"jobId": job["jobId"], "attempt": job["attempt"], "status": status} | more
        return await self.sio.call("job:status", body, timeout=10)

    async def puts(self, job: dict[str, Any], status: str, **more: Any) -> httpx2.Response:
        """By REST."""
        body = {"status": status, "workerId": self.id, "attempt": job["attempt"]} | more
        return await self.owner.http.put(
            f"/api/jobs/{job['jobId']}/status", json=body, headers={"Authorization": f"Bearer {self.token}"}
        )

    async def _beats(self, sio: Any, token: str) -> None:
        """Heartbeats; a server that does not answer is no reason to stop."""
        headers = {"Authorization": f"Bearer {token}"}
        while sio.connected and not self.owner.http.is_closed:
            with contextlib.suppress(httpx2.HTTPError):
                await self.owner.http.put(f"/api/workers/{self.id}/heartbeat", headers=headers)
                self.last_beat = time.monotonic()
            await asyncio.sleep(0.5)

    async def runs(self, job: dict[str, Any], result: Any = None) -> None:
        for status, more in (("running", {}), ("completed", {"result": result})):
            answer = await self.says(job, status, **more)
            assert answer["ok"], answer

    async def leaves(self) -> None:
        """Also when the server has disconnected it: the client's HTTP session must be closed before the loop ends."""
        if self._beating is not None:
            await ended(self._beating)
        await self.sio.disconnect()


class Watcher:
    """Somebody's socket in a room, and everything it hears."""

    EVENTS = (
        "job:state_changed",
        "job:progress",
        "job:log",
        "extensions:changed",
        "workers:changed",
        "chat:message",
        "frames:changed",
        "room:changed",
        "settings:changed",
        "presets:changed",
        "change:made",
        "lock:changed",
        "presence:changed",
        "step:changed",
        "camera:moved",
        "camera:followed",
        "selection:changed",
        "frame_selection:changed",
        "bookmarks:changed",
        "geometries:changed",
        "figures:changed",
        "metadata:changed",
        "posting:changed",
        "events:lost",
    )

    def __init__(self) -> None:
        self.heard: list[tuple[str, dict[str, Any]]] = []
        self._news = asyncio.Condition()
        self.sio = plain_socket()
        for name in self.EVENTS:
            self.sio.on(name, self._hearing(name))

    def _hearing(self, name: str) -> Callable[[dict[str, Any]], Any]:
        async def hears(body: dict[str, Any]) -> None:
            async with self._news:
                self.heard.append((name, body))
                self._news.notify_all()

        return hears

    @classmethod
    async def joins(cls, someone: Someone, room: str) -> Watcher:
        watcher = cls()
        await watcher.sio.connect(someone.server.url, auth={"token": someone.token}, transports=["websocket"])
        answer = await watcher.sio.call("room:join", {"room": room})
        assert answer["ok"], answer
        return watcher

    async def until(self, name: str, fits: Callable[[dict[str, Any]], bool], within: float = 5.0) -> dict[str, Any]:
        """The first message of this name that fits, past or to come."""
        async with asyncio.timeout(within), self._news:
            while True:
                for heard, body in self.heard:
                    if heard == name and fits(body):
                        return body
                await self._news.wait()

    async def leaves(self) -> None:
        await self.sio.disconnect()
