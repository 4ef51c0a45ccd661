"""Postings without a database at hand: posted through a server, run by remote workers, beside pools."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.acceptance import remote_functions
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer, Someone
from tests.posting_backend import close_backend
from tests.value_corpus import CORPUS, same

from workroom import BadInput, ClusterPool, JobFailed, NotFound, Posting, Registry, Room, job
from workroom.client.portal import background
from workroom.domain.errors import WrongState
from workroom.store.embedded import running_url
from workroom.worker.postings import http_backend

FUNCTIONS = "tests.acceptance.remote_functions"
PATIENCE = 60.0
_ = remote_functions  # registers what is posted here


@pytest.fixture
def far(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Generator[LiveServer]:
    """A process that knows the server, and no database."""
    monkeypatch.delenv("WORKROOM_DATABASE", raising=False)
    monkeypatch.setenv("WORKROOM_URL", server.url)
    monkeypatch.setenv("WORKROOM_USER", "poster")
    http_backend.forget_logins()
    yield server
    http_backend.forget_logins()


class RemoteProcess:
    """`workroom worker` as a process that knows no database."""

    def __init__(self, server: LiveServer, *options: str, user: str = "poster", password: str = "") -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
        environment |= {"WORKROOM_URL": server.url, "WORKROOM_USER": user, "WORKROOM_DATA": "/nonexistent"}
        if password:
            environment["WORKROOM_PASSWORD"] = password
        self._process = subprocess.Popen(
            [sys.executable, "-m", "workroom.cli", "worker", FUNCTIONS, *options],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        soon(lambda: any(" offers " in line for line in self.output) or self._process.poll() is not None)
        found = re.search(r"Worker (\S+) offers", "".join(self.output))
        assert found is not None, self.output
        self.id = UUID(found[1])

    def _read(self) -> None:
        """All the time: a worker that logs its jobs must not wait for a full pipe."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self.output.extend(lines)

    def logged(self, name: str) -> set[tuple[str, str | None]]:
        """Events and errors that the worker has logged about the jobs of an extension or function."""
        events = [json.loads(line) for line in list(self.output) if line.startswith("{")]
        return {(one["event"], one.get("error")) for one in events if one.get("name") == name}

    def __enter__(self) -> RemoteProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        assert self._process.wait(30) == 0, self.output
        self._reading.join()


