"""The remote worker against a live server: what a job can do, and what others see of it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import ase
import httpx2
import orjson
import psutil
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer, Someone, Watcher, eventually

from workroom import AdminNeeded, AsyncRoom, AttemptLost, BadInput, Category, Extension, JobFailed, Room, SchemaConflict
from workroom.client.net.http import ApiClient
from workroom.domain.errors import NotSignedIn
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import RemoteWorker
from workroom.zndraw import ZnDraw


class Loud(Extension):
    """Prints, logs, tells how far it is, and goes on until it is called off."""

    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> None:
        print("one line")
        print("two", end=" ")
        print("parts")
        logging.getLogger("mine").warning("look out")
        step = 0
        while True:
            step += 1
            vis.progress(min(1.0, step / 1000), f"step {step}")
            time.sleep(0.01)


class Where(Extension):
    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        vis.log(f"here is {vis.name}")
        return {"room": vis.name, "pid": os.getpid(), **kwargs}


class Sleepy(Extension):
    category = Category.ANALYSIS
    polite: bool = True

    def run(self, vis: Any, **kwargs: Any) -> None:
        for _ in range(1000):
            time.sleep(0.01)
            if self.polite:
                vis.progress(None)


class Unspeakable(Extension):
    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> object:
        return object()


class Deaf(Extension):
    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> None:
        print("cannot hear you")
        time.sleep(60)


class Crash(Extension):
    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> None:
        vis.progress(0.5, "half way")
        print("goodbye", flush=True)
        os._exit(7)


@contextmanager
def process(*command: str | Path) -> Generator[subprocess.Popen[str]]:
    """A Python process, which does not outlive a failed test."""
    started = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with started:
        try:
            yield started
        finally:
            if started.poll() is None:
                started.kill()


async def test_another_client_sees_progress_lines_and_the_cancel_within_a_second(
    server: LiveServer, name: str, ada: Someone
) -> None:
    async with AsyncRoom(name, server.url, "worker") as room:
        await room.register_extension(Loud)
        watcher = await Watcher.joins(ada, name)
        began = time.perf_counter()
        job = await ada.submits(name, "Loud")
        await watcher.until("job:progress", lambda body: body["message"].startswith("step"), 1)
        progress = time.perf_counter() - began
        await watcher.until("job:log", lambda body: "WARNING mine: look out" in body["lines"], 1)
        logged = time.perf_counter() - began
        began = time.perf_counter()
        await ada.http.delete(f"/api/jobs/{job['jobId']}")
        await watcher.until("job:state_changed", lambda body: body["status"] == "cancelled", 1)
        print(f"progress {progress:.3f} s, lines {logged:.3f} s, cancelled {time.perf_counter() - began:.3f} s")
        lines = [line["text"] for line in (await ada.get(f"/api/jobs/{job['jobId']}/logs"))["items"]]
        assert lines == ["one line", "two parts", "WARNING mine: look out"]
        await watcher.leaves()


async def test_plain_tqdm_is_the_jobs_progress(server: LiveServer, name: str, ada: Someone) -> None:
    tqdm = pytest.importorskip("tqdm").tqdm

    class Bars(Extension):
        category = Category.MODIFIER

        def run(self, vis: Any, **kwargs: Any) -> int:
            steps = 0
            for _ in tqdm(range(40), desc="relaxing"):
                time.sleep(0.01)
                steps += 1
            return steps

    async with AsyncRoom(name, server.url, "worker") as room:
        await room.register_extension(Bars)
        watcher = await Watcher.joins(ada, name)
        job = await ada.submits(name, "Bars")
        half = await watcher.until("job:progress", lambda body: 0 < (body["fraction"] or 0) < 1)
        assert half["message"] == "relaxing"
        done = await ada.sees(job["jobId"], "completed")
        assert (done["result"], done["progress"]["fraction"]) == (40, 1.0)
        assert (await ada.get(f"/api/jobs/{job['jobId']}/logs"))["items"] == []
        await watcher.leaves()


def test_vis_is_bound_to_the_jobs_room_and_gets_the_run_kwargs(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Where, run_kwargs={"model": "large"})
        assert room.run(Where()).result(10) == {"room": name, "pid": os.getpid(), "model": "large"}
        assert [message.text for message in room.chat] == [f"here is {name}"]


def test_a_result_that_cannot_travel_fails_with_a_clear_word(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Unspeakable)
        with pytest.raises(JobFailed, match=r"which cannot travel\. Use plain values"):
            room.run(Unspeakable()).result(10)


@pytest.mark.parametrize("polite", [True, False])
def test_a_job_that_takes_too_long_fails_with_job_timeout(server: LiveServer, name: str, polite: bool) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Sleepy, timeout=0.3)
        with pytest.raises(JobFailed) as caught:
            room.run(Sleepy(polite=polite)).result(10)
        assert caught.value.remote_type == "JobTimeout"


def test_isolated_jobs_run_in_processes_that_can_be_killed(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Where, isolate=True, run_kwargs={"n": 1})
        room.register_extension(Deaf, isolate=True, timeout=1)
        room.register_extension(Crash, isolate=True)
        result = room.run(Where()).result(20)
        assert result["room"] == name and result["pid"] != os.getpid() and result["n"] == 1
        assert [message.text for message in room.chat] == [f"here is {name}"]
        deaf = room.run(Deaf())
        with pytest.raises(JobFailed) as caught:
            deaf.result(20)
        assert caught.value.remote_type == "JobTimeout"
        crash = room.run(Crash())
        with pytest.raises(JobFailed, match="exit code 7"):
            crash.result(20)
        assert [line.text for line in crash.logs()] == ["goodbye"]


def test_a_class_no_other_process_can_find_is_not_isolated(server: LiveServer, name: str) -> None:
    class Local(Where):
        pass

    with Room(name, server.url, "ada") as room:
        with pytest.raises(BadInput, match="top of a file"):
            room.register_extension(Local, isolate=True)
        with pytest.raises(BadInput, match="plain values"):
            room.register_extension(Where, isolate=True, run_kwargs={"model": object()})


def test_an_isolated_job_is_killed_when_called_off(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Deaf, isolate=True)
        handle = room.run(Deaf())
        while not handle.logs():
            threading.Event().wait(0.05)
        handle.cancel()
        assert handle.wait(10).status == "cancelled"


def test_several_extensions_share_one_worker(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Where)
        room.register_extension(Unspeakable)
        assert len(room.workers) == 1
        assert sorted(offer.name for offer in room.workers[0].extensions) == ["Unspeakable", "Where"]
        room.unregister_extension(Unspeakable)
        while "Unspeakable" in [one.name for one in room.extensions]:  # it goes with the next sweep
            threading.Event().wait(0.05)
        assert room.run(Where()).result(10)["room"] == name
        room.unregister_extension(Where)
        room.register_extension(Unspeakable)
        with pytest.raises(JobFailed):
            room.run(Unspeakable()).result(10)


def test_jobs_can_be_taken_by_hand(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada", auto_pickup_jobs=False) as room:
        room.register_extension(Where)
        with pytest.raises(TimeoutError):
            room.next_job(0.2)
        handles = [room.run(Where()) for _ in range(2)]
        threading.Event().wait(2.5)  # past the time for confirming: the job comes again
        for handle in handles:
            job = room.next_job(10)
            assert (job.name, handle.status) == ("Where", "running")
            job.run()
            assert handle.result(10)["room"] == name


def test_registering_says_what_is_wrong(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room, Room(name, server.url, "ada") as other:
        room.register_extension(Where)
        with pytest.raises(AdminNeeded):
            room.register_extension(Unspeakable, public=True)
        assert room.run(Where()).result(10)["room"] == name

        Different = type("Where", (Sleepy,), {"__module__": __name__})  # noqa: N806 - a class
        with pytest.raises(SchemaConflict):
            other.register_extension(Different)


async def test_a_job_that_was_lost_can_change_nothing(server: LiveServer, name: str, ada: Someone) -> None:
    raised: list[BaseException] = []
    reached, released = threading.Event(), threading.Event()

    class Late(Extension):
        category = Category.MODIFIER

        def run(self, vis: Any, **kwargs: Any) -> None:
            reached.set()
            released.wait(10)
            try:
                vis.log("too late")
            except AttemptLost as error:
                raised.append(error)
                raise

    async with AsyncRoom(name, server.url, "worker") as room:
        await room.register_extension(Late, on_worker_lost="fail")
        job = await ada.submits(name, "Late")
        await eventually(_async(reached.is_set), bool)
        await room.access.delete(f"/api/workers/{room.worker.id}")  # somebody removes the worker by force
        await ada.sees(job["jobId"], "failed")
        released.set()
        await eventually(_async(lambda: raised), bool)
        assert "too late" not in [message.text for message in await room.chat()]


def _async(look: Any) -> Any:
    async def looks() -> Any:
        return look()

    return looks


async def _refusing_the_first(server: LiveServer, refused: list[str]) -> asyncio.Server:
    """A door before the server, which lets nobody register at once."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.read(65_536)
        if head.startswith(b"POST /api/workers/register") and not refused:
            refused.append("register")
            body = orjson.dumps({"code": "too_many_requests", "status": 429, "detail": "Later.", "retryAfter": 0.3})
            headers = f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\nConnection: close"
            writer.write(f"HTTP/1.1 429 Too Many Requests\r\n{headers}\r\n\r\n".encode() + body)
            await writer.drain()
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", server.port)
        far_writer.write(head)
        with suppress(ConnectionError):
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    return await asyncio.start_server(carry, "127.0.0.1", 0)


