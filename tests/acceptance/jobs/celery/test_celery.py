"""Celery: what Flower sees, and calls to and from existing applications."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from tests.acceptance import pool_functions, profiled_functions
from tests.acceptance.jobs.celery import existing_celery_app, gpu_functions
from tests.acceptance.jobs.celery.celery_fleet import CeleryFleet, celery_worker, redis_fleet
from tests.acceptance.live import ROOT

from workroom import JobFailed
from workroom.celery import celery_task
from workroom.celery.app import celery_app

PATIENCE = 60.0
OPTIONS = [
    "--import",
    "tests.acceptance.jobs.celery.existing_celery_app",
    "--import",
    profiled_functions.__name__,
    "--import",
    "tests.acceptance.jobs.celery.gpu_functions",
    "--offer",
    "gpus=1",
    "-Q",
    "first,second",
    "-n",
    "test@%h",
]


@pytest.fixture(scope="module")
def celery(tmp_path_factory: pytest.TempPathFactory) -> Generator[CeleryFleet]:
    with redis_fleet(tmp_path_factory.getbasetemp(), *OPTIONS) as started:
        yield started


@pytest.fixture
def here(celery: CeleryFleet, monkeypatch: pytest.MonkeyPatch) -> str:
    """Postings go to the fleet's database."""
    monkeypatch.setenv("WORKROOM_DATABASE", celery.database)
    return celery.database


def test_a_posting_calls_a_task_of_an_existing_application_by_name(here: str) -> None:
    posting = celery_task("existing.add").post_work([(1, 2), (3, 4)])
    assert list(posting.results()) == [3, 7]
    ((name, pid),) = celery_task("existing.who").post_work([()]).results()
    assert name == "existing.who" and pid != os.getpid()
    (failed,) = celery_task("existing.fails").post_work([()]).wait(PATIENCE).failures()
    assert (failed.type, failed.message) == ("ValueError", "the task has failed")


def test_an_existing_application_calls_a_function_as_a_task(here: str, tmp_path: Path) -> None:
    assert existing_celery_app.note.name == "workroom.note"
    for _ in range(2):  # Celery delivers the task twice
        assert existing_celery_app.note.apply(args=(str(tmp_path), 5), task_id=str(tmp_path)).get() == 5
    assert (tmp_path / "5").read_text() == "."
    with pytest.raises(JobFailed, match="not 3"):
        existing_celery_app.app.tasks["existing.picky"].apply(args=(3,), throw=True)


def test_a_task_that_is_called_as_a_function_posts_each_call(here: str, tmp_path: Path) -> None:
    assert existing_celery_app.note(str(tmp_path), 5) == 5
    assert existing_celery_app.note(str(tmp_path), 6) == 6


def test_a_function_with_resources_runs_where_they_are_offered(here: str) -> None:
    assert list(gpu_functions.on_gpu.post_work([(3,)]).results()) == [3]


def test_a_job_whose_message_was_revoked_gets_another_one(celery: CeleryFleet, here: str, tmp_path: Path) -> None:
    """Celery keeps revoked ids for hours, and drops every task that has one."""
    go = tmp_path / "go"
    blocking = pool_functions.after_file.post_work([(str(go), number) for number in range(2)])
    control: Any = celery_app(celery.broker).control
    waits_until(lambda: len(_tasks(control.inspect().active())) == 2)
    posting = pool_functions.square.post_work([(7,)])
    sent: list[dict[str, Any]] = []

    def is_reserved() -> bool:
        sent[:] = [task for task in _tasks(control.inspect().reserved()) if task["name"] == "square"]
        return len(sent) == 1

    try:
        waits_until(is_reserved)
        control.revoke(sent[0]["id"], reply=True)
    finally:
        go.touch()
    assert list(blocking.results()) == [0, 1]
    posting.wait(PATIENCE)
    assert list(posting.results()) == [49]


def _tasks(answers: dict[str, list[dict[str, Any]]] | None) -> list[dict[str, Any]]:
    """Those of all workers."""
    return [task for tasks in (answers or {}).values() for task in tasks]


