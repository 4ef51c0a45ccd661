"""Postings from end to end: posted through the public API, run by real processes on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import math
import os
import pty
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.acceptance import pool_functions
from tests.value_corpus import CORPUS, same
from tests.workshop import MISCOUNTED

from workroom import BadInput, ClusterPool, JobFailed, Posting, Registry, Unavailable
from workroom.domain.errors import SchemaTooNew, SchemaTooOld
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.states import State
from workroom.pdoflow import JobPosting
from workroom.store.statement import Statement
from workroom.worker.postings import posting as posting_module
from workroom.worker.postings.backend import JobOutcome
from workroom.worker.postings.postgres_backend import PostgresBackend

FUNCTIONS = "tests.acceptance.pool_functions"
PATIENCE = 60.0


@contextmanager
def a_pool(processes: int = 2, kind: type[ClusterPool] = ClusterPool, **settings: Any) -> Generator[ClusterPool]:
    with kind(processes, imports=[FUNCTIONS], **settings) as pool:
        yield pool


def sql(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall()


def soon(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.02)


def well_counted(url: str) -> None:
    assert sql(url, MISCOUNTED) == []


def test_all_results_come_in_order(database: str) -> None:
    posting = Registry["square"].post_work([(n,) for n in range(5_000)], label="squares")
    with a_pool():
        assert list(posting.wait(PATIENCE).results()) == [n * n for n in range(5_000)]
    assert posting.status == "completed"
    assert (posting.counts().completed, posting.counts().remaining) == (5_000, 0)
    assert list(posting.failures()) == []
    assert sql(database, "SELECT count(*) FROM job WHERE attempt <> 1 OR started_at > finished_at") == [(0,)]
    well_counted(database)
    history = "SELECT sum(completed)::int, sum(failed)::int FROM job_history"
    assert sql(database, history) == [(5_000, 0)]
    assert sql(database, "SELECT sum(timed) > 20 FROM job_history, unnest(runs) AS timed") == [(True,)]


def test_arguments_and_results_come_back_as_they_went(database: str) -> None:
    odd = (None, -0.0, 1e16, math.inf, 2**80, b"\0\xff", "\0\ud800", (1, [2, (3,)]), {1: {"~": ()}, None: {2, 3}})
    posting = Registry["echo"].post_work([odd, ()], kwargs=[{"key": (1,)}, {}])
    alone = Registry["echo"].post_work(kwargs=[{"nan": math.nan}])
    with a_pool(1):
        first, second = posting.wait(PATIENCE).results()
        assert first == (odd, {"key": (1,)}) and math.copysign(1, first[0][1]) == -1 and type(first[0][2]) is float
        assert second == ((), {})
        (nan,) = alone.wait(PATIENCE).results()
        assert math.isnan(nan[1]["nan"])


def test_values_of_every_kind_travel_and_others_are_refused_at_once(database: str) -> None:
    kinds = Registry["echo"].post_work([(value,) for value in CORPUS.values()])
    refused = Registry["return_object"].post_work([()])
    dropped = Registry["return_object_unkept"].post_work([()])
    unknown = Registry["echo"].post_work([(1,)])
    gone = '{"args": [{"~": ["dataclass", ["nowhere", "Gone", {}]]}]}'
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE job SET arguments = %s WHERE posting_id = %s", [gone, unknown.id])
    with ClusterPool(1, imports=[FUNCTIONS, "tests.value_corpus"]):
        results = list(kinds.wait(PATIENCE).results())
        wrong = [
            name for (name, value), result in zip(CORPUS.items(), results, strict=True) if not same(result[0][0], value)
        ]
        assert wrong == []
        for posting, fix in ((refused, "Use plain values"), (unknown, "Import it in the module")):
            (failure,) = posting.wait(PATIENCE).failures()
            assert (failure.type, failure.reason, failure.attempts) == ("BadInput", "value_refused", 1)
            assert fix in failure.message
        assert list(dropped.wait(PATIENCE).results()) == [None]


ON_A_TERMINAL = """
from tests.acceptance import pool_functions
from workroom import Registry
from workroom.worker.postings.postgres_backend import PostgresBackend

looks, look = [], PostgresBackend.look

async def counted(self, posting):
    looks.append(posting)
    return await look(self, posting)

PostgresBackend.look = counted
counts = []
for n in range(20):
    looks.clear()
    assert list(Registry["square"].post_work([(n,)]).wait().results()) == [n * n]
    counts.append(len(looks))