async def test_a_worker_that_is_told_to_wait_registers_a_little_later(server: LiveServer, name: str) -> None:
    async with AsyncRoom(name, server.url, "worker") as room:
        refused: list[str] = []
        door = await _refusing_the_first(server, refused)
        token = await room.access.tokens.token()
        url = f"http://127.0.0.1:{door.sockets[0].getsockname()[1]}"
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as http:
            worker = RemoteWorker(ApiClient(url, http, _Token(token)), name)
            began = time.perf_counter()
            await worker.offer(Offer(Where))
            assert refused == ["register"] and time.perf_counter() - began >= 0.3
            assert [one.id for one in await room.workers()] == [worker.id]
            await worker.close()
        door.close()


class _Token:
    def __init__(self, token: str) -> None:
        self._token = token

    async def token(self) -> str:
        return self._token

    async def renewed(self, refused: str) -> str:
        raise NotSignedIn


ASYNC_WORKER = """
import asyncio, sys, time
from workroom import AsyncRoom, Category, Extension

class Nap(Extension):
    category = Category.MODIFIER
    def run(self, vis, **kwargs):
        vis.progress(None, "asleep")
        time.sleep(1)
        return "rested"

async def main():
    async with AsyncRoom(sys.argv[2], sys.argv[1], "worker") as room:
        await room.register_extension(Nap)
        print("ready", flush=True)
        await room.wait()
    print("goodbye", flush=True)

asyncio.run(main())
"""


