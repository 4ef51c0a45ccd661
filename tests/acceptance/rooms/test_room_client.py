"""Rooms and jobs from Python, against a live server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

from workroom import (
    AsyncRoom,
    BadInput,
    Category,
    Extension,
    InvalidArguments,
    JobCancelled,
    JobFailed,
    NotFound,
    NotSignedIn,
    Room,
    ServerUnreachable,
)
from workroom.client.discovery import this_machine


class Double(Extension):
    category = Category.ANALYSIS
    n: int = 1

    def run(self, vis: Any, **kwargs: Any) -> dict[str, int]:
        if self.n < 0:
            raise ValueError("n must not be negative")
        return {"doubled": 2 * self.n}


class Idle(Extension):
    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> None:
        while not vis.cancelled:
            threading.Event().wait(0.01)


def test_a_room_is_made_when_there_is_none(server: LiveServer, name: str) -> None:
    with pytest.raises(NotFound, match="create=False"):
        Room(name, server.url, "ada", create=False)
    with Room(name, server.url, "ada") as room:
        assert (room.name, room.url, room.user) == (name, server.url, "ada")
        assert repr(room) == f"<Room '{name}' at {server.url}>"
    with Room(name, server.url, "bob", create=False) as room:
        assert room.user == "bob"


def test_a_job_is_run_and_its_result_comes_back(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Double)
        handle = room.run(Double(n=21))
        assert handle.wait(10).status == "completed"
        assert handle.result() == {"doubled": 42}
        assert room.run("analysis/Double", n=2).result(10) == {"doubled": 4}
        assert room.run("Double", {"n": 3}, category="analysis").result(10) == {"doubled": 6}
        assert room.jobs[handle.id].result() == {"doubled": 42}
        assert [job.name for job in room.jobs] == ["Double"] * 3
        assert room.jobs(status="failed") == []
        assert [one.name for one in room.extensions if one.scope == "room"] == ["Double"]
        assert [one.state for one in room.workers] == ["idle"]
        html = room._repr_html_()  # pyright: ignore[reportPrivateUsage]
        assert f'href="{server.url}/rooms/{room.name}"' in html and "0 frames · 1 worker online" in html
        assert html.count("<li>") == 3 and "analysis/Double: completed" in html
        assert "&#x27;doubled&#x27;: 42" in handle._repr_html_()  # pyright: ignore[reportPrivateUsage]
        for shown in (room, room.jobs, room.extensions, room.workers, room.chat, handle):
            assert "<" in shown._repr_html_() and repr(shown)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue, reportUnknownMemberType]


def test_a_failed_job_raises_with_the_remote_traceback(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Double)
        handle = room.run(Double(n=-1))
        with pytest.raises(JobFailed, match="ValueError: n must not be negative") as caught:
            handle.result(10)
        assert caught.value.remote_type == "ValueError"
        assert 'raise ValueError("n must not be negative")' in caught.value.remote_traceback
        again = handle.retry()
        assert again.id != handle.id
        assert again.wait(10).status == "failed"


def test_the_servers_errors_are_the_same_errors_again(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Double)
        with pytest.raises(InvalidArguments, match=r"data\.n") as caught:
            room.run("analysis/Double", n="many")
        assert caught.value.detail["errors"][0]["path"] == "data.n"
        with pytest.raises(BadInput, match="category"):
            room.run("Double")
        with pytest.raises(NotFound):
            room.run("analysis/Halve")
    with pytest.raises(NotSignedIn):
        Room(name, server.url, "admin", "wrong")
    with pytest.raises(ServerUnreachable, match="workroom serve"):
        Room(name, "http://127.0.0.1:1")


def test_a_waiting_and_a_running_job_are_called_off(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Idle)
        running, waiting = room.run(Idle()), room.run(Idle())
        assert waiting.cancel() == "cancelled"
        with pytest.raises(TimeoutError):
            running.wait(0.3)
        running.cancel()
        assert running.wait(5).status == "cancelled"
        for handle in (running, waiting):
            with pytest.raises(JobCancelled):
                handle.result()


def test_threads_share_a_room(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Double, concurrency=4)
        results: dict[int, Any] = {}

        def work(n: int) -> None:
            results[n] = room.run(Double(n=n)).result(20)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == {n: {"doubled": 2 * n} for n in range(16)}


def test_what_is_said_is_heard(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.log("hello")
        room.chat.send("again")
        assert [message.text for message in room.chat] == ["again", "hello"]


def test_jobs_wait_for_others_and_keys_make_them_one(server: LiveServer, name: str) -> None:
    with Room(name, server.url, "ada") as room:
        room.register_extension(Double)
        first = room.run(Double(n=1))
        second = room.run(Double(n=2), depends_on=[first], priority=9)
        assert second.result(10) == {"doubled": 4}
        assert first.status == "completed"
        one, two = (room.run(Double(n=5), idempotency_key="five") for _ in range(2))
        assert one.id == two.id


def test_settings_are_stored_and_make_no_job(server: LiveServer, name: str) -> None:
    class Colours(Extension):
        category = Category.SETTINGS
        background: str = "white"

        def run(self, vis: Any, **kwargs: Any) -> None: ...

    with Room(name, server.url, "ada") as room:
        room.register_extension(Colours)
        handle = room.run(Colours(background="black"))
        assert (handle.status, handle.wait().result(), list(room.jobs)) == ("stored", None, [])


async def test_the_asynchronous_twin_does_the_same(server: LiveServer, name: str) -> None:
    async with AsyncRoom(name, server.url, "ada") as room:
        await room.register_extension(Double)
        handle = await room.run(Double(n=4))
        assert await handle == {"doubled": 8}
        both = [await room.run(Double(n=n)) for n in (1, 2)]
        assert await asyncio.gather(*both) == [{"doubled": 2}, {"doubled": 4}]
        await room.unregister_extension(Double)


def test_the_local_server_is_found_without_a_url(
    server: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("WORKROOM_URL", raising=False)
    monkeypatch.setenv("WORKROOM_DATA", str(server.data))
    with Room(name) as room:
        assert room.url == server.url and room.user
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))
    with pytest.raises(ServerUnreachable, match="workroom serve"):
        Room(name)
    (tmp_path / "server.json").write_text(
        json.dumps({"url": server.url, "pid": os.getpid(), "machine": this_machine()})
    )
    (tmp_path / "admin-password").write_text(ADMIN_PASSWORD + "\n")
    with Room(name, user="admin") as room:
        assert room.user == "admin"


def test_a_waiting_client_outlives_a_restart_of_the_server(own_server: LiveServer) -> None:
    with Room("lab", own_server.url, "ada") as room:
        room.register_extension(Idle, on_worker_lost="fail")
        handle = room.run(Idle())
        ended: list[str] = []
        waiting = threading.Thread(target=lambda: ended.append(handle.wait(120).status))
        waiting.start()
        own_server.kill()
        began = time.monotonic()
        own_server.start()
        restarted = time.monotonic()
        handle.cancel()
        waiting.join()
        print(f"restarted in {restarted - began:.1f} s, heard of the end {time.monotonic() - restarted:.1f} s later")
        assert ended == ["cancelled"]


def test_tokens_are_renewed_before_they_end() -> None:
    live = LiveServer(WORKROOM_TOKEN_SECONDS="4").start()
    try:
        with Room("lab", live.url, "ada") as room:
            token = room.portal.call(room.inner.access.tokens.token())
            with Room("lab", live.url, token=token) as other:
                for _ in range(4):
                    threading.Event().wait(1.4)
                    assert other.user == "ada" and list(other.chat) == []
            assert list(room.chat) == []
    finally:
        live.remove()


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Generator[None]:
    """A process does not outlive a failed test."""
    try:
        yield
    finally:
        if process.poll() is None:
            process.kill()


SCRIPT = """
import sys
from workroom import Room
room = Room("readme", sys.argv[1], "bob")
print(room.run("modifiers/Stretch", factor=2).result(timeout=20))
"""

WORKER = """
import sys
from workroom import Category, Extension, Room

