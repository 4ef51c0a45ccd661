"""The server's own pool: what its processes get and leave, who may offer built-in extensions, and further pools."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from tests.acceptance.built_in import Returns
from tests.acceptance.live import ADMIN_PASSWORD, SCHEMA, LiveServer, Someone

from workroom import AdminNeeded, JobFailed, Room
from workroom.domain.errors import NameReserved
from workroom.server.auth.tokens import PoolToken, TokenIssuer

PATIENCE = 60.0


@pytest.fixture(scope="module")
def room(pool_server: LiveServer) -> Generator[Room]:
    with Room("pool-room", pool_server.url, "ada") as room:
        until(lambda: any(one.kind == "pool" and one.state == "idle" for one in room.workers))
        yield room


def until(true: Callable[[], object], within: float = PATIENCE) -> None:
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        threading.Event().wait(0.02)


def untidy(room: Room, leave: str = "") -> dict[str, Any]:
    return room.run("built-in/BuiltInUntidy", leave=leave).result(PATIENCE)


def test_a_job_sees_nothing_that_was_meant_for_the_server(room: Room) -> None:
    seen = untidy(room)
    variables = seen["variables"]
    assert not [name for name in variables if name.startswith("WORKROOM") or "TOKEN" in name or "PASSWORD" in name]
    assert variables["HOME"] == variables["TMPDIR"] == str(Path(seen["cwd"]).parent)
    assert variables["OMP_NUM_THREADS"] == "1" and "PATH" in variables
    assert seen["files"] == [] and seen["nice"] >= 5


def test_a_process_is_used_again_and_its_folder_is_not(room: Room) -> None:
    before = [untidy(room, "files") for _ in range(8)]
    assert len({one["pid"] for one in before}) < 8
    assert len({one["cwd"] for one in before}) == 8
    assert all(one["files"] == [] and "MESS" not in one["variables"] for one in before)
    until(lambda: not any(Path(one["cwd"]).exists() for one in before))


@pytest.mark.parametrize("leave", ["thread", "process"])
def test_a_process_in_which_a_job_left_something_running_is_replaced(room: Room, leave: str) -> None:
    used = untidy(room, leave)["pid"]
    until(lambda: not Path(f"/proc/{used}").exists())


def test_a_job_that_wants_too_much_memory_fails_and_takes_nobody_with_it(room: Room) -> None:
    with pytest.raises(JobFailed) as caught:
        untidy(room, "memory")
    assert caught.value.remote_type == "MemoryError"


def test_many_interactive_jobs_at_once_all_end(room: Room) -> None:
    jobs = [room.run("built-in/BuiltInReturns", what=str(n)) for n in range(60)]
    assert [job.result(PATIENCE)["what"] for job in jobs] == [str(n) for n in range(60)]


def test_built_in_names_are_reserved_and_only_admins_may_run_them(room: Room, pool_server: LiveServer) -> None:
    class BuiltInReturns(Returns):
        category = "built-in"

    with pytest.raises(NameReserved):
        room.register_extension(BuiltInReturns)
    offers: list[dict[str, Any]] = [{"name": "Mine", "category": "built-in", "schema": SCHEMA, "builtin": True}]
    with pytest.raises(AdminNeeded):
        room.portal.call(room.inner.access.post("/api/workers/register", {"extensions": offers}))


async def test_the_pools_token_opens_nothing_but_its_registration(pool_server: LiveServer, room: Room) -> None:
    mint = TokenIssuer((pool_server.data / "secret-key").read_text().strip())
    headers = {"Authorization": f"Bearer {mint.issue(PoolToken(uuid4()), 60)}"}
    admin = await Someone.admin(pool_server)
    other = (await admin.http.post("/api/rooms", json={"name": f"other-{uuid4().hex[:6]}"})).json()
    (mine,) = [one for one in (await admin.get("/api/workers"))["items"] if one["kind"] == "pool"]
    async with httpx2.AsyncClient(base_url=pool_server.url, headers=headers, trust_env=False) as http:
        for path in (
            "/api/rooms",
            "/api/jobs",
            "/api/users/me",
            f"/api/rooms/{other['name']}",
            f"/api/workers/{mine['id']}",
        ):
            assert (await http.get(path)).status_code == 401, path
        offer = {"name": "Mine", "category": "modifiers", "schema": SCHEMA}
        body = {"room": other["name"], "extensions": [offer]}
        assert (await http.post("/api/workers/register", json=body)).status_code == 403
        assert (await http.delete(f"/api/workers/{uuid4()}")).status_code == 404
    await admin.close()


@pytest.mark.full
def test_a_further_pool_joins_from_elsewhere(pool_server: LiveServer, room: Room) -> None:
    command = [sys.executable, "-m", "workroom.cli", "pool", "--built-in", "--import", "tests.acceptance.built_in"]
    command += ["--workers", "1", "--url", pool_server.url]
    refused = subprocess.run([*command, "--user", "ada"], capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 1 and "Only an admin" in refused.stderr
    environment = os.environ | {"WORKROOM_PASSWORD": ADMIN_PASSWORD}
    with subprocess.Popen(
        [*command, "--user", "admin"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as further:
        try:
            assert further.stdout is not None
            worker = further.stdout.readline().split()[1]
            jobs = [room.run("built-in/BuiltInReturns") for _ in range(20)]
            assert worker in {str(job.wait(PATIENCE).refresh().worker_id) for job in jobs}
            further.send_signal(signal.SIGTERM)
            assert further.wait(PATIENCE) == 0
            assert "goodbye" in further.stdout.read()
        finally:
            further.kill()


def test_a_pool_command_without_anything_to_run_says_what_is_missing() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "workroom.cli", "pool"], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1 and "--built-in" in ended.stderr


@pytest.mark.full
def test_a_server_offers_what_its_modules_ship_and_serves_all_the_same_when_they_ship_nothing() -> None:
    live = LiveServer.with_pool(1, WORKROOM_POOL_MODULES="no_such_module").start()
    try:
        with Room("lab", live.url, "ada") as room:
            until(lambda: "There is no module 'no_such_module'" in live.log())
            assert list(room.extensions) == []

            _restart(live, "tests.acceptance.built_in")
            until(lambda: any(one.name == "BuiltInReturns" for one in room.extensions))

            _restart(live, "tests.acceptance.built_in_later")
            until(lambda: [one.name for one in room.extensions] == ["Later"])

            _restart(live, "workroom.domain")
            until(lambda: "the modules have no extensions" in live.log())
            assert [one.name for one in room.extensions] == ["Later"]  # its name stays reserved
    finally:
        live.remove()


def _restart(live: LiveServer, modules: str) -> None:
    live.stop()
    live.change(WORKROOM_POOL_MODULES=modules)
    live.start()