async def test_an_async_room_waits_until_it_is_asked_to_end_and_finishes_its_job(
    server: LiveServer, name: str, tmp_path: Path, ada: Someone
) -> None:
    (tmp_path / "worker.py").write_text(ASYNC_WORKER)
    with process(tmp_path / "worker.py", server.url, name) as worker:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
        job = await ada.submits(name, "Nap")
        await eventually(lambda: ada.job(job["jobId"]), lambda seen: seen["progress"])
        worker.terminate()
        assert (await ada.sees(job["jobId"], "completed"))["result"] == "rested"
        assert await asyncio.to_thread(worker.wait, 10) == 0
        assert worker.stdout.read() == "goodbye\n"


GLOBAL_WORKER = """
import sys
from workroom import Category, Extension, Room

class Greet(Extension):
    category = Category.MODIFIER
    def run(self, vis, **kwargs):
        vis.log("hello " + vis.name)
        return vis.name

room = Room("home", sys.argv[1], "admin", sys.argv[2])
room.register_extension(Greet, public=True, concurrency=4)
print("ready", flush=True)
room.wait()
"""


@pytest.mark.parametrize("logs", [False, True])
def test_a_script_that_waits_for_jobs_says_what_it_offers_and_how_it_ends(
    server: LiveServer, tmp_path: Path, logs: bool
) -> None:
    configured = "import logging\nlogging.basicConfig(level='INFO', format='log: %(message)s')\n" if logs else ""
    (tmp_path / "worker.py").write_text(configured + GLOBAL_WORKER)
    command = [sys.executable, str(tmp_path / "worker.py"), server.url, ADMIN_PASSWORD]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert worker.stdout is not None and worker.stderr is not None
    said = next(line for line in worker.stderr if "offers" in line)
    assert said == (
        f"{'log: ' if logs else ''}This worker offers modifiers/Greet to all rooms, at {server.url}. "
        "Ctrl-C ends it, after the running jobs.\n"
    )
    worker.send_signal(signal.SIGINT)
    rest = worker.communicate(timeout=20)[1]
    assert worker.returncode == 0 and "This worker offers" not in rest


