"""Which servers start beside each other, and several processes on one port."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from tests.acceptance.live import PROGRAM, LiveServer, PlainWorker, Someone, Watcher, eventually
from tests.acceptance.replicas.conftest import Replicas
from tests.acceptance.replicas.servers import replica


def _refused(server: LiveServer) -> str:
    with pytest.raises(AssertionError, match="did not start"):
        server.start()
    assert server.ended() == 1
    said = server.log()
    server.remove()
    assert "Traceback" not in said
    return said


def test_beside_replicas_a_server_without_redis_is_refused(replicas: Replicas) -> None:
    said = _refused(LiveServer(WORKROOM_DATABASE=replicas.database))
    assert f"process {replicas.first.pid} on" in said and "--redis" in said


def test_a_replica_with_another_secret_is_refused(replicas: Replicas) -> None:
    said = _refused(replica(replicas.database, replicas.redis.url, WORKROOM_SECRET="another one" * 4))
    assert "signs its tokens with another secret" in said and "same data folder" in said


def test_beside_an_only_server_a_replica_is_refused(own_database_url: str) -> None:
    only = LiveServer(WORKROOM_DATABASE=own_database_url).start()
    said = _refused(replica(own_database_url, "redis://127.0.0.1:1"))
    assert f"process {only.pid} on" in said
    only.remove()


@pytest.fixture
def shared_port() -> Generator[LiveServer]:
    server = LiveServer(WORKROOM_REPLICAS="2", WORKROOM_LEASE_SECONDS="60")
    server.program = PROGRAM  # a real process: it starts others
    server.start()
    yield server
    server.remove()


async def test_beside_replicas_without_redis_no_other_ones_start(own_database_url: str) -> None:
    """Neither with Redis nor without it."""
    settings = {"WORKROOM_DATABASE": own_database_url, "WORKROOM_REPLICAS": "2", "WORKROOM_SECRET": "the same" * 8}
    first = LiveServer(**settings)
    first.program = PROGRAM
    first.start()
    second = LiveServer(**settings)
    second.program = PROGRAM
    said = _refused(second)
    assert "A server already runs" in said and "--redis" in said
    assert "A server already runs" in _refused(replica(own_database_url, "redis://127.0.0.1:1", **settings))
    first.remove()


def _children(pid: int) -> dict[int, str]:
    children: dict[int, str] = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            children[int(child)] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
    return {child: command for child, command in children.items() if "replica_process" in command}


def _running(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


async def test_two_processes_share_a_port(shared_port: LiveServer) -> None:
    """Without Redis: PostgreSQL carries the messages. A killed process is replaced, and nothing is left behind."""
    servers = _children(shared_port.pid)
    assert len(servers) == 2
    ada = await Someone.signs_in(shared_port, "ada")
    room = await ada.makes_room("shared")
    worker = await PlainWorker.online(ada, room, "Relax")
    watchers = [await Watcher.joins(ada, room) for _ in range(8)]
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    await worker.runs(await worker.gets(within=10))
    for watcher in watchers:  # at both processes: the kernel distributes connections by their port
        await watcher.until(
            "job:state_changed", lambda body: (body["jobId"], body["status"]) == (job_id, "completed"), within=10
        )
    polling = await ada.http.get("/socket.io/", params={"EIO": "4", "transport": "polling"})
    assert polling.status_code == 400, "its requests would reach any of the processes"

    killed = min(servers)
    os.kill(killed, signal.SIGKILL)

    async def running() -> dict[int, str]:
        return _children(shared_port.pid)

    await eventually(running, lambda now: len(now) == 2 and killed not in now, within=30)
    async with httpx2.AsyncClient(base_url=shared_port.url, trust_env=False, timeout=30) as http:
        for _ in range(10):
            assert (await http.get("/readyz", headers={"Connection": "close"})).status_code == 200
    await asyncio.gather(*(watcher.leaves() for watcher in watchers), worker.leaves())
    await ada.close()
    last = list(_children(shared_port.pid))
    assert shared_port.stop() == 0
    assert not _running(last)