print("queries", min(counts))  # on a busy machine some calls take longer
print("slow", list(Registry["nap"].post_work([(1, n) for n in range(2)]).wait().results()))
"""


def test_on_a_terminal_a_quick_call_needs_no_query_and_a_long_one_shows_its_bar(database: str, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(ON_A_TERMINAL)
    ours, theirs = pty.openpty()
    environment = os.environ | {"WORKROOM_DATABASE": database, "TERM": "xterm", "COLUMNS": "120"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    with a_pool(2):
        script = subprocess.Popen(
            [sys.executable, str(tmp_path / "script.py")], stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        said = b""
        with suppress(OSError):  # Linux raises it at the end
            while piece := os.read(ours, 65536):
                said += piece
        assert script.wait(PATIENCE) == 0, said
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode())
    assert "queries 0" in text and "slow [0, 1]" in text, text
    assert re.search(r"nap executing .*0/2", text) and re.search(r"nap completed .*100% 2/2", text), text


def test_results_come_while_other_calls_run(database: str, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    posting = pool_functions.after_file.post_work([(str(gate), 0), ("", 1), ("", -2), ("", 3)])
    with a_pool(2):
        outcomes = posting.as_completed()
        early = sorted([next(outcomes) for _ in range(3)], key=lambda outcome: outcome.position)
        assert posting.status == "executing"
        assert [outcome.position for outcome in early] == [1, 2, 3] and early[0].result() == 1
        with pytest.raises(JobFailed, match=r"^Call \d+: ValueError: .*below zero"):
            early[1].result()
        gate.touch()
        (last,) = outcomes
        assert (last.position, last.result()) == (0, 0)
        assert sorted(posting.results("skip", ordered=False)) == [0, 1, 3]
        squares = pool_functions.square.map(range(3_000))
        assert sorted(squares.results(ordered=False)) == [number**2 for number in range(3_000)]
        assert list(squares) == [number**2 for number in range(3_000)]
        assert asyncio.run(_collected(squares)) == set(range(3_000))


def test_each_outcome_is_read_about_once_while_an_early_call_runs(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[JobOutcome] = []
    outcomes = PostgresBackend.outcomes

    async def counted(*given: Any) -> tuple[list[JobOutcome], int | None]:
        page = await outcomes(*given)
        read.extend(one for one in page[0] if one.state == State.COMPLETED)
        return page

    monkeypatch.setattr(PostgresBackend, "outcomes", counted)
    posting = pool_functions.nap.starmap([(3.0, 0), *((0.01, n) for n in range(1, 200))])
    with a_pool(2):
        assert sorted(posting.results(ordered=False)) == list(range(200))
    assert len(read) < 600, "in the square of the number of calls"


@pytest.mark.parametrize("ordered", [True, False])
def test_results_tell_what_a_posting_waits_for_also_after_its_pool_has_stopped(
    database: str, ordered: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(posting_module, "_TELL_SECONDS", 0.5)

    def told() -> bool:
        return any("square waits: " in record.message and "pool" in record.message for record in caplog.records)

    with a_pool(1):
        assert pool_functions.square.submit(2).result(PATIENCE) == 4
    caplog.clear()
    posting = pool_functions.square.map([3])
    with ThreadPoolExecutor() as threads:
        results = threads.submit(lambda: list(posting.results(ordered=ordered)))
        soon(told)
        with a_pool(1):
            assert results.result(PATIENCE) == [9]


def test_a_posting_whose_calls_had_run_tells_later_that_no_pool_runs(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(posting_module, "_TELL_SECONDS", 0.5)
    posting = pool_functions.nap.starmap([(0.01, n) for n in range(300)])
    with ThreadPoolExecutor() as threads:
        results = threads.submit(lambda: sorted(posting.results(ordered=False)))
        with a_pool(1):
            soon(lambda: posting.counts().completed)
        soon(lambda: [record for record in caplog.records if "nap waits: " in record.message])
        with a_pool(1):
            assert results.result(PATIENCE) == list(range(300))


@pytest.mark.parametrize(
    ("change", "fix"),
    [
        ("DROP TABLE alembic_version", "no tables of Workroom.*workroom db upgrade"),
        ("UPDATE alembic_version SET version_num = '0000'", "schema 0000.*workroom db upgrade"),
        ("UPDATE alembic_version SET version_num = '9999'", "Upgrade this program"),
    ],
)
def test_a_database_of_another_schema_is_refused_with_the_fix(
    own_database_url: str, monkeypatch: pytest.MonkeyPatch, change: str, fix: str
) -> None:
    monkeypatch.setenv("WORKROOM_DATABASE", own_database_url)
    with psycopg.connect(own_database_url, autocommit=True) as connection:
        connection.execute(change.encode())
    uses: list[Callable[[], object]] = [
        lambda: Registry["square"].post_work([(1,)]),
        lambda: pool_functions.square.submit(1),
        ClusterPool(1, imports=[FUNCTIONS]).start,
    ]
    for use in uses:
        with pytest.raises((SchemaTooOld, SchemaTooNew), match=fix):
            use()


def test_single_calls_and_tuples_of_arguments_are_posted(database: str) -> None:
    with a_pool(1):
        call = pool_functions.square.submit(7)
        assert call.result(timeout=30) == 49 and call.done() and call.status == "completed"
        assert pool_functions.square.submit(number=8).result(30) == 64, "also by the name of the argument"
        assert list(pool_functions.square.starmap([(2,), (3,)], label="two")) == [4, 9]


async def _collected(posting: Posting[int]) -> set[int]:
    return {outcome.position async for outcome in posting.as_completed_async()}


@pytest.mark.parametrize("length", [0, 10, 6_900, 7_100, 9_000, 300_000])
def test_a_single_result_comes_back_whatever_its_size(database: str, length: int) -> None:
    """A short one comes with the word that its posting has ended; a notification takes no long ones."""
    with a_pool(1):
        for text in ("x" * length, "\u00e9" * (length // 2), None, {"~": (1, b"\0")}):
            posting = Registry["echo"].post_work([(text,)])
            assert list(posting.results()) == [((text,), {})]
            assert list(posting.results()) == [((text,), {})]
        (failed,) = Registry["picky"].post_work([(3,)]).results(failed="return")
        assert isinstance(failed, JobFailed)


def test_waiting_for_a_single_result_costs_no_query(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The notification of the end carries the result, so `wait().results()` asks the database for nothing."""
    executed: list[str] = []
    for method in ("all", "one", "run"):
        monkeypatch.setattr(Statement, method, _recording(getattr(Statement, method), executed))
    command = [sys.executable, "-m", "workroom.cli", "pool", "--import", FUNCTIONS, "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            assert list(Registry["square"].post_work([(2,)]).wait(PATIENCE).results()) == [4]  # it listens from here on
            assert executed, "statements of this process are recorded"
            posting = Registry["square"].post_work([(3,)])
            soon(lambda: sql(database, f"SELECT FROM posting WHERE id = '{posting.id}' AND status = 'completed'"))
            executed.clear()
            assert list(posting.wait(PATIENCE).results()) == [9]
            assert executed == []
        finally:
            process.terminate()
            process.wait(20)


def _recording(method: Any, executed: list[str]) -> Any:
    async def recorded(statement: Any, connection: Any, **values: Any) -> Any:
        executed.append(statement.name)
        return await method(statement, connection, **values)

    return recorded


def test_a_progress_bar_shows_the_end_of_a_posting(database: str, capfd: pytest.CaptureFixture[str]) -> None:
    posting = Registry["nap"].post_work([(0.05, n) for n in range(3)])
    with a_pool(1):
        posting.wait(PATIENCE, progress=True)
    assert "nap completed" in capfd.readouterr().err


def broken() -> Generator[Any]:
    yield {}
    raise ValueError("the caller's own")


def test_what_cannot_come_back_is_refused_and_nothing_is_written(database: str) -> None:
    with pytest.raises(BadInput, match="Call 11000 contains <object"):
        Registry["echo"].post_work([(n,) for n in range(11_000)] + [(object(),)])
    with pytest.raises(BadInput, match=r"as a tuple, \(5,\)"):
        Registry["echo"].post_work([5])  # pyright: ignore[reportArgumentType]
    with pytest.raises(BadInput, match="as many items"):
        Registry["echo"].post_work([(1,)], kwargs=[{}, {}])
    with pytest.raises(BadInput, match="one key for each call: the second ends after 1"):
        Registry["echo"].post_work([(1,), (2,)], unique=["a"])
    with pytest.raises(BadInput, match="Call 0: give the keyword arguments as a dict, not 5"):
        Registry["echo"].post_work([(1,)], kwargs=[5])  # pyright: ignore[reportArgumentType]
    sources: list[dict[str, Any]] = [{"kwargs": broken()}, {"unique": broken()}]
    for failing in sources:
        with pytest.raises(ValueError, match="the caller's own"):
            Registry["echo"].post_work([(1,), (2,)], **failing)
    assert sql(database, "SELECT count(*) FROM posting") == sql(database, "SELECT count(*) FROM job") == [(0,)]


def test_an_unknown_function_says_which_are_known() -> None:
    with pytest.raises(KeyError, match=r"No function 'sqare' is registered here.*square"):
        Registry["sqare"]


def test_a_generator_is_read_in_pieces(database: str) -> None:
    def many() -> Iterator[tuple[str]]:
        for n in range(60_000):
            yield (f"{n:0500}",)

    Registry["square"].post_work([(1,)])  # imports and connections are not what is measured
    tracemalloc.start()
    posting = Registry["echo"].post_work(many())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert posting.counts().total == 60_000
    assert peak < 30_000_000, f"{peak:,} bytes for 33 MB of arguments"


def test_failures_are_listed_and_tried_again(database: str, tmp_path: Path) -> None:
    paths = [str(tmp_path / str(n)) for n in range(6)]
    for path in paths[::2]:
        Path(path).write_text("here")
    posting = Registry["when_told"].post_work([(path,) for path in paths], label="files")
    assert Registry["square"].post_work([]).status == "completed"
    with a_pool(1):
        assert posting.wait(PATIENCE).status == "failed"
        assert [failure.args for failure in posting.failures()] == [(path,) for path in paths[1::2]]
        failure = next(posting.failures())
        assert (failure.position, failure.type, failure.attempts) == (1, "FileNotFoundError", 1)
        assert "in when_told" in failure.traceback
        with pytest.raises(JobFailed, match="FileNotFoundError"):
            list(posting.results())
        assert list(posting.results(failed="skip")) == ["here"] * 3
        for path in paths[1::2]:
            Path(path).write_text("now")
        again = posting.retry_failed()
        assert again is not None
        assert list(again.wait(PATIENCE).results()) == ["now"] * 3
        assert again.retry_failed() is None
    assert posting.status == "failed"
    linked = sql(database, f"SELECT retry_of FROM job WHERE posting_id = '{again.id}' ORDER BY id")
    assert [row[0] for row in linked] == [failure.job_id for failure in posting.failures()]
    assert sql(database, f"SELECT label FROM posting WHERE id = '{again.id}'") == [("retry of files",)]


def test_under_load_each_lever_moves_exactly_the_jobs_it_should(database: str) -> None:
    """A pool fetches ahead: what it holds and has not begun goes back when its posting is paused."""
    paused, called_off, other = (Registry["nap"].post_work([(0.001, n) for n in range(1_500)]) for _ in range(3))
    failing = Registry["picky"].post_work([(n,) for n in range(1_000)])
    with a_pool():
        soon(lambda: paused.counts().ended > 100)
        paused.pause()
        at = sql(database, "SELECT clock_timestamp()")[0][0]
        soon(lambda: called_off.counts().ended > 100)
        at_once = called_off.cancel()
        soon(lambda: not sql(database, _AT_WORKERS.format(paused.id)))
        before = paused.counts()
        assert paused.pause() == 0 and paused.status == "paused"
        assert 100 < before.completed < 1_500 and before.failed == before.cancelled == 0
        assert list(other.wait(PATIENCE).results()) == list(range(1_500))
        assert called_off.wait(PATIENCE).status == "cancelled"
        assert failing.wait(PATIENCE).counts().failed == 100
        again = failing.retry_failed()
        assert again is not None and again.wait(PATIENCE).counts().failed == 100
        assert paused.counts() == before, "others were run meanwhile, and none of these"
        states = _states(database, paused.id)
        assert states == {("completed", None): before.completed, ("pending", "infinity"): before.remaining}
        begun_after = sql(
            database,
            f"SELECT count(*), coalesce(max(started_at - '{at}'), '0') FROM job "
            f"WHERE posting_id = '{paused.id}' AND started_at > '{at}'",
        )[0]
        print(f"{begun_after[0]} jobs began after the pause, the last {begun_after[1].total_seconds() * 1000:.0f} ms")
        assert begun_after[1].total_seconds() < 1.5
        assert paused.resume() == before.remaining
        assert list(paused.wait(PATIENCE).results()) == list(range(1_500))
    ended = called_off.counts()
    assert ended.cancelled >= at_once > 0 and ended.completed + ended.cancelled == 1_500
    assert sql(database, "SELECT count(*) FROM job WHERE state = 'cancelled' AND result IS NOT NULL") == [(0,)]
    failed = sql(database, f"SELECT id FROM job WHERE posting_id = '{failing.id}' AND state = 'failed' ORDER BY id")
    assert sql(database, f"SELECT retry_of FROM job WHERE posting_id = '{again.id}' ORDER BY id") == failed
    assert sql(database, "SELECT max(losses), max(failures) FROM job WHERE state = 'completed'") == [(0, 0)]
    well_counted(database)


_AT_WORKERS = "SELECT FROM job WHERE posting_id = '{}' AND state IN ('assigned', 'running')"


def _states(url: str, posting: object) -> dict[tuple[str, str | None], int]:
    rows = sql(url, f"SELECT state::text, run_at::text, count(*) FROM job WHERE posting_id = '{posting}' GROUP BY 1, 2")
    return {(state, run_at): count for state, run_at, count in rows}


def test_a_running_job_that_is_called_off_is_stopped(database: str) -> None:
    posting = Registry["stubborn"].post_work([(), ()])
    with a_pool(1) as pool:
        soon(lambda: sql(database, "SELECT FROM job WHERE state = 'running'"))
        posting.cancel()
        assert posting.wait(20).status == "cancelled"
        assert posting.counts().cancelled == 2
        assert list(Registry["square"].post_work([(3,)]).wait(PATIENCE).results()) == [9]
        assert pool.failure_count == 0
    well_counted(database)


def test_a_posting_waits_for_another(database: str) -> None:
    first = Registry["nap"].post_work([(0.01, n) for n in range(20)])
    second = Registry["square"].post_work([(n,) for n in range(20)], depends_on=[first])
    doomed = Registry["square"].post_work([(1,)], depends_on=[Registry["picky"].post_work([(3,)])])
    assert second.counts().ended == 0
    with a_pool():
        assert list(second.wait(PATIENCE).results()) == [n * n for n in range(20)]
        assert doomed.wait(PATIENCE).status == "failed"
        assert next(doomed.failures()).reason == "dependency_failed"
    ended = sql(database, f"SELECT max(finished_at) FROM job WHERE posting_id = '{first.id}'")
    assert ended < sql(database, f"SELECT min(assigned_at) FROM job WHERE posting_id = '{second.id}'")


def test_a_unique_call_is_not_posted_while_it_waits(database: str) -> None:
    calls = [(n,) for n in range(5)]
    first = Registry["square"].post_work(calls, unique=True)
    again = Registry["square"].post_work([*calls, (5,)], unique=True)
    keyed = Registry["square"].post_work([(1,), (2,)], unique=["a", "a"])
    assert (first.duplicates, again.duplicates, keyed.duplicates) == (0, 5, 1)
    with a_pool(1):
        assert list(first.wait(PATIENCE).results()) == [n * n for n in range(5)]
        assert list(again.wait(PATIENCE).results()) == [25]
        assert list(keyed.wait(PATIENCE).results()) == [1]
        later = Registry["square"].post_work(calls, unique=abs).wait(PATIENCE)
        assert later.counts().completed == 5
    well_counted(database)


def test_a_job_that_ends_while_its_start_is_told_completes(database: str) -> None:
    """A job is told of when it has run for 50 ms, or a little later; these end at about the same moment."""
    posting = Registry["nap"].post_work([(0.05 + n % 30 / 1000, n) for n in range(90)])
    with a_pool(2):
        assert list(posting.wait(PATIENCE).results()) == list(range(90))
    well_counted(database)


@pytest.mark.slow
def test_connections_that_break_lose_nothing(database: str) -> None:
    posting = Registry["nap"].post_work([(0.001, n) for n in range(4_000)])
    with a_pool():
        for _ in range(4):
            time.sleep(0.4)
            sql(
                database,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND query NOT LIKE '%posting%'",
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                if posting.counts().remaining == 0:
                    break
            except Unavailable:
                pass  # this program's own connection was among them
            assert time.monotonic() < until
            time.sleep(0.1)
        assert list(posting.results()) == list(range(4_000))
    assert sql(database, "SELECT count(*) FROM job WHERE state <> 'completed'") == [(0,)]
    well_counted(database)


@pytest.mark.slow
def test_a_job_that_kills_its_process_is_failed_and_the_others_complete(database: str) -> None:
    posting = Registry["poison"].post_work([(n,) for n in range(50)])
    with a_pool(1) as pool:
        assert posting.wait(PATIENCE).status == "failed"
        assert pool.failure_count == 3
    (failure,) = posting.failures()
    assert (failure.args, failure.reason) == ((7,), "worker_lost")
    assert list(posting.results(failed="skip")) == [n for n in range(50) if n != 7]


def test_a_job_that_takes_too_long_is_stopped_by_force(database: str) -> None:
    posting = Registry["endless"].post_work([(n,) for n in range(4)])
    with a_pool(1):
        assert posting.wait(PATIENCE).status == "failed"
    (failure,) = posting.failures()
    assert (failure.args, failure.type, failure.reason) == ((1,), "JobTimeout", "timeout")
    assert list(posting.results(failed="skip")) == [0, 2, 3]
    assert sql(database, "SELECT max(attempt) FROM job WHERE state = 'completed'") <= [(2,)]


def test_a_posting_that_keeps_failing_is_deprioritised_but_not_forgotten(database: str, capfd: Any) -> None:
    bad = Registry["when_told"].post_work([("/nowhere",)] * 200)
    good = Registry["square"].post_work([(n,) for n in range(50)])
    with a_pool(1, deprioritise_after=5):
        assert list(good.wait(PATIENCE).results()) == [n * n for n in range(50)]
        assert bad.wait(PATIENCE).counts().failed == 200
    assert "failed 5 times in a row" in capfd.readouterr().err


def test_a_stopped_pool_finishes_what_runs_and_gives_back_the_rest(database: str) -> None:
    posting = Registry["nap"].post_work([(0.3, n) for n in range(6)])
    with a_pool(1):
        soon(lambda: posting.counts().ended)
    states = dict(sql(database, "SELECT state::text, count(*) FROM job GROUP BY state"))
    assert set(states) == {"completed", "pending"} and sum(states.values()) == 6
    assert sql(database, "SELECT max(losses) FROM job") == [(0,)]
    assert sql(database, "SELECT DISTINCT end_reason FROM worker") == [("shutdown",)]
    with a_pool(2):
        assert list(posting.wait(PATIENCE).results()) == list(range(6))


@pytest.mark.full
@pytest.mark.parametrize(("calls", "size"), [(20_000, 10), (3_000, 40_000)])
def test_an_orderly_stop_under_load_repeats_no_call_that_has_returned(
    database: str, tmp_path: Path, calls: int, size: int
) -> None:
    path = tmp_path / "calls"
    posting = Registry["counted"].post_work((str(path), n, size) for n in range(calls))
    for part in range(1, 4):
        with a_pool(2, profile=0.0, recycle_after=calls // 7):
            soon(lambda part=part: posting.counts().ended >= calls * part // 5)
    with a_pool(2, profile=0.0):
        posting.wait(PATIENCE)
    returned = [int(line) for line in path.read_text().splitlines()]
    assert len(returned) == calls and set(returned) == set(range(calls)), "a call that had returned ran again"
    assert posting.counts().completed == calls
    well_counted(database)


def test_processes_are_recycled_without_counting_as_failures(database: str) -> None:
    posting = Registry["square"].post_work([(n,) for n in range(40)])
    with a_pool(1, recycle_after=15) as pool:
        assert list(posting.wait(PATIENCE).results()) == [n * n for n in range(40)]
        assert pool.failure_count == 0
    assert sql(database, "SELECT count(*) > 2 FROM worker") == [(True,)]


@pytest.mark.parametrize("count", [9, pytest.param(25, marks=pytest.mark.full)])
def test_single_calls_come_through_while_processes_come_and_go(database: str, count: int) -> None:
    """Each is sent to a process that has nothing to do, which may be leaving at that moment."""
    with a_pool(2, recycle_after=3) as pool:
        for n in range(count):
            assert list(Registry["square"].post_work([(n,)]).wait(PATIENCE).results()) == [n * n]
        several = [Registry["square"].post_work([(n,)]) for n in range(count)]
        assert [list(one.wait(PATIENCE).results()) for one in several] == [[n * n] for n in range(count)]
        assert pool.failure_count == 0
    assert sql(database, "SELECT max(losses) FROM job") == [(0,)]
    well_counted(database)


def test_a_process_that_no_longer_hears_is_replaced(database: str) -> None:
    """A job may have been sent to it that it does not know of."""
    deaf = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND application_name = 'workroom listener'"
    )
    with a_pool(1) as pool:
        assert list(Registry["square"].post_work([(2,)]).wait(PATIENCE).results()) == [4]
        before = pool.workers[0].pid
        for n in range(4):
            sql(database, deaf)
            assert list(Registry["square"].post_work([(n,)]).wait(PATIENCE).results()) == [n * n]
        soon(lambda: pool.workers and pool.workers[0].pid != before)
        assert pool.failure_count == 0
    assert sql(database, "SELECT max(losses) FROM job") == [(0,)]
    well_counted(database)


def test_a_job_whose_hint_was_lost_is_found(database: str) -> None:
    with a_pool(1, timing=Timing(heartbeat=0.5)) as pool:
        assert list(Registry["square"].post_work([(2,)]).wait(PATIENCE).results()) == [4]
        later = Registry["square"].post_work([(7,)], run_at=datetime.now(UTC) + timedelta(hours=1))
        # The process is idle: it has renewed its lease since it looked for jobs.
        before = sql(database, "SELECT lease_until FROM worker")
        soon(lambda: sql(database, "SELECT lease_until FROM worker") != before)
        assert pool.workers[0].is_alive() and sql(database, "SELECT count(*) FROM worker") == [(1,)]
        changed = (
            "UPDATE job SET state = 'assigned', attempt = 1, assigned_at = now(), run_at = NULL, "
            "worker_id = (SELECT id FROM worker WHERE ended_at IS NULL) WHERE state = 'pending' RETURNING 1"
        )
        assert sql(database, changed) == [(1,)]
        assert list(later.wait(PATIENCE).results()) == [49]
        assert pool.failure_count == 0
    assert sql(database, "SELECT attempt, losses FROM job ORDER BY id DESC LIMIT 1") == [(2, 0)]


def test_the_seeds_examples_subclasses_and_hooks_run_with_another_import_line(database: str) -> None:
    pool_functions.METRICS.clear()
    assert pool_functions.my_task(1) is None and "my_task" in Registry
    plain = Registry["my_task"].post_work([(1,), (2,)])
    chunks = Registry["streaming_job"].post_work([("5",)])
    ready = Registry["is_ready"].post_work([()])
    with a_pool(1, pool_functions.MonitoredPool, process_class=pool_functions.CustomWorker):
        assert list(plain.wait(PATIENCE).results()) == [None, None]
        assert list(chunks.wait(PATIENCE).results()) == [None]
        follow_ups = [row[0] for row in sql(database, _POSTINGS_OF.format("process_chunk"))]
        assert [list(Posting.of(one).wait(PATIENCE).results()) for one in follow_ups] == [[1], [2], [3], [4], [5]]
        (said,) = ready.wait(PATIENCE).results()
        assert said[0] == "ready" and said[-1] == "is_ready"
        soon(lambda: 1 in pool_functions.METRICS.get("workers.active", []))
    assert set(pool_functions.METRICS["workers.failed"]) == {0}
    assert isinstance(plain, JobPosting)


_POSTINGS_OF = "SELECT p.id FROM posting p JOIN extension e ON e.id = p.extension_id WHERE e.name = '{}' ORDER BY p.id"


def test_a_job_waits_for_jobs_and_falls_with_them(database: str) -> None:
    first = Registry["nap"].post_work([(0.05, n) for n in range(3)])
    ids = [row[0] for row in sql(database, f"SELECT id FROM job WHERE posting_id = '{first.id}' ORDER BY id")]
    after_last = Registry["square"].post_work([(7,)], depends_on=ids[1:])
    bad = Registry["picky"].post_work([(1,), (3,)])
    bad_ids = [row[0] for row in sql(database, f"SELECT id FROM job WHERE posting_id = '{bad.id}' ORDER BY id")]
    doomed = Registry["square"].post_work([(1,)], depends_on=[bad_ids[1]])
    behind = Registry["square"].post_work([(2,)], depends_on=[doomed])
    with a_pool():
        assert list(after_last.wait(PATIENCE).results()) == [49]
        assert behind.wait(PATIENCE).status == "failed" and doomed.status == "failed"
    assert next(behind.failures()).reason == "dependency_failed"
    ended = sql(database, f"SELECT max(finished_at) FROM job WHERE id = ANY ('{{{ids[1]},{ids[2]}}}')")
    assert ended < sql(database, f"SELECT assigned_at FROM job WHERE posting_id = '{after_last.id}'")
    well_counted(database)


async def test_an_event_loop_is_not_blocked(database: str) -> None:
    pool = await asyncio.to_thread(ClusterPool(1, imports=[FUNCTIONS]).start)
    try:
        posting = await Registry["square"].post_work_async([(n,) for n in range(10)])
        await posting.wait_async()
        assert [value async for value in posting.results_async()] == [n * n for n in range(10)]
    finally:
        await asyncio.to_thread(pool.stop)


def test_an_idle_pool_answers_at_once_and_rests(database: str) -> None:
    with a_pool(1) as pool:
        list(Registry["square"].post_work([(1,)]).wait(PATIENCE).results())
        worker = pool.workers[0]
        before = _cpu(worker.pid)
        time.sleep(3.0)
        idle = _cpu(worker.pid) - before
        taken: list[float] = []
        for n in range(30):
            began = time.perf_counter()
            assert list(Registry["square"].post_work([(n,)]).results()) == [n * n]
            taken.append(time.perf_counter() - began)
            time.sleep(0.02)
    print(f"idle {idle / 3.0:.2%} of a core; one job: median {sorted(taken)[15] * 1000:.1f} ms")
    assert idle / 3.0 < 0.03
    assert sorted(taken)[15] < 0.2, "hints do not arrive: it waits for the slow poll"


def test_a_pool_writes_down_how_much_it_does(database: str) -> None:
    posting = Registry["picky"].post_work([(n,) for n in range(100)])
    with a_pool(1, timing=Timing(heartbeat=0.5)):
        posting.wait(PATIENCE)
        counts = posting.counts()
        soon(
            lambda: (
                sql(database, "SELECT sum(ended)::integer, sum(failed)::integer FROM worker_throughput")
                == [(100, counts.failed)]
            )
        )
    assert counts.failed > 0


def _cpu(pid: int | None) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_the_tutorial_runs_as_it_stands(database: str, tmp_path: Path) -> None:
    tutorial = (Path(__file__).parents[3] / "docs" / "tutorial" / "first_posting.md").read_text()
    first, hooks = re.findall(r"```python\n(.*?)```", tutorial, re.DOTALL)
    (tmp_path / "squares.py").write_text(first)
    ran = subprocess.run(
        [sys.executable, "squares.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.stdout, ran.returncode) == ("332833500\n", 0), ran.stderr
    compile(hooks, "hooks", "exec")


def test_the_command_drains_when_asked(database: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "workroom.cli", "pool", "--import", FUNCTIONS, "--workers", "1"]
    posting = Registry["nap"].post_work([(0.2, n) for n in range(20)])
    log = tmp_path / "log"
    with log.open("w") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
        try:
            soon(lambda: posting.counts().ended)
            process.terminate()
            assert process.wait(20) == 0
        finally:
            process.kill()
    told = log.read_text()
    assert "1 process runs" in told and "goodbye" in told and "starting another" not in told
    events = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert {"job started", "job completed"} <= {one["event"] for one in events if one.get("name") == "nap"}
    assert set(sql(database, "SELECT DISTINCT state::text FROM job")) == {("completed",), ("pending",)}


def test_the_command_ends_by_force_when_asked_twice(database: str) -> None:
    command = [sys.executable, "-m", "workroom.cli", "pool", "--import", FUNCTIONS, "--workers", "1"]
    Registry["stubborn"].post_work([()])
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            soon(lambda: sql(database, "SELECT FROM job WHERE state = 'running'"))
            process.terminate()
            time.sleep(0.5)
            assert process.poll() is None, "it waits for the job that runs"
            process.terminate()
            assert process.wait(20) == 0
        finally:
            process.kill()
    assert sql(database, "SELECT state::text, losses FROM job") == [("pending", 1)]


def test_the_command_says_what_is_wrong(database: str, tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("")
    for wanted, message in [
        ("no_such_module", "no module 'no_such_module'"),
        ("empty.py", "No function is registered"),
    ]:
        command = [sys.executable, "-m", "workroom.cli", "pool", "--import", wanted]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 1 and message in ran.stderr, ran.stderr


@pytest.mark.slow
def test_a_pool_whose_parent_is_killed_ends_by_itself(database: str) -> None:
    command = [sys.executable, "-m", "workroom.cli", "pool", "--import", FUNCTIONS, "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        soon(lambda: sql(database, "SELECT count(*) FROM worker") == [(2,)])
        process.kill()
    soon(lambda: sql(database, "SELECT count(*) FROM worker WHERE end_reason = 'shutdown'") == [(2,)])