async def test_a_global_worker_opens_no_connection_for_jobs_or_rooms(
    server: LiveServer, tmp_path: Path, ada: Someone
) -> None:
    (tmp_path / "worker.py").write_text(GLOBAL_WORKER)
    with process(tmp_path / "worker.py", server.url, ADMIN_PASSWORD) as worker:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
        seen = psutil.Process(worker.pid)
        rooms = [await ada.makes_room(f"global-{n}") for n in range(20)]
        first = await ada.submits(rooms[0], "Greet")
        await ada.sees(first["jobId"], "completed")
        before = {(c.laddr, c.raddr) for c in seen.net_connections("tcp")}
        most = set(before)
        jobs = [(await ada.submits(room, "Greet"), room) for _ in range(5) for room in rooms]
        for job, room in jobs:
            assert (await ada.sees(job["jobId"], "completed"))["result"] == room
            most |= {(c.laddr, c.raddr) for c in seen.net_connections("tcp")}
        print(f"connections of a global worker: {len(before)} before, {len(most)} ever seen over 100 jobs in 20 rooms")
        assert len(most) <= 2 + 4  # the socket, heartbeats, and one for each job at a time
        worker.terminate()
        assert worker.wait(10) == 0


def test_the_classes_of_the_seeds_run_by_changing_the_import_line(server: LiveServer, name: str) -> None:
    class CustomModifier(Extension):
        category = Category.MODIFIER
        param: float = 1.0

        def run(self, vis: Any, **kwargs: Any) -> float:
            return self.param

    class Manipulates(Extension):
        category = Category.MODIFIER

        def run(self, vis: Any, **kwargs: Any) -> None:
            atoms = vis.atoms
            atoms.positions += 1.0
            vis.atoms = atoms

    class GlobalAnalyzer(Extension):
        category = Category.ANALYSIS

        def run(self, vis: Any, **kwargs: Any) -> str:
            return str(vis.name)

    with ZnDraw(url=server.url, room=name, auto_pickup_jobs=True, user="ada") as vis:
        vis.register_extension(CustomModifier, public=False)
        assert vis.run(CustomModifier(param=1.5)).result(10) == 1.5
        with vis.lock(msg="Uploading 1000 frames..."):
            vis.extend(ase.Atoms("H", positions=[[n, 0, 0]]) for n in range(1000))
        vis.register_extension(Manipulates)
        vis.run(Manipulates()).result(10)
        assert len(vis) == 1000 and vis[0].positions.tolist() == [[1.0, 1.0, 1.0]]
        with ZnDraw(url=server.url, room=name, user="admin", password=ADMIN_PASSWORD) as admin:
            admin.register(GlobalAnalyzer, public=True)
            assert vis.run(GlobalAnalyzer()).result(10) == name
        with ZnDraw.for_job_execution(url=server.url, room=name, user="bob") as temporary:
            temporary.log("hi")
        vis.selection = [0]
        with pytest.raises(AttributeError, match="did you mean 'selection'"):
            vis.selecton = [0]
    anyhow: Any = ZnDraw
    for wrong, hint in (("rom", "did you mean 'room'"), ("copy_from", "rooms duplicate ROOM NEW")):
        with pytest.raises(TypeError, match=hint):
            anyhow(server.url, **{wrong: "x"})


