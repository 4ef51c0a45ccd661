"""`workroom demo --check` drives one job of each kind to its result."""

from __future__ import annotations

import os
import subprocess
import sys


def test_the_demo_checks_itself() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    ended = subprocess.run(
        [sys.executable, "-m", "workroom.cli", "demo", "--check"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=environment,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Every kind of job ended as expected." in ended.stdout