class Stretch(Extension):
    category = Category.MODIFIER
    factor: float = 1.1

    def run(self, vis, **kwargs):
        return {"length": 10 * self.factor}

room = Room("readme", sys.argv[1], "ada")
room.register_extension(Stretch)
print("ready", flush=True)
room.wait()
"""


def test_two_scripts_register_and_submit(server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "worker.py").write_text(WORKER)
    (tmp_path / "script.py").write_text(SCRIPT)
    worker = subprocess.Popen(
        [sys.executable, "-W", "error", tmp_path / "worker.py", server.url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with worker, ended(worker):
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
        script = subprocess.run(
            [sys.executable, "-W", "error", tmp_path / "script.py", server.url],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert (script.stdout, script.stderr) == ("{'length': 20.0}\n", "")
        worker.terminate()
        assert worker.stderr is not None
        assert re.fullmatch(r"This worker offers modifiers/Stretch to room 'readme', .*\n", worker.stderr.read())
        assert worker.wait(10) == 0


def test_the_tutorial_works_as_written(server: LiveServer, name: str, tmp_path: Path) -> None:
    tutorial = Path(__file__).parents[3] / "docs" / "tutorial" / "first_extension.md"
    extension, worker, client = re.findall(
        r"```python\n(.*?)```", tutorial.read_text().replace("my-room", name), re.DOTALL
    )
    (tmp_path / "lengthen.py").write_text(extension)
    (tmp_path / "worker.py").write_text(worker)
    (tmp_path / "client.py").write_text(client)
    environment = os.environ | {"WORKROOM_URL": server.url, "USER": "newcomer", "LOGNAME": "newcomer"}
    with subprocess.Popen([sys.executable, tmp_path / "worker.py"], env=environment) as offering, ended(offering):
        with Room(name, server.url, "newcomer") as room:
            while not any(extension.name == "Lengthen" for extension in room.extensions):
                threading.Event().wait(0.05)
        ran = subprocess.run(
            [sys.executable, tmp_path / "client.py"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert ran.stdout.startswith("{'length': 2.0") or ran.stdout.startswith("{'length': 1.99"), ran.stderr
        offering.send_signal(signal.SIGINT)
        assert offering.wait(10) == 0
