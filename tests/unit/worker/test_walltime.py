"""When a worker must have ended."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from workroom.domain.errors import BadInput
from workroom.worker.walltime import Walltime, find_walltime, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("1.5m", 90), ("2h", 7_200), ("1d", 86_400), ("1:30", 90), ("1-00:01:30", 86_490)],
)
def test_durations_are_those_of_people_and_of_slurm(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-5", "1:2:3:4", "5 apples"])
def test_a_malformed_duration_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="90s, 30m"):
        parse_duration(text)


def test_a_worker_drains_before_its_end() -> None:
    short, long = Walltime.of(100), Walltime.of(10_000)
    assert 89 < short.seconds_left() <= 90 and 9_969 < long.seconds_left() <= 9_970
    assert short.fits(85) and not short.fits(95) and short.fits(None)
    assert not Walltime.of(0).fits(None)
    assert short.seconds_left() < short.drain_seconds() < 100


def test_slurm_tells_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = find_walltime(environment={"SLURM_JOB_ID": "7", "SLURM_JOB_END_TIME": str(int(time.time()) + 100)})
    assert told is not None and 85 < told.seconds_left() <= 90
    later = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() + 1_000))
    scontrol = tmp_path / "scontrol"
    scontrol.write_text(f"#!/bin/sh\necho JobId=$4 EndTime={later} Deadline=N/A\n")
    scontrol.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    asked = find_walltime(environment={"SLURM_JOB_ID": "7"})
    assert asked is not None and 960 < asked.seconds_left() <= 971
    assert find_walltime(environment={}) is None


def test_options_come_before_slurm_and_exclude_each_other() -> None:
    given = find_walltime("10s", environment={"SLURM_JOB_ID": "7", "SLURM_JOB_END_TIME": "99999999999"})
    assert given is not None and given.seconds_left() <= 9
    with pytest.raises(BadInput, match="not both"):
        find_walltime("10s", "2030-01-01T00:00")