def soon(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def worker(server: LiveServer) -> Generator[RemoteProcess]:
    with RemoteProcess(server, "--slots", "4") as process:
        yield process


def test_values_of_every_kind_travel(far: LiveServer, worker: RemoteProcess) -> None:
    posting = Registry["far_echo"].post_work([(value,) for value in CORPUS.values()])
    results = list(posting.wait(PATIENCE).results())
    pairs = zip(CORPUS.items(), results, strict=True)
    assert [name for (name, value), result in pairs if not same(result[0][0], value)] == []
    halves = {outcome.position: outcome.value for outcome in remote_functions.far_half.map(range(4)).as_completed()}
    assert (halves[0], halves[2]) == (0.0, 1.0) and isinstance(halves[1], JobFailed)


def test_a_posting_goes_through_the_server_and_comes_back_as_it_went(far: LiveServer, worker: RemoteProcess) -> None:
    odd = (None, -0.0, 1e16, math.inf, 2**80, b"\0\xff", "\0\ud800", (1, [2, (3,)]), {1: {"~": ()}, None: {2, 3}})
    posting = Registry["far_echo"].post_work([odd, ()], kwargs=[{"key": (1,)}, {}], label="odd things")
    first, second = posting.wait(PATIENCE).results()
    assert first == (odd, {"key": (1,)}) and math.copysign(1, first[0][1]) == -1 and type(first[0][2]) is float
    assert second == ((), {})
    assert (posting.status, posting.counts().completed) == ("completed", 2)
    assert Posting.of(posting.id).counts() == posting.counts()


def test_a_result_that_is_not_to_be_kept_is_not_stored(far: LiveServer, worker: RemoteProcess) -> None:
    posting = Registry["far_unkept"].post_work([(), ()])
    assert list(posting.wait(PATIENCE).results()) == [None, None] and posting.status == "completed"
    url = running_url(far.data)
    assert url is not None
    with psycopg.connect(url) as connection:
        stored = "SELECT job.result FROM job WHERE posting_id = %s"
        assert connection.execute(stored, [posting.id]).fetchall() == [(None,), (None,)]


def test_failures_are_listed_and_tried_again_from_afar(far: LiveServer, worker: RemoteProcess) -> None:
    posting = Registry["far_half"].post_work([(n,) for n in range(6)])
    assert posting.wait(PATIENCE).status == "failed"
    assert [(failure.position, failure.args, failure.type) for failure in posting.failures()] == [
        (n, (n,), "ValueError") for n in (1, 3, 5)
    ]
    assert "in far_half" in next(posting.failures()).traceback
    with pytest.raises(JobFailed, match="1 is odd"):
        list(posting.results())
    assert list(posting.results(failed="skip")) == [0.0, 1.0, 2.0]
    again = posting.retry_failed()
    assert again is not None and again.wait(PATIENCE).counts().failed == 3
    whole = Registry["far_half"].post_work([(2,)])
    whole.wait(PATIENCE)
    assert whole.retry_failed() is None
    soon(lambda: "the half of 5\n" in worker.output)  # what jobs print is not held back in a pipe
    # A worker logs ten lines a second and counts the others: after a pause there is one for each event of two calls.
    time.sleep(1.5)
    Registry["far_half"].post_work([(1,), (2,)]).wait(PATIENCE)
    wanted = {("job started", None), ("job completed", None), ("job failed", "ValueError: 1 is odd")}
    soon(lambda: wanted <= worker.logged("functions/far_half"))


def test_a_call_past_its_timeout_fails_with_the_reason_from_afar(far: LiveServer, worker: RemoteProcess) -> None:
    posting = Registry["far_slow"].post_work([(0.0,), (3.0,)])
    assert posting.wait(PATIENCE).status == "failed"
    (failure,) = posting.failures()
    assert (failure.args, failure.type, failure.reason) == ((3.0,), "JobTimeout", "timeout")


def test_a_posting_is_paused_resumed_and_called_off_from_afar(far: LiveServer, worker: RemoteProcess) -> None:
    posting = Registry["far_nap"].post_work([(0.02, n) for n in range(100)])
    soon(lambda: posting.counts().ended > 3)
    held = posting.pause()
    assert posting.status == "paused"
    soon(lambda: posting.counts().remaining == held)
    assert posting.resume() == held
    assert posting.cancel() > 0
    assert posting.wait(PATIENCE).status == "cancelled"
    with pytest.raises(WrongState):
        posting.resume()


def test_a_generator_of_many_calls_is_streamed_and_a_bad_call_leaves_nothing(far: LiveServer) -> None:
    name = Registry["far_and_near"]
    posting = name.post_work(((n,) for n in range(60_000)), label="many", priority=0)
    assert posting.counts().total == 60_000
    posting.cancel()
    with pytest.raises(BadInput, match="Call 59999"):
        name.post_work(((n if n < 59_999 else object(),) for n in range(60_000)), label="never written")
    assert name.post_work([(1,)], unique="once").id == name.post_work([(1,)], unique="once").id


@job(name="far_nowhere")
def far_nowhere(number: int) -> None:
    """Nobody offers it."""


def test_a_unique_call_is_left_out_from_afar_too(far: LiveServer) -> None:
    first = far_nowhere.post_work([(n,) for n in range(3)], unique=True)
    again = far_nowhere.post_work([(0,), (9,), (1,), (8,)], unique=True)
    assert (first.duplicates, again.duplicates, again.counts().total) == (0, 2, 2)
    page = background().call(_jobs(far, again.id))
    assert [job["position"] for job in page] == [1, 3]
    first.cancel()
    again.cancel()


async def _jobs(far: LiveServer, posting: UUID) -> list[dict[str, Any]]:
    """Its jobs, fetched one a page."""
    someone = await Someone.signs_in(far, "poster")
    found: list[dict[str, Any]] = []
    position: int | None = 0
    while position is not None:
        page = await someone.get(f"/api/postings/{posting}/jobs", position=position, limit=1)
        found += page["items"]
        position = page["next"]
    await someone.close()
    return found


def test_jobs_post_follow_up_jobs_on_behalf_of_whoever_posted_them(far: LiveServer, worker: RemoteProcess) -> None:
    (inner,) = Registry["far_parent"].post_work([(3,)]).results()
    follow_up = Posting.of(inner)
    assert list(follow_up.wait(PATIENCE).results()) == [0.0, 1.0, 2.0]
    (whole,) = Registry["far_whole"].post_work([(3,)]).results()
    assert whole == [0.0, 1.0, 2.0]


def test_dependencies_hold_between_postings_from_afar(far: LiveServer, worker: RemoteProcess) -> None:
    first = Registry["far_nap"].post_work([(0.05, n) for n in range(4)])
    second = Registry["far_half"].post_work([(2,)], depends_on=[first])
    doomed = Registry["far_half"].post_work([(2,)], depends_on=[Registry["far_half"].post_work([(1,)])])
    assert list(second.wait(PATIENCE).results()) == [1.0]
    assert first.status == "completed"
    assert doomed.wait(PATIENCE).status == "failed"
    assert next(doomed.failures()).reason == "dependency_failed"


def test_a_worker_runs_for_its_owner_and_its_room_and_not_for_others(
    far: LiveServer, worker: RemoteProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKROOM_USER", "somebody-else")
    http_backend.forget_logins()
    theirs = Registry["far_half"].post_work([(2,)])
    with Room("lobby", far.url, "somebody-else"):
        shared = Registry["far_half"].post_work([(4,)], room="lobby")
    assert list(shared.wait(PATIENCE).results()) == [2.0]
    assert theirs.counts().remaining == 1
    with RemoteProcess(far, "--global", user="admin", password=ADMIN_PASSWORD):
        assert list(theirs.wait(PATIENCE).results()) == [1.0]
    monkeypatch.setenv("WORKROOM_USER", "poster")
    http_backend.forget_logins()
    with pytest.raises(NotFound):
        Posting.of(theirs.id)


def test_a_pool_and_a_remote_worker_share_one_queue(far: LiveServer, worker: RemoteProcess) -> None:
    posting = Registry["far_and_near"].post_work([(n,) for n in range(600)])
    url = running_url(far.data)
    assert url is not None
    with ClusterPool(1, imports=[FUNCTIONS], database=url):
        assert list(posting.wait(PATIENCE).results()) == list(range(600))
    with psycopg.connect(url) as connection:
        query = (
            "SELECT kind, count(*) FROM job JOIN worker ON worker.id = worker_id WHERE posting_id = %s GROUP BY kind"
        )
        shares = dict(connection.execute(query, [posting.id]).fetchall())
    print(f"600 jobs: {shares}")
    assert set(shares) == {"pool", "remote"}
    close_backend(url)


def test_without_database_and_server_both_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WORKROOM_DATABASE", "WORKROOM_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))
    with pytest.raises(Exception, match="No database and no server is configured"):
        Registry["far_half"].post_work([(1,)])
