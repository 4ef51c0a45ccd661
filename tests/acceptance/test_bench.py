"""The bench runs, and what it writes can be read. How fast this machine is today is not tested here."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import TypedDict

import orjson
import pytest

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results.json"


class Result(TypedDict):
    row: str
    what: str
    value: float
    unit: str
    floor: float | None
    ratio: float | None
    target: str
    ok: bool


@pytest.fixture(autouse=True)
def _results_as_they_were(tmp_path: Path) -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    """A quick run must not pass for the last real one."""
    kept = tmp_path / "results.json"
    if RESULTS.exists():
        shutil.copy(RESULTS, kept)
    yield
    RESULTS.unlink(missing_ok=True)
    if kept.exists():
        shutil.copy(kept, RESULTS)


@pytest.mark.slow
def test_a_quick_bench_prints_its_rows_and_writes_them_down():
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--quick", "--rows", "P1,P2,P6"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "fsync = on" in done.stdout and "synchronous_commit = on" in done.stdout

    results: list[Result] = orjson.loads(RESULTS.read_bytes())
    assert [result["row"] for result in results] == [
        "machine", "P1", "P1-tuned", "P1-pool", "P1-profiles", "P1-pgqueuer", "P2",
        "P6", "P6-100", "P6-stats", "P6-position",
    ]  # fmt: skip
    for result in results:
        assert set(result) == set(Result.__annotations__)
        assert isinstance(result["ok"], bool)
        assert result["what"] and result["unit"] and result["target"]
        assert result["row"] in done.stdout
        if result["floor"] is None:
            assert result["ratio"] is None
        else:
            assert result["ratio"] == pytest.approx(result["value"] / result["floor"], rel=0.01, abs=0.001)
    by_row = {result["row"]: result["value"] for result in results}
    assert 100 < by_row["P1"] < 1_000_000  # jobs/s: a loop that did nothing would be quicker still
    assert 100 < by_row["P2"] < 10_000_000
    assert all(0.01 < by_row[row] < 1_000 for row in ("P6", "P6-100", "P6-stats", "P6-position"))  # ms


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
    place = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    place.chmod(0o711)
    try:
        bench = subprocess.Popen(
            [sys.executable, "-m", "bench", "--rows", "P1"],
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", "TMPDIR": str(place)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        # The file is there before anything is written into it.
        while not (found := [*place.glob("workroom-bench-*/postgres/postmaster.pid")]) or not found[0].read_text():
            assert bench.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        server = int(found[0].read_text().splitlines()[0])
        bench.send_signal(signal.SIGINT)
        _, said = bench.communicate(timeout=60)
        assert bench.returncode == 130, said
        assert "Interrupted" in said
        assert not Path(f"/proc/{server}").exists()
        assert list(place.glob("workroom-bench-*")) == []
    finally:
        shutil.rmtree(place, ignore_errors=True)
