"""`workroom serve` as a person or a service manager meets it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import socket
import stat
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx2
import psutil
import psycopg
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, PROGRAM, LiveServer, PlainWorker, Someone, eventually
from tests.store.postgres_server import throw_away_folder

from workroom.store.embedded import running_url


@pytest.fixture
def folder() -> Generator[Path]:
    with throw_away_folder() as made:
        yield made


def _config(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    return subprocess.run(
        [sys.executable, "-m", "workroom.cli", "config", "show", "--json", "--data", str(folder)],
        capture_output=True,
        text=True,
        env=clean | environment,
        check=False,
    )


def test_each_setting_tells_where_it_comes_from(folder: Path) -> None:
    (folder / "workroom.toml").write_text('port = 9001\nlease_seconds = 12.5\nsecret = "' + "x" * 40 + '"\n')
    told = _config(folder, WORKROOM_PORT="9002", WORKROOM_GUESTS="false")
    rows = {row["name"]: row for row in json.loads(told.stdout)}
    assert (rows["port"]["value"], rows["port"]["origin"]) == (9002, "WORKROOM_PORT")
    assert (rows["lease_seconds"]["value"], rows["lease_seconds"]["origin"]) == (12.5, str(folder / "workroom.toml"))
    assert (rows["guests"]["value"], rows["guests"]["origin"]) == (False, "WORKROOM_GUESTS")
    assert (rows["host"]["value"], rows["host"]["origin"]) == ("127.0.0.1", "default")
    assert rows["secret"]["value"] == "set"
    assert "xxxx" not in told.stdout
    urls = {f"WORKROOM_{name}": "redis://:hidden@127.0.0.1" for name in ("REDIS", "BROKER", "DATABASE", "POOLER")}
    told = _config(folder, **urls)
    assert "hidden" not in told.stdout and told.stdout.count('"set"') == 5


@pytest.mark.parametrize(
    ("toml", "environment", "told"),
    [
        ("prot = 1", {}, "prot"),
        ("port = 'many'", {}, "port"),
        ("port = ", {}, "TOML"),
        ("", {"WORKROOM_LEASE_SECONDS": "-1"}, "WORKROOM_LEASE_SECONDS"),
        ("", {"WORKROOM_SECRET": "short"}, "WORKROOM_SECRET"),
        ("", {"WORKROOM_KEEPDAYS": "3"}, "Did you mean WORKROOM_KEEP_DAYS"),
        ("log_level = 'loud'", {}, "it must be one of debug, info, warning, error"),
        ("", {"WORKROOM_CONFIG": "/no/such/file.toml"}, "WORKROOM_CONFIG"),
    ],
)
def test_a_bad_setting_is_told_with_its_origin(folder: Path, toml: str, environment: dict[str, str], told: str) -> None:
    (folder / "workroom.toml").write_text(toml)
    answer = _config(folder, **environment)
    assert answer.returncode == 1
    assert told in answer.stderr and "Traceback" not in answer.stderr
    assert "short" not in answer.stderr


async def test_it_starts_says_where_and_stops_cleanly_leaving_nothing(own_server: LiveServer) -> None:
    server = own_server
    children = psutil.Process(server.pid).children(recursive=True)
    assert any("postgres" in child.name() for child in children)
    assert json.loads((server.data / "server.json").read_text())["url"] == server.url
    assert stat.S_IMODE((server.data / "secret-key").stat().st_mode) == 0o600
    assert server.stop() == 0
    assert "server stops" in server.log() and "SIGTERM" in server.log()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
    assert not (server.data / "server.json").exists()


async def test_a_busy_port_gives_way_to_the_next_free_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        live = LiveServer()
        live.port = busy = taken.getsockname()[1]
        try:
            live.start()
            assert live.port != busy
        finally:
            live.remove()


def test_an_address_that_cannot_be_had_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    for more in ([], ["--replicas", "2"]):
        ended = subprocess.run(
            [sys.executable, *PROGRAM, "serve", "--host", "192.0.2.1", "--data", str(tmp_path / "data"), *more],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 1 and "Cannot listen on 192.0.2.1:8686" in ended.stderr, ended.stderr
        assert list(tmp_path.iterdir()) == []


async def test_the_first_admin_gets_a_random_password_that_only_its_owner_can_read() -> None:
    live = LiveServer()
    try:
        live.start(admin_password=None)
        kept = live.data / "admin-password"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        password = kept.read_text().strip()
        assert len(password) >= 16
        assert password not in live.log() + live.output
        assert str(kept) in live.output
        admin = await Someone.signs_in(live, "admin", password)
        assert (await admin.get("/api/users/me"))["role"] == "admin"
        await admin.close()
    finally:
        live.remove()


async def test_health_readiness_and_metrics(server: LiveServer, admin: Someone, ada: Someone) -> None:
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        assert (await http.get("/healthz")).json()["status"] == "ok"
        assert (await http.get("/readyz")).json()["status"] == "ready"
        assert (await http.get("/metrics")).status_code == 401
        docs = await http.get("/api/docs")
        assert docs.status_code == 200 and "http://" not in docs.text and "https://" not in docs.text
        assert docs.headers["x-content-type-options"] == "nosniff"
    assert (await ada.http.get("/metrics")).status_code == 403
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        for token, status in (("metrics-token-of-the-tests", 200), ("metrics-token-of-the-test", 401)):
            headers = {"Authorization": f"Bearer {token}"}
            assert (await http.get("/metrics", headers=headers)).status_code == status
            assert (await http.get("/api/users/me", headers=headers)).status_code == 401
    page = (await admin.http.get("/metrics")).text
    for name in ("workroom_jobs{", "workroom_workers", "workroom_request_seconds_bucket", "workroom_sockets"):
        assert name in page, name


async def test_metrics_count_sockets_waits_and_runs(own_server: LiveServer) -> None:
    admin, ada = await Someone.admin(own_server), await Someone.signs_in(own_server, "ada")

    async def figures() -> dict[str, float]:
        lines = (await admin.http.get("/metrics")).text.splitlines()
        pairs = (line.rpartition(" ") for line in lines if line[0] != "#")
        return {re.sub(r"{replica=.*}", "", name): float(value) for name, _, value in pairs}

    assert (await figures())["workroom_sockets"] == 0
    room = await ada.makes_room("lab")
    worker = await PlainWorker.online(ada, room, "Relax")
    await worker.is_seen("idle")
    assert (await figures())["workroom_sockets"] == 1
    await ada.submits(room, "Relax")
    job = await worker.gets()
    await asyncio.sleep(0.3)
    assert (await worker.says(job, "running", confirm=True))["ok"]
    await asyncio.sleep(0.2)
    assert (await worker.says(job, "completed"))["ok"]
    await ada.submits(room, "Relax")
    quick = await worker.gets()
    await asyncio.gather(worker.says(quick, "running"), worker.says(quick, "completed"))
    seen = await figures()
    assert (seen["workroom_job_wait_seconds_count"], seen["workroom_job_run_seconds_count"]) == (2, 2)
    assert 0.3 <= seen["workroom_job_wait_seconds_sum"] < 2.0
    assert 0.2 <= seen["workroom_job_run_seconds_sum"] < 2.0
    assert seen['workroom_jobs_ended_total{state="completed"}'] == 2
    database = running_url(own_server.data)
    with psycopg.connect(database or "") as connection:  # ends that did not pass the server, as those of a pool
        connection.execute("UPDATE job_count SET failed = failed + 5 WHERE shard IN (SELECT min(shard) FROM job_count)")
    assert (await figures())['workroom_jobs_ended_total{state="failed"}'] == 5
    await worker.leaves()
    await eventually(figures, lambda told: told["workroom_sockets"] == 0)
    await admin.close()
    await ada.close()


def test_a_server_takes_as_many_files_as_it_is_let() -> None:
    """Each socket is one, and many systems start programs with a limit of a thousand."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    live = LiveServer()
    live.program = PROGRAM
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 500), hard))
    try:
        live.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    try:
        taken, _ = resource.prlimit(live.pid, resource.RLIMIT_NOFILE)
        assert taken == min(hard, 65_536)
    finally:
        live.remove()


