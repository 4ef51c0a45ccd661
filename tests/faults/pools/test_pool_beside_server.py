"""`workroom pool` beside the embedded database of a server: it finds it again, and keeps the times of the settings."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from tests.acceptance.live import LiveServer, Someone, eventually
from tests.faults.workers.living_workers import Pool

from workroom.store.embedded import running_url


@pytest.fixture
def server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


async def call(server: LiveServer, folder: Path, number: int, within: float) -> float:
    """Post one call, and wait for its end; the seconds that it took."""
    began = time.monotonic()
    ada = await Someone.signs_in(server, "ada")
    body = {"function": "side_effect", "jobs": [{"args": [str(folder), "requeue", number]}]}
    answer = await ada.http.post("/api/postings", json=body)
    assert answer.status_code == 201, answer.text
    posting = f"/api/postings/{answer.json()['postingId']}"
    await eventually(lambda: ada.get(posting), lambda seen: seen["status"] == "completed", within, "the call's end")
    await ada.close()
    return time.monotonic() - began


@pytest.mark.full
@pytest.mark.parametrize("restarts", [2, pytest.param(10, marks=pytest.mark.full)])
async def test_calls_go_on_within_five_seconds_after_each_restart_of_the_server(
    server: LiveServer, tmp_path: Path, restarts: int
) -> None:
    chance = random.Random(restarts)
    pool = Pool(tmp_path, "--data", str(server.data))
    calls = tmp_path / "calls"
    calls.mkdir()
    try:
        await call(server, calls, 0, 15)
        seconds: list[float] = []
        for restart in range(1, restarts + 1):
            server.kill() if chance.random() < 0.5 else server.stop()
            server.start()
            seconds.append(await call(server, calls, restart, 30))
        print(f"{restarts} restarts under a pool: the first call took {max(seconds):.2f} s at most")
        assert restarts < 10 or max(seconds) <= 5, "the campaign runs on a quiet machine"
        lines = [line for file in calls.iterdir() for line in file.read_text().splitlines()]
        assert sorted(lines) == sorted(
            f"{what} requeue {number}" for what in ("begun", "ended") for number in range(restarts + 1)
        )
        assert pool.process.poll() is None
    finally:
        pool.end()


@pytest.mark.full
async def test_a_pool_whose_data_folder_is_gone_says_so_and_exits(server: LiveServer, tmp_path: Path) -> None:
    pool = Pool(tmp_path, "--data", str(server.data))
    try:
        await call(server, tmp_path, 0, 15)
        server.stop()
        shutil.rmtree(server.data)
        assert pool.process.wait(30) == 1
        assert f"The data folder {server.data} is gone" in pool.log()
        assert "Traceback" not in pool.log()
    finally:
        pool.end()


async def test_a_pool_keeps_the_times_of_the_settings(server: LiveServer, tmp_path: Path) -> None:
    (server.data / "workroom.toml").write_text("heartbeat_seconds = 2.0\n")
    pool = Pool(tmp_path, "--data", str(server.data), WORKROOM_LEASE_SECONDS="7")
    url = running_url(server.data)
    assert url
    query = "SELECT extract(epoch FROM lease_until - registered_at)::float8 FROM worker WHERE kind = 'pool'"
    try:
        with psycopg.connect(url, autocommit=True) as connection:

            async def lease() -> float:
                return next((row[0] for row in connection.execute(query.encode()).fetchall()), 0.0)

            assert 6.9 < await eventually(lease, bool, wanted="the pool's worker") < 7.1
            await eventually(lease, lambda seconds: seconds > 8.5, within=4, wanted="a heartbeat after two seconds")
    finally:
        pool.end()