def waits_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_celery_worker_of_an_application_calls_functions(
    celery: CeleryFleet, here: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prefork worker on Redis. A retry of the task posts its call again; the first one has failed."""
    monkeypatch.setenv("EXISTING_BROKER", f"{celery.broker}/5")
    module = "tests.acceptance.jobs.celery.celery_app_on_redis"
    command = [sys.executable, "-m", "celery", "-A", module, "worker", "--concurrency", "2", "--loglevel", "info"]
    with (tmp_path / "log").open("w") as log:
        worker = subprocess.Popen([*command, "-Q", "people"], cwd=ROOT, stdout=log, stderr=log)
    try:
        app = import_module(module)
        assert app.note.delay(str(tmp_path), 5).get(timeout=PATIENCE) == 5
        told = app.when_told.delay(str(tmp_path / "told"))
        waits_until(lambda: "Retry in" in (tmp_path / "log").read_text())
        (tmp_path / "told").write_text("at last")
        assert told.get(timeout=PATIENCE) == "at last"
        app.app.close()
    finally:
        worker.terminate()
        worker.wait(30)


def test_calls_are_profiled_as_in_a_pool(here: str) -> None:
    profiled_functions.workload.post_work([(2,)] * 8).wait(PATIENCE)
    query = (
        "SELECT function, executions, calls FROM profile_hotspots WHERE job = 'workload' "
        "AND file LIKE '%profiled_functions.py' ORDER BY calls DESC"
    )
    with psycopg.connect(here, autocommit=True) as connection:
        deadline = time.monotonic() + PATIENCE
        while len(rows := connection.execute(query).fetchall()) < 4 or rows[0][1] < 8:
            assert time.monotonic() < deadline, f"the profiles are incomplete: {rows}"
            time.sleep(0.05)
    assert rows == [("spin", 8, 8 * 17), ("hot", 8, 56), ("cold", 8, 24), ("workload", 8, 8)]


def test_flower_gets_the_names_of_functions(celery: CeleryFleet, here: str) -> None:
    """From the events that Flower reads. Messages hold the id and the attempt of a job, and nothing else."""
    app = celery_app(celery.broker)
    heard: list[dict[str, Any]] = []
    listening, done = threading.Event(), threading.Event()

    def listen() -> None:
        with app.connection() as connection:
            receiver = app.events.Receiver(connection, handlers={"task-received": heard.append, "*": _ignore})
            listening.set()
            while not done.is_set():
                with suppress(TimeoutError):
                    receiver.capture(limit=None, timeout=0.5, wakeup=False)

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        assert listening.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while not heard:
            assert time.monotonic() < deadline, "no event of a task came"
            assert list(pool_functions.square.post_work([(4,)]).results()) == [16]
    finally:
        done.set()
        thread.join(PATIENCE)
    event = heard[0]
    job_id, attempt, _ = event["uuid"].rsplit("-", 2)
    assert (event["name"], event["args"], event["kwargs"]) == ("square", f"['{job_id}', {attempt}]", "{}")


def _ignore(_: dict[str, Any]) -> None:
    return None


@pytest.mark.full
def test_flower_itself_shows_them(celery: CeleryFleet, here: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"FLOWER_UNAUTHENTICATED_API": "true"}
    command = [sys.executable, "-m", "celery", "--broker", celery.broker, "flower", f"--port={port}"]
    flower = subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        deadline = time.monotonic() + PATIENCE
        names: set[str | None] = set()  # none: Flower has missed the first event of a task
        while "square" not in names:
            assert flower.poll() is None and time.monotonic() < deadline, f"Flower shows {names}"
            with suppress(httpx2.TransportError):
                answer = httpx2.get(f"http://127.0.0.1:{port}/api/tasks", timeout=10, trust_env=False)
                assert answer.status_code == 200, answer.text
                names = {task["name"] for task in answer.json().values()}
                assert list(pool_functions.square.post_work([(4,)]).results()) == [16]
        assert "workroom.function" not in names
    finally:
        flower.terminate()
        flower.wait(30)


def _refused(*options: str, **environment: str) -> str:
    known = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    command = [sys.executable, "-m", "workroom.cli", "celery", *options]
    ended = subprocess.run(
        command, env=known | environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    return ended.stderr


@pytest.mark.full
def test_options_that_cannot_work_are_refused_with_what_to_do(celery: CeleryFleet) -> None:
    assert "give --broker or WORKROOM_BROKER" in _refused()
    known = {"WORKROOM_BROKER": celery.broker, "WORKROOM_DATABASE": celery.database}
    assert "Leave --pool out" in _refused("--pool", "prefork", **known)


def test_more_processes_than_the_database_has_connections_for_are_refused(celery: CeleryFleet) -> None:
    known = {"WORKROOM_BROKER": celery.broker, "WORKROOM_DATABASE": celery.database}
    options = ["--no-built-in", "--import", pool_functions.__name__, "--without-mingle"]
    assert "give a lower --concurrency" in _refused(*options, "--concurrency", "400", **known)


def test_a_worker_ends_before_its_walltime(celery: CeleryFleet) -> None:
    worker = celery_worker(celery.server, celery.broker, "--no-built-in", "-n", "short@%h", "--walltime", "12s")
    try:
        waits_until(lambda: worker.has_ended)
        assert "the walltime ends in" in worker.output() and "Traceback" not in worker.output()
    finally:
        assert worker.stop() == 0
