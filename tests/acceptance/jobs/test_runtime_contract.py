"""One contract, whatever runs the job: a thread, a process for each job, the server's pool, and the pool of functions.

One server serves them all. What takes long for one job is not waited for twice: jobs that only have to end are
submitted together, for all runtimes, before the first test looks. Other modules collect these tests again with runtimes
of their own: `tests.acceptance.jobs.celery.celery_contract`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.acceptance import built_in
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer
from tests.posting_backend import close_backend

from workroom import BadInput, ClusterPool, Extension, File, JobCancelled, JobFailed, Posting, Registry, Room
from workroom.client.blocking_room import JobHandle
from workroom.store.embedded import running_url
from workroom.worker.remote.offers import Offer

PATIENCE = 60.0
AT_ONCE = 4
FUNCTIONS = "tests.acceptance.pool_functions"


@dataclass
class Runtime:
    """A way to run extensions."""

    name: str
    room: Room
    category: str
    prefix: str
    server: LiveServer
    has_processes: bool = True  # whether what does not stop can be killed

    def is_online(self) -> bool:
        return any(
            worker.state == "idle" and any(offer.category == self.category for offer in worker.extensions)
            for worker in self.room.workers
        )

    def submit(self, name: str, **arguments: Any) -> JobHandle:
        return self.room.run(f"{self.category}/{self.prefix}{name}", **arguments)


@pytest.fixture(scope="module")
def rooms(pool_server: LiveServer) -> Generator[dict[str, Runtime]]:
    url = pool_server.url
    with (
        Room("threads", url, "ada") as threads,
        Room("processes", url, "ada") as processes,
        Room("built-in-room", url, "ada") as shipped,
    ):
        for room, classes, isolate in ((threads, built_in.ALL, False), (processes, built_in.ISOLATED, True)):
            _offer(room, classes, isolate=isolate)
        runtimes = (
            Runtime("thread", threads, "threads", "", pool_server, has_processes=False),
            Runtime("isolated", processes, "processes", "Isolated", pool_server),
            Runtime("server pool", shipped, "built-in", "BuiltIn", pool_server),
        )
        for one in runtimes:
            until(one.is_online)
        yield {one.name: one for one in runtimes}


@pytest.fixture(scope="module", params=["thread", "isolated", "server pool"])
def runtime(request: pytest.FixtureRequest, rooms: dict[str, Runtime]) -> Runtime:
    return rooms[request.param]


@pytest.fixture(scope="module")
def ended(rooms: dict[str, Runtime], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], JobHandle]:
    """Jobs that only have to end, of all runtimes at once."""
    jobs: dict[tuple[str, str], JobHandle] = {}
    for one in rooms.values():
        tries = tmp_path_factory.mktemp("tries") / one.category
        for name, arguments in {
            "Returns": {"what": "something"},
            "Raises": {},
            "SecondTry": {"path": str(tries)},
            "Loud": {},
            "Large": {},
            "Flood": {},
            "Slow": {"polite": True},
        }.items():
            jobs[one.name, name] = one.submit(name, **arguments)
        jobs[one.name, "Deaf and slow"] = one.submit("Slow", polite=False)
        jobs[one.name, "Large enough"] = one.submit("Large", size=700_000)
        if one.has_processes:
            jobs[one.name, "exit"] = one.submit("Dies", how="exit")
            jobs[one.name, "SIGSEGV"] = one.submit("Dies", how="SIGSEGV")
            jobs[one.name, "SIGKILL"] = one.submit("Dies", how="SIGKILL")
    for name in ("Loud", "Flood") if "thread" in rooms else ():
        jobs["thread", name].wait(PATIENCE)  # what threads print between tests is pytest's
    return jobs


def _offer(room: Room, classes: tuple[type[Extension], ...], *, isolate: bool) -> None:
    """All in one registration."""
    offers = [
        Offer(
            one,
            isolate=isolate,
            concurrency=AT_ONCE,
            timeout=0.5 if one.__name__.endswith("Slow") else None,
            tries=2 if one.__name__.endswith("SecondTry") else 1,
            run_kwargs={"model": "large"} if one.__name__.endswith("Returns") else {},
        )
        for one in classes
    ]
    room.portal.call(room.inner.worker.offer(*offers))


def until(true: Callable[[], object], within: float = PATIENCE) -> None:
    until = time.monotonic() + within
    while not true():
        assert time.monotonic() < until, "it never came true"
        threading.Event().wait(0.02)


Ended = dict[tuple[str, str], JobHandle]


def _failed(job: JobHandle) -> JobFailed:
    with pytest.raises(JobFailed) as caught:
        job.result(PATIENCE)
    return caught.value


def test_a_form_gets_choices_of_the_room_that_it_can_only_read(runtime: Runtime, ended: Ended) -> None:
    for job in ended.values():  # the answer has a time limit, and all of them at once take many processes
        job.wait(PATIENCE)
    room, path = runtime.room, f"/api/rooms/{runtime.room.name}/extensions/{runtime.category}/{runtime.prefix}Chooses"

    def ask(kind: str) -> Any:
        answer = room.portal.call(room.inner.access.post(f"{path}/choices", {"field": "one", "data": {"kind": kind}}))
        return answer["choices"]

    frames = [{"value": index, "label": f"frame {index} of {room.name}"} for index in range(len(room))]
    assert ask("frames") == frames
    assert ask("letters") == [{"value": "a", "label": "a"}, {"value": "b", "label": "b"}]
    with pytest.raises(BadInput, match="no choices for one: ValueError: no such kind"):
        ask("wrong")
    with pytest.raises(BadInput, match="NotSignedIn"):
        ask("write")
    assert not any(message.text == "a message of a form" for message in room.chat)


@pytest.mark.usefixtures("ended")  # pytest takes the output of a thread back with the next test
def test_a_file_is_on_the_disk_of_the_worker_while_the_job_runs(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "water.xyz").write_text("3\n\nO 0 0 0\n")
    told = runtime.submit("ReadsFile", file=File(tmp_path / "water.xyz")).result(PATIENCE)
    assert (told["name"], told["text"]) == ("water.xyz", "3\n\nO 0 0 0\n")
    assert Path(told["path"]).name == "water.xyz" and not Path(told["path"]).exists()


def test_a_result_comes_back_and_vis_is_the_jobs_room(runtime: Runtime, ended: Ended) -> None:
    result = ended[runtime.name, "Returns"].result(PATIENCE)
    assert (result["what"], result["room"]) == ("something", runtime.room.name)
    assert (result["pid"] == os.getpid()) is not runtime.has_processes
    assert f"something in {runtime.room.name}" in [message.text for message in runtime.room.chat]
    # What is handed to every run is the worker's; the server's pool has nothing to hand.
    assert result.get("model") == (None if runtime.category == "built-in" else "large")


def test_a_failure_comes_back_with_its_traceback(runtime: Runtime, ended: Ended) -> None:
    error = _failed(ended[runtime.name, "Raises"])
    assert (error.remote_type, error.detail["reason"]) == ("ValueError", None)
    assert error.message.startswith(f"{runtime.prefix}Raises failed: ValueError: no such luck")
    assert "in run" in error.remote_traceback and "built_in.py" in error.remote_traceback


def test_a_failed_job_is_tried_as_often_as_it_may_be(runtime: Runtime, ended: Ended) -> None:
    job = ended[runtime.name, "SecondTry"]
    assert job.result(PATIENCE) == "xx"
    detail = job.refresh()
    assert detail.attempt == 2
    assert [attempt.error.message for attempt in detail.attempts if attempt.error] == ["tried 1 times"]


def test_lines_and_bars_are_the_jobs(runtime: Runtime, ended: Ended) -> None:
    job = ended[runtime.name, "Loud"]
    assert job.result(PATIENCE) == 20
    progress = job.refresh().progress
    assert progress is not None and (progress.fraction, progress.message) == (1.0, "stepping")
    lines = [line.text for line in job.logs()]
    assert lines[:3] == ["one line", "two parts", "WARNING mine: look out"]
    assert sorted(lines[3:]) == ["to the other stream", "without an end"]


def test_a_flood_of_lines_is_bounded_and_its_end_is_kept(runtime: Runtime, ended: Ended) -> None:
    job = ended[runtime.name, "Flood"]
    assert job.wait(PATIENCE).status == "completed", job.refresh().error
    lines = [line.text for line in job.logs()]
    assert len(lines) <= 1_000 and max(len(line) for line in lines) <= 2_000
    assert lines[-3] == "line 29999" and set(lines[-2]) == {"x"} and lines[-1] == "the last word"


def test_a_result_that_is_too_large_fails_with_a_clear_word(runtime: Runtime, ended: Ended) -> None:
    error = _failed(ended[runtime.name, "Large"])
    assert error.remote_type == "TooLarge" and "Keep data in the room" in error.message


def test_a_result_too_large_for_a_socket_goes_another_way(runtime: Runtime, ended: Ended) -> None:
    assert ended[runtime.name, "Large enough"].result(PATIENCE) == "x" * 700_000


@pytest.mark.parametrize("which", ["Slow", "Deaf and slow"])
def test_a_job_that_takes_too_long_fails_with_job_timeout(runtime: Runtime, ended: Ended, which: str) -> None:
    error = _failed(ended[runtime.name, which])
    assert (error.remote_type, error.detail["reason"]) == ("JobTimeout", "timeout")
    detail = ended[runtime.name, which].refresh()
    assert detail.execution_time_ms is not None and detail.execution_time_ms < 5_000


def test_a_job_that_looks_stops_by_itself(runtime: Runtime, tmp_path: Path) -> None:
    job = runtime.submit("Polite", path=str(tmp_path / "noticed"))
    until(lambda: job.refresh().progress)
    job.cancel()
    assert job.wait(PATIENCE).status == "cancelled" and (tmp_path / "noticed").exists()
    with pytest.raises(JobCancelled):
        job.result()


def test_a_job_that_does_not_look_is_killed_with_all_it_started(runtime: Runtime) -> None:
    if not runtime.has_processes:
        pytest.skip("a thread cannot be killed")
    job = runtime.submit("Deaf")
    until(job.logs)
    processes = [int(pid) for pid in job.logs()[0].text.split()]
    job.cancel()
    assert job.wait(PATIENCE).status == "cancelled"
    until(lambda: not any(_lives(pid) for pid in processes))


@pytest.mark.parametrize(("how", "told"), [("exit", "exit code 7"), ("SIGSEGV", "SIGSEGV"), ("SIGKILL", "memory")])
def test_a_job_that_kills_its_process_fails_and_the_next_one_runs(
    runtime: Runtime, ended: Ended, how: str, told: str
) -> None:
    if not runtime.has_processes:
        pytest.skip("it would kill the worker")
    job = ended[runtime.name, how]
    error = _failed(job)
    assert (error.remote_type, error.detail["reason"]) == ("ProcessDied", "process_died")
    assert told in error.message
    assert [line.text for line in job.logs()] == ["goodbye"]
    assert runtime.submit("Returns").result(PATIENCE)["room"] == runtime.room.name


def test_a_job_that_was_taken_away_can_change_nothing(runtime: Runtime, tmp_path: Path) -> None:
    job = runtime.submit("Late", path=str(tmp_path / "go"))
    until(lambda: job.refresh().progress)
    with Room(runtime.room.name, runtime.server.url, "admin", ADMIN_PASSWORD) as admin:
        admin.portal.call(admin.inner.access.delete(f"/api/workers/{job.refresh().worker_id}"))
    assert _failed(job).detail["reason"] == "worker_lost"
    (tmp_path / "go").touch()
    raised = tmp_path / "go.raised"
    until(raised.exists)
    assert raised.read_text() == "AttemptLost"
    assert "too late" not in [message.text for message in runtime.room.chat]
    until(runtime.is_online)  # it registers again
    assert runtime.submit("Returns").result(PATIENCE)["room"] == runtime.room.name


@pytest.fixture(scope="module")
def postings(pool_server: LiveServer) -> Generator[dict[str, Posting[Any]]]:
    """The same for functions: they run without a room, so only what needs none applies to them."""
    database = running_url(pool_server.data)
    assert database is not None
    with ClusterPool(2, imports=[FUNCTIONS], database=database):
        yield posted(database)
    close_backend(database)


def posted(database: str) -> dict[str, Posting[Any]]:
    return {
        name: Registry[name].post_work(calls, database=database)
        for name, calls in {
            "square": [(3,)],
            "picky": [(3,)],
            "endless": [(1,), (2,)],
            "poison": [(7,), (8,)],
        }.items()
    }


def test_the_pool_of_functions_keeps_the_contract(postings: dict[str, Posting[Any]]) -> None:
    for posting in postings.values():
        posting.wait(PATIENCE)
    assert list(postings["square"].results()) == [9]
    (failed,) = postings["picky"].failures()
    assert (failed.type, failed.message) == ("ValueError", "not 3") and "pool_functions.py" in failed.traceback
    (overran,) = postings["endless"].failures()
    assert (overran.position, overran.type, overran.reason) == (0, "JobTimeout", "timeout")
    (deadly,) = postings["poison"].failures()
    assert (deadly.position, deadly.reason) == (0, "worker_lost")  # it has cost three processes
    assert list(postings["poison"].results(failed="skip")) == [8]


def _lives(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
