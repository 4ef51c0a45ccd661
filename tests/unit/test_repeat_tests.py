"""`scripts/repeat_tests.sh` makes the tests again and again beside busy loops, and leaves no loop behind."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("target", "code", "told"), [("help", 0, "2 of 2"), ("no-such-target", 1, "0 of 2")])
def test_the_runs_are_counted_and_the_busy_loops_end(target: str, code: int, told: str, tmp_path: Path) -> None:
    script = subprocess.Popen(
        [ROOT / "scripts/repeat_tests.sh", "2"],
        env=os.environ | {"TARGETS": target, "LOGS": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    printed, _ = script.communicate(timeout=60)
    assert script.returncode == code and f"{told} runs passed." in printed, printed
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.log", "2.log"]
    assert not [one for one in psutil.pids() if _session(one) == script.pid]


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


def test_it_is_named_where_contributors_look() -> None:
    assert "scripts/repeat_tests.sh" in (ROOT / "CONTRIBUTING.md").read_text()