async def test_no_secret_is_in_the_log(own_server: LiveServer) -> None:
    ada = await Someone.signs_in(own_server, "ada")
    room = await ada.makes_room("lab")
    worker = await PlainWorker.online(ada, room, "Relax")
    await ada.http.get("/api/rooms", headers={"Authorization": f"Bearer {ada.token}x"})
    await worker.leaves()
    await ada.close()
    own_server.stop()
    log = own_server.log()
    for secret in (ada.token, worker.token, ADMIN_PASSWORD, (own_server.data / "secret-key").read_text().strip()):
        assert secret not in log


async def test_a_killed_database_is_started_again_and_meanwhile_answers_are_503(own_server: LiveServer) -> None:
    ada = await Someone.signs_in(own_server, "ada")
    room = await ada.makes_room("lab")
    postmaster = next(
        child for child in psutil.Process(own_server.pid).children(recursive=True) if child.name() == "postgres"
    )
    postmaster.kill()
    seen: set[int] = set()

    async def status() -> int:
        code = (await ada.http.get(f"/api/rooms/{room}")).status_code
        seen.add(code)
        return code

    await eventually(status, lambda code: code == 200, 20, "the room again")
    assert seen <= {200, 503}
    assert "Traceback" not in own_server.log()
    await ada.close()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{", "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b'{"name": NaN}', "application/json"),
        (b'{"name": "a\\u0000b"}', "application/json"),
        (b'{"name": "lab", "visibility": "secret"}', "application/json"),
        (b"name=lab", "application/x-www-form-urlencoded"),
        (b"\x1f\x8b\x08\x00" + b"\x00" * 1000, "application/json"),
        (b'{"name": "' + b"x" * 2_000_000 + b'"}', "application/json"),
    ],
)
async def test_malformed_and_huge_bodies_are_refused(ada: Someone, body: bytes, kind: str) -> None:
    answer = await ada.http.post("/api/rooms", content=body, headers={"Content-Type": kind})
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert "Traceback" not in answer.text


