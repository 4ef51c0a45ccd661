"""A remote worker through everything that happens to workers: killed, put to sleep, cut off, restarted under, expired.

Each story is one row of a table, printed at the end: what was done, how the job ended, how often it ran, and whether
the worker was there afterwards.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, Someone, eventually
from tests.faults.fault_table import FaultRecorder

SCRIPT = """
import os, sys, time
from pathlib import Path
from workroom import Category, Extension, Room

notes = Path(sys.argv[2])

class Steps(Extension):
    category = Category.MODIFIER
    seconds: float = 0.0

    def run(self, vis, **kwargs):
        with notes.open("a") as file:
            file.write(f"ran {vis.job_id}\\n")
        (notes.parent / "reached").touch()
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            time.sleep(0.01)
        return "done"

room = Room("lab", sys.argv[1], "worker")
room.register_extension(Steps, on_worker_lost=sys.argv[3])
print(room.workers[0].id, flush=True)
room.wait()
"""

ROWS: list[tuple[str, str, int, str]] = []


@pytest.fixture(scope="module", autouse=True)
def table() -> Generator[None]:
    yield
    print(f"\n{'what happened':<58} {'the job':<22} {'ran':>3}  the worker afterwards")
    for what, ended, ran, after in ROWS:
        print(f"{what:<58} {ended:<22} {ran:>3}  {after}")


class Cable:
    """A TCP proxy between a worker and its server: it can be cut, silently, and mended."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._whole = asyncio.Event()
        self._whole.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Server | None = None
        self.url = ""

    @classmethod
    @asynccontextmanager
    async def to(cls, server: LiveServer) -> AsyncGenerator[Cable]:
        cable = cls(server.port)
        cable._listening = await asyncio.start_server(cable._carry, "127.0.0.1", 0)
        cable.url = f"http://127.0.0.1:{cable._listening.sockets[0].getsockname()[1]}"
        try:
            yield cable
        finally:
            cable._listening.close()
            await cable._drop()

    def cut(self) -> None:
        """Nothing passes any more, and nobody is told."""
        self._whole.clear()

    async def mend(self) -> None:
        """New connections pass; those of before are gone, as after a laptop's sleep."""
        await self._drop()
        self._whole.set()

    async def _drop(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._writers.clear()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            await self._whole.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
            self._writers.add(far_writer)
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        self._tasks.discard(task)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            await self._whole.wait()
            writer.write(data)
            await writer.drain()
        writer.close()


class WorkerProcess:
    """A worker in a process of its own."""

    def __init__(self, folder: Path, url: str, policy: str = "fail") -> None:
        folder.mkdir(exist_ok=True)
        self._notes = folder / "notes"
        self._notes.touch()
        self._reached = folder / "reached"
        (folder / "worker.py").write_text(SCRIPT)
        self._words = folder / "log"
        self._log = self._words.open("w")
        self.process = subprocess.Popen(
            [sys.executable, folder / "worker.py", url, self._notes, policy],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout is not None
        self.id = self.process.stdout.readline().strip()
        assert self.id, self._words.read_text()

    def signal(self, number: int) -> None:
        os.kill(self.process.pid, number)

    async def reached(self) -> None:
        """The job's code runs."""
        await eventually(_async(self._reached.exists), bool)
        self._reached.unlink()

    def ran(self, job_id: str) -> int:
        return self._notes.read_text().count(job_id)

    async def dropped_the_result(self) -> None:
        await eventually(_async(self._words.read_text), lambda log: "is dropped" in log)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()


Start = Callable[..., WorkerProcess]


@pytest.fixture
def start(tmp_path: Path) -> Generator[Start]:
    started: list[WorkerProcess] = []

    def starts(url: str, policy: str = "fail") -> WorkerProcess:
        started.append(WorkerProcess(tmp_path / f"worker{len(started)}", url, policy))
        return started[-1]

    yield starts
    for worker in started:
        worker.end()


@pytest.fixture
def server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.fixture
async def ada(server: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, "ada")
    yield someone
    await someone.close()


async def running_job(ada: Someone, worker: WorkerProcess, seconds: float) -> str:
    job_id = (await ada.submits("lab", "Steps", {"seconds": seconds}))["jobId"]
    await worker.reached()
    return job_id


async def serves_again(ada: Someone, worker: WorkerProcess) -> str:
    """Whether the worker runs a further job, and as which incarnation."""
    await eventually(lambda: _state(ada, worker), lambda state: state in ("idle", "busy"), within=15)
    job_id = (await ada.submits("lab", "Steps"))["jobId"]
    done = await ada.sees(job_id, "completed", within=20)
    assert done["workerId"] == worker.id
    workers = (await ada.get("/api/rooms/lab/workers"))["items"]
    (incarnation,) = (one["incarnation"] for one in workers if one["id"] == worker.id)
    return f"serves, incarnation {incarnation}"


def _async(look: Callable[[], Any]) -> Callable[[], Any]:
    async def looks() -> Any:
        return look()

    return looks


async def _state(ada: Someone, worker: WorkerProcess) -> str:
    workers = (await ada.get("/api/rooms/lab/workers"))["items"]
    return next((one["state"] for one in workers if one["id"] == worker.id), "gone")


@pytest.mark.fault("F2")
@pytest.mark.parametrize(("policy", "ended"), [("fail", "failed"), ("requeue", "completed")])
async def test_a_killed_workers_job_goes_as_its_policy_says(
    server: LiveServer, ada: Someone, start: Start, policy: str, ended: str, fault: FaultRecorder
) -> None:
    worker = start(server.url, policy)
    job_id = await running_job(ada, worker, 1.0)
    worker.signal(signal.SIGKILL)
    killed = time.monotonic()
    other = start(server.url, policy)
    job = await ada.sees(job_id, ended, within=10)
    if policy == "fail":
        assert job["error"]["reason"] == "worker_lost"
    ran = worker.ran(job_id) + other.ran(job_id)
    assert ran == (1 if policy == "fail" else 2)
    fault.record(lost=0, doubled=int(policy == "fail" and ran > 1), recovery=[time.monotonic() - killed])
    ROWS.append((f"worker killed -9, policy {policy}", ended, ran, "dead; another serves"))


@pytest.mark.fault("F6")
async def test_a_worker_asleep_past_its_lease_drops_its_result_and_comes_back(
    server: LiveServer, ada: Someone, start: Start, fault: FaultRecorder
) -> None:
    worker = start(server.url)
    job_id = await running_job(ada, worker, 4.5)
    worker.signal(signal.SIGSTOP)
    job = await ada.sees(job_id, "failed", within=10)
    assert job["error"]["reason"] == "worker_lost"
    worker.signal(signal.SIGCONT)
    woken = time.monotonic()
    after = await serves_again(ada, worker)
    back = time.monotonic() - woken
    await worker.dropped_the_result()
    status = (await ada.job(job_id))["status"]
    fault.record(doubled=worker.ran(job_id) - 1, stale=int(status != "failed"), recovery=[back])
    assert status == "failed"
    assert worker.ran(job_id) == 1
    ROWS.append(("stopped past its lease, then continued", "failed: worker_lost", 1, after))


@pytest.mark.full
@pytest.mark.fault("F6")
async def test_a_laptop_that_sleeps_for_two_minutes_comes_back_to_work(
    server: LiveServer, ada: Someone, start: Start
) -> None:
    """The same for as long as a coffee: sockets have long been given up on both sides, and tokens renewed."""
    worker = start(server.url)
    job_id = await running_job(ada, worker, 5.0)
    worker.signal(signal.SIGSTOP)
    began = time.monotonic()
    job = await ada.sees(job_id, "failed", within=10)
    assert job["error"]["reason"] == "worker_lost"
    lost = time.monotonic() - began
    assert lost < 3 + 2 * 0.5 + 1  # lease, two sweeps, and some slack
    await asyncio.sleep(120 - lost)
    worker.signal(signal.SIGCONT)
    woken = time.monotonic()
    after = await serves_again(ada, worker)
    back = time.monotonic() - woken
    await worker.dropped_the_result()
    assert (await ada.job(job_id))["status"] == "failed"
    assert worker.ran(job_id) == 1
    ROWS.append((f"stopped for 2 minutes (lease 3 s); back after {back:.1f} s", "failed: worker_lost", 1, after))


@pytest.mark.fault("F1")
async def test_a_restarted_server_finds_the_job_still_running(server: LiveServer, ada: Someone, start: Start) -> None:
    worker = start(server.url)
    job_id = await running_job(ada, worker, 4.0)
    server.kill()
    server.start()
    job = await ada.sees(job_id, "completed", within=20)
    assert (job["attempt"], job["result"], worker.ran(job_id)) == (1, "done", 1)
    ROWS.append(("server killed -9 and restarted", "completed", 1, await serves_again(ada, worker)))


@pytest.mark.fault("F1")
async def test_a_result_that_comes_while_the_server_is_down_is_kept(
    server: LiveServer, ada: Someone, start: Start
) -> None:
    worker = start(server.url)
    job_id = await running_job(ada, worker, 0.5)
    server.kill()
    await asyncio.sleep(1.0)  # the job ends meanwhile, in the worker
    server.start()
    job = await ada.sees(job_id, "completed", within=20)
    assert (job["attempt"], job["result"], worker.ran(job_id)) == (1, "done", 1)
    ROWS.append(("job ended while the server was down", "completed", 1, await serves_again(ada, worker)))


async def test_an_expired_token_costs_a_worker_nothing(start: Start) -> None:
    live = LiveServer(
        WORKROOM_WORKER_TOKEN_SECONDS="2", WORKROOM_LEASE_SECONDS="30", WORKROOM_GRACE_SECONDS="30"
    ).start()
    try:
        ada = await Someone.signs_in(live, "ada")
        worker = start(live.url)
        job_id = await running_job(ada, worker, 6.0)
        worker.signal(signal.SIGSTOP)
        await asyncio.sleep(4.0)  # twice the token's life, though not the lease
        worker.signal(signal.SIGCONT)
        job = await ada.sees(job_id, "completed", within=20)
        assert (job["attempt"], worker.ran(job_id)) == (1, 1)
        ROWS.append(("its token expired while it slept", "completed", 1, await serves_again(ada, worker)))
        await ada.close()
    finally:
        live.remove()


@pytest.mark.fault("F10")
async def test_a_short_cut_of_the_network_goes_unnoticed(
    server: LiveServer, ada: Someone, start: Start, fault: FaultRecorder
) -> None:
    async with Cable.to(server) as cable:
        worker = await asyncio.to_thread(start, cable.url)
        job_id = await running_job(ada, worker, 2.0)
        cable.cut()
        await asyncio.sleep(1.0)
        await cable.mend()
        mended = time.monotonic()
        job = await ada.sees(job_id, "completed", within=20)
        fault.record(lost=0, doubled=worker.ran(job_id) - 1, recovery=[time.monotonic() - mended])
        assert (job["attempt"], worker.ran(job_id)) == (1, 1)
        ROWS.append(("network cut for 1 s (lease 3 s)", "completed", 1, await serves_again(ada, worker)))
        worker.end()


@pytest.mark.fault("F10")
async def test_after_a_long_cut_the_late_result_is_dropped(
    server: LiveServer, ada: Someone, start: Start, fault: FaultRecorder
) -> None:
    async with Cable.to(server) as cable:
        worker = await asyncio.to_thread(start, cable.url)
        job_id = await running_job(ada, worker, 1.0)
        cable.cut()
        job = await ada.sees(job_id, "failed", within=15)
        assert job["error"]["reason"] == "worker_lost"
        await cable.mend()
        mended = time.monotonic()
        after = await serves_again(ada, worker)
        back = time.monotonic() - mended
        await worker.dropped_the_result()
        status = (await ada.job(job_id))["status"]
        fault.record(doubled=worker.ran(job_id) - 1, stale=int(status != "failed"), recovery=[back])
        assert status == "failed"
        ROWS.append(("network cut past the lease, then mended", "failed: worker_lost", worker.ran(job_id), after))
        worker.end()


async def test_a_terminated_worker_finishes_what_it_has(server: LiveServer, ada: Someone, start: Start) -> None:
    worker = start(server.url)
    job_id = await running_job(ada, worker, 1.0)
    worker.signal(signal.SIGTERM)
    await ada.sees(job_id, "completed", within=10)
    assert await asyncio.to_thread(worker.process.wait, 10) == 0
    await eventually(lambda: _state(ada, worker), lambda state: state == "gone")
    ROWS.append(("SIGTERM while a job runs", "completed", worker.ran(job_id), "left"))


async def test_the_second_ctrl_c_ends_at_once(server: LiveServer, ada: Someone, start: Start) -> None:
    worker = start(server.url)
    job_id = await running_job(ada, worker, 60.0)
    worker.signal(signal.SIGINT)
    await eventually(lambda: ada.get("/api/rooms/lab/workers"), lambda seen: seen["items"][0]["state"] == "draining")
    worker.signal(signal.SIGINT)
    assert await asyncio.to_thread(worker.process.wait, 5) == 128 + signal.SIGINT
    await ada.sees(job_id, "failed", within=15)
    ROWS.append(("Ctrl-C twice while a job runs", "failed: worker_lost", worker.ran(job_id), "dead"))
