"""The race against other queues: each queue has a program and a row, and the page shows the results that are kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from bench.peer_race import __main__ as race
from bench.peer_race.entrants import ENTRANTS, Entrant
from bench.peer_race.machine import busy
from bench.peer_race.measuring import PROGRAMS
from docs import render_peers
from docs.render_peers import RESULTS, BusyMachineError, chart, peers

ROOT = Path(__file__).parents[2]
FIGURES = {"tasks", "done", "perSecond", "calls", "p50", "p95", "waiting", "lost", "versions"}


def _measured_at(load: float, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The kept results, as if measured at this load of two cores."""
    results = orjson.loads(RESULTS.read_bytes())
    results["machine"] |= {"cores": 2, "loadBefore": load}
    file = folder / "peers.json"
    file.write_bytes(orjson.dumps(results))
    monkeypatch.setattr(render_peers, "RESULTS", file)
    return results


def test_figures_of_a_busy_machine_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _measured_at(0.5, tmp_path, monkeypatch)
    assert "measure again" not in peers().lower() and chart().startswith("<svg")
    _measured_at(0.51, tmp_path, monkeypatch)
    for render in (peers, chart):
        with pytest.raises(BusyMachineError, match=r"load was 0\.51 .* Measure again on a quiet machine"):
            render()


def test_the_kept_figures_are_of_a_quiet_machine() -> None:
    reason = busy(orjson.loads(RESULTS.read_bytes())["machine"])
    assert reason is None, reason


def test_nothing_is_measured_for_the_page_on_a_busy_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measures(entrant: Entrant, share: float) -> dict[str, Any]:
        raise AssertionError("measured")

    monkeypatch.setattr(race, "FILE", tmp_path / "peers.json")
    monkeypatch.setattr(os, "getloadavg", lambda: (99.0, 99.0, 99.0))
    monkeypatch.setattr(race, "measure", measures)
    assert race.main([]) == 1
    assert "quiet machine" in " ".join(capsys.readouterr().err.split())
    assert not race.FILE.exists()


def test_every_queue_has_a_program_a_result_and_a_row_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = _measured_at(0.1, tmp_path, monkeypatch)
    assert [row["name"] for row in results["peers"]] == [one.name for one in ENTRANTS]
    assert not results["quick"]
    page = peers()
    for row in results["peers"]:
        assert (PROGRAMS / f"{row['name']}_peer.py").exists()
        assert set(row) >= FIGURES or row["failed"]
        assert f"\n| {row['title']} |" in page
    assert {"celery", "dramatiq", "rq", "arq", "taskiq", "huey", "procrastinate", "pgqueuer", "dask", "workroom"} == {
        one.name for one in ENTRANTS
    }


def test_the_results_say_what_the_machine_is_but_not_its_name() -> None:
    machine = orjson.loads(RESULTS.read_bytes())["machine"]
    assert set(machine) == {
        "cores", "memoryGB", "processor", "system", "python", "redis", "postgresql", "loadBefore"
    }  # fmt: skip


def test_the_readme_has_the_ratio_to_the_fastest_other_queue() -> None:
    rows = [row for row in orjson.loads(RESULTS.read_bytes())["peers"] if "failed" not in row]
    (ours,) = [row for row in rows if row["name"] == "workroom"]
    fastest = max((row for row in rows if row is not ours), key=lambda row: row["perSecond"])
    told = re.search(
        r"Workroom does\s+([\d.]+) times as many no-op tasks a second as (\w+)", (ROOT / "README.md").read_text()
    )
    assert told is not None
    assert told.groups() == (f"{ours['perSecond'] / fastest['perSecond']:.1f}", fastest["title"])


def test_the_printed_table_has_the_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    race._print(orjson.loads(RESULTS.read_bytes())["peers"])  # pyright: ignore[reportPrivateUsage]
    printed = " ".join(capsys.readouterr().out.split())
    assert "Workroom is" in printed
    for ratio in re.findall(r"\| ([\d.]+ x) \|", peers()):
        assert ratio in printed


def test_a_queue_that_fails_is_a_row_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(entrant: Entrant, share: float) -> dict[str, Any]:
        raise subprocess.TimeoutExpired(["uv", "pip"], 600)

    monkeypatch.setattr(race, "measure", fails)
    row = race._row(ENTRANTS[1], 1.0)  # pyright: ignore[reportPrivateUsage]
    assert row["name"] == "celery" and "600" in row["failed"] and "perSecond" not in row


@pytest.mark.slow
@pytest.mark.full
def test_a_quick_race_measures_and_loses_nothing_on_postgresql(tmp_path: Path) -> None:
    output = tmp_path / "peers.json"
    done = subprocess.run(
        [sys.executable, "-m", "bench.peer_race", "--quick", "--peers", "workroom", "--output", str(output)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (row,) = orjson.loads(output.read_bytes())["peers"]
    assert set(row) >= FIGURES, row
    assert row["done"] == row["tasks"] == 1_000 and row["lost"] == 0
    assert 0 < row["p50"] <= row["p95"]