async def test_a_job_that_overruns_its_time_is_failed_and_its_worker_told(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Slow", timeoutSeconds=0.5)
    workers.append(worker)
    job_id = (await ada.submits(room, "Slow"))["jobId"]
    job = await worker.gets()
    assert job["timeoutSeconds"] == 0.5
    assert (await worker.says(job, "running"))["ok"]
    told = await worker.cancelled.get()
    assert told["jobId"] == job_id
    failed = await ada.sees(job_id, "failed")
    assert failed["error"]["type"] == "JobTimeout"
    assert (await worker.puts(job, "completed")).status_code == 409


async def test_a_breaker_keeps_jobs_from_a_worker_that_keeps_failing_and_says_so(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Flaky", breakerFailures=2, breakerSeconds=2)
    workers.append(worker)
    for n in range(2):
        await ada.submits(room, "Flaky", {"n": n})
        job = await worker.gets()
        assert (await worker.says(job, "running"))["ok"]
        assert (await worker.says(job, "failed", error={"type": "E", "message": "m"}))["ok"]
    kept = await ada.submits(room, "Flaky")
    assert (kept["status"], kept["waitingFor"]) == ("pending", "breaker_open")
    (seen,) = (await ada.get(f"/api/rooms/{room}/workers"))["items"]
    assert seen["extensions"][0]["breaker"] == "open"
    probe = await worker.gets(within=8)
    await worker.runs(probe)
    assert (await ada.sees(kept["jobId"], "completed"))["attempt"] == 1


async def test_a_cancel_while_a_worker_is_away_reaches_it_when_it_is_back(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    await worker.leaves()
    await eventually(lambda: ada.get(f"/api/workers/{worker.id}"), lambda seen: seen["state"] == "offline")
    await ada.http.delete(f"/api/jobs/{job_id}")
    await worker.attaches()
    async with asyncio.timeout(5):
        assert (await worker.cancelled.get())["jobId"] == job_id
    assert (await worker.says(job, "cancelled"))["ok"]
    await ada.sees(job_id, "cancelled")


async def test_a_submission_right_after_the_first_start_waits_for_the_pool() -> None:
    live = LiveServer(WORKROOM_POOL="1").start()
    ada = await Someone.signs_in(live, "ada")
    try:
        room = await ada.makes_room("lab")
        assert (await ada.get(f"/api/rooms/{room}/extensions"))["items"] == [], "the pool was quicker than the test"
        job = await ada.submits(room, "Empty")
        assert (await ada.sees(job["jobId"], "completed"))["attempt"] == 1
        unknown = await ada.http.post(f"/api/rooms/{room}/extensions/modifiers/Emty/submit", json={"data": {}})
        assert unknown.status_code == 404 and "modifiers/Empty" in unknown.json()["detail"]
    finally:
        await ada.close()
        live.remove()
