"""The benchmark runs, and writes every row that it can measure. How fast this machine is is not tested here."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TypedDict

import orjson
import pytest
from bench.__main__ import exit_status
from bench.environment import Environment
from bench.results import Results, measure_group
from bench.row import Group, Row, RowSkipped, failed, measured, printed, skipped

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "bench" / "results.json"


class Result(TypedDict):
    row: str
    what: str
    value: float | None
    unit: str
    floor: float | None
    ratio: float | None
    target: str
    status: str
    reason: str | None


@pytest.fixture(autouse=True)
def _results_as_they_were(tmp_path: Path) -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    """The results of a quick run must not replace those of the last full run."""
    copy = tmp_path / "results.json"
    if RESULTS.exists():
        shutil.copy(RESULTS, copy)
    yield
    RESULTS.unlink(missing_ok=True)
    if copy.exists():
        shutil.copy(copy, RESULTS)


@pytest.mark.slow
@pytest.mark.full
def test_a_quick_bench_prints_its_rows_and_writes_them_down():
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--quick", "--rows", "P1,P2,P6"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=420,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "fsync = on" in done.stdout and "synchronous_commit = on" in done.stdout

    results: list[Result] = orjson.loads(RESULTS.read_bytes())
    assert [result["row"] for result in results] == [
        "machine", "P1", "P1-tuned", "P1-pool", "P1-profiles", "P1-pgqueuer", "P1-million", "P1-million-memory", "P2",
        "P6", "P6-100", "P6-stats", "P6-position",
    ]  # fmt: skip
    for result in results:
        assert set(result) == set(Result.__annotations__)
        assert result["row"] in done.stdout
        if result["row"].startswith("P1-million"):
            assert (result["status"], result["value"]) == ("skipped", None)
            assert result["reason"] == "too long for --quick"
            continue
        assert result["status"] in {"met", "missed", "printed"} and result["reason"] is None
        assert result["what"] and result["unit"] and result["target"]
        assert result["value"] is not None
        if result["floor"] is None:
            assert result["ratio"] is None
        else:
            assert result["ratio"] == pytest.approx(result["value"] / result["floor"], rel=0.01, abs=0.001)
    by_row = {result["row"]: result["value"] or 0.0 for result in results}
    assert 100 < by_row["P1"] < 1_000_000  # jobs/s: a loop that did nothing would be quicker still
    assert 100 < by_row["P2"] < 10_000_000
    assert all(0.01 < by_row[row] < 1_000 for row in ("P6", "P6-100", "P6-stats", "P6-position"))  # ms


def two_groups(first: Callable[[Environment], Iterator[Row]]) -> list[Row]:
    """The rows of a group of two rows, then those of a group that can be measured."""
    environment = Environment("postgresql://none", share=1.0)
    groups = [Group(("P1", "P1-tuned"), first), Group(("P2",), _second)]
    return [row for group in groups for row in measure_group(group, environment)]


def _second(_: Environment) -> Iterator[Row]:
    """A group that works."""
    yield printed("P2", "jobs posted", 2.0, "jobs/s")


def test_a_row_that_fails_does_not_lose_the_others() -> None:
    def breaks(_: Environment) -> Iterator[Row]:
        """A group whose second row loses a job."""
        yield printed("P1", "jobs completed", 1.0, "jobs/s")
        raise AssertionError("a job was lost")

    rows = two_groups(breaks)
    assert [(row.row, row.status) for row in rows] == [
        ("P1", "printed"),
        ("P1-tuned", "failed"),
        ("P2", "printed"),
    ]
    assert "a job was lost" in str(rows[1].reason)


def test_a_row_whose_requirements_are_missing_is_skipped_with_the_reason() -> None:
    def needs_chromium(_: Environment) -> Iterator[Row]:
        """A group that cannot be measured here."""
        raise RowSkipped("Chromium is not installed")
        yield

    rows = two_groups(needs_chromium)
    assert [(row.row, row.status, row.reason) for row in rows] == [
        ("P1", "skipped", "Chromium is not installed"),
        ("P1-tuned", "skipped", "Chromium is not installed"),
        ("P2", "printed", None),
    ]


def test_every_row_is_in_the_file_as_soon_as_it_is_measured(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.json")
    for number, row in enumerate([printed("P1", "jobs", 1.0, "jobs/s"), skipped("P8", "no Chromium")], start=1):
        results.add(row)
        assert len(orjson.loads((tmp_path / "results.json").read_bytes())) == number


@pytest.mark.full
def test_rows_without_a_browser_are_skipped_and_the_next_ones_measured() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_CHROMIUM],
        cwd=ROOT,
        env=os.environ | {"WORKROOM_CHROMIUM": ""},
        capture_output=True,
        text=True,
        timeout=420,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results: list[Result] = orjson.loads(RESULTS.read_bytes())
    assert [(result["row"], result["status"]) for result in results[1:4]] == [
        (row, "skipped") for row in ("P8-load", "P8-task", "P8-pace")
    ]
    assert all("Chromium" in str(result["reason"]) for result in results[1:4])
    assert results[4]["row"] == "P9-db" and results[4]["value"] is not None


WITHOUT_CHROMIUM = """
import sys
from bench.rows import browser
browser.CHROMIUM = ()
from bench.__main__ import main
sys.exit(main(["--quick", "--rows", "P8-load,P8-task,P8-pace,P9-db"]))
"""


def test_only_missed_targets_and_failures_count_for_the_exit_status() -> None:
    met = measured("P2", "jobs posted", 2.0, "jobs/s", target="≥ 1", met=True)
    missed = measured("P2", "jobs posted", 0.5, "jobs/s", target="≥ 1", met=False)
    assert exit_status([met, skipped("P8", "no Chromium")], quick=False) == 0
    assert exit_status([met, missed], quick=False) == 1
    assert exit_status([met, missed], quick=True) == 0
    assert exit_status([met, failed("P8", "it crashed")], quick=True) == 1


def test_an_unknown_row_is_refused_with_the_known_ones():
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--rows", "P1,P77"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "no row P77" in done.stderr and "P6-stats" in done.stderr


@pytest.mark.slow
def test_an_interrupted_bench_leaves_nothing_behind():
    # Below the system's temporary folder, which the server's account can enter; pytest's own is closed to it.
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    folder.chmod(0o711)
    try:
        bench = subprocess.Popen(
            [sys.executable, "-m", "bench", "--rows", "P1"],
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", "TMPDIR": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        # The file is there before anything is written into it.
        while not (found := [*folder.glob("workroom-bench-*/postgres/postmaster.pid")]) or not found[0].read_text():
            assert bench.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        server = int(found[0].read_text().splitlines()[0])
        bench.send_signal(signal.SIGINT)
        _, output = bench.communicate(timeout=60)
        assert bench.returncode == 130, output
        assert "Interrupted" in output
        assert not Path(f"/proc/{server}").exists()
        assert list(folder.glob("workroom-bench-*")) == []
    finally:
        shutil.rmtree(folder, ignore_errors=True)