@pytest.mark.full
def test_the_round_trip_in_figures(server: LiveServer, name: str) -> None:
    class Nothing(Extension):
        category = Category.ANALYSIS

        def run(self, vis: Any, **kwargs: Any) -> None:
            pass

    with Room(name, server.url, "ada") as room:
        began = time.perf_counter()
        room.register_extension(Nothing, concurrency=32)
        registered = time.perf_counter() - began
        times: list[float] = []
        for _ in range(50):
            began = time.perf_counter()
            room.run(Nothing()).wait(10)
            times.append(time.perf_counter() - began)
        answer = room.portal.call(
            room.inner.access.post(f"/api/rooms/{name}/extensions/analysis/Nothing/submit-many", {"data": [{}] * 500})
        )
        jobs = [room.jobs[job_id].wait(20).refresh() for job_id in answer["jobIds"]]
        ended = max(job.finished_at for job in jobs if job.finished_at is not None)
        rate = 500 / (ended - min(job.created_at for job in jobs)).total_seconds()
        times.sort()
        print(f"register {registered * 1e3:.1f} ms, p50 {times[25] * 1e3:.1f} ms, {rate:.0f} jobs/s with one worker")
        assert times[25] < 0.5


EXTENSIONS = """
from workroom import Category, Extension

class Grow(Extension):
    category = Category.MODIFIER
    FIELD: float = 1.0

    def run(self, vis, **kwargs):
        print("growing")
        return self.FIELD
"""
COMMAND = ["-m", "workroom.cli", "worker"]


def test_the_command_offers_a_file_and_offers_it_anew_when_saved(server: LiveServer, name: str, tmp_path: Path) -> None:
    file = tmp_path / "my_ext.py"
    file.write_text(EXTENSIONS.replace("FIELD", "factor"))
    command = [*COMMAND, str(file), "--room", name, "--url", server.url, "--user", "ada"]
    with process(*command, "--reload", "--name", "laptop") as worker, Room(name, server.url, "ada") as room:
        assert worker.stdout is not None and worker.stderr is not None
        greeting = worker.stdout.readline()
        assert "offers modifiers/Grow to room" in greeting, worker.stderr.read()
        before = room.workers[0]
        assert before.info["name"] == "laptop"
        assert room.run("modifiers/Grow", factor=2).result(10) == 2
        file.write_text(EXTENSIONS.replace("FIELD", "amount"))
        while "amount" not in next(one for one in room.extensions if one.name == "Grow").schema_["properties"]:
            threading.Event().wait(0.05)
        assert room.run("modifiers/Grow", amount=3).result(10) == 3
        assert room.workers[0].id == before.id
        file.write_text("this is no Python")
        logged: list[str] = []
        while not logged or "could not be reloaded" not in logged[-1]:
            logged.append(worker.stderr.readline())
        assert sum("reloaded: Grow" in line for line in logged) == 1
        assert not any("disconnected" in line for line in logged), "a save is no trouble"
        assert room.run("modifiers/Grow", amount=4).result(10) == 4
        worker.send_signal(signal.SIGINT)
        assert worker.wait(10) == 0
        assert "goodbye" in worker.stdout.read()


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("nowhere.py", "There is no file nowhere.py"),
        ("no.such.module", "There is no module"),
        ("json", "defines no extension"),
    ],
)
def test_the_command_says_what_is_wrong(server: LiveServer, name: str, source: str, complaint: str) -> None:
    command = [sys.executable, *COMMAND, source, "--room", name, "--url", server.url, "--user", "ada"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode == 1 and complaint in ended.stderr and "Traceback" not in ended.stderr


UNGUARDED = """
import sys
from workroom import Category, Extension, Room

class Apart(Extension):
    category = Category.MODIFIER
    def run(self, vis, **kwargs):
        return 1

room = Room(sys.argv[2], sys.argv[1], "ada")
room.register_extension(Apart, isolate=True)
print("ready", flush=True)
room.wait()
"""


@pytest.mark.parametrize("guarded", [False, True])
def test_an_isolated_class_of_a_script_needs_the_main_guard(
    server: LiveServer, name: str, tmp_path: Path, guarded: bool
) -> None:
    head, _, tail = UNGUARDED.partition("room =")
    body = f"room ={tail}".replace("\n", "\n    ")
    script = f"{head}if __name__ == '__main__':\n    {body}" if guarded else UNGUARDED
    (tmp_path / "script.py").write_text(script)
    with process(tmp_path / "script.py", server.url, name) as worker, Room(name, server.url, "ada") as room:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
        handle = room.run("modifiers/Apart")
        if guarded:
            assert handle.result(20) == 1
        else:
            with pytest.raises(JobFailed, match="__main__"):
                handle.result(20)
        worker.terminate()
        assert worker.wait(10) == 0
