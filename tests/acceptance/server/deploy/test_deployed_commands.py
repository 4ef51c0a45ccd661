"""The commands of `deploy/` run as they are written, in a view of this machine that is thrown away."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from tests.acceptance.live import ROOT
from tests.acceptance.server.deploy.scratch_root import scratch_root

pytestmark = pytest.mark.full


@pytest.mark.timeout(1_000)
@pytest.mark.parametrize(
    ("files", "needed"),
    [
        ("units", ["redis-server"]),
        ("fleet", ["slurmctld", "slurmd", "munged", "sbatch"]),
        ("compose", ["redis-server", "caddy", "pg_isready"]),
        ("image", ["git"]),
    ],
)
def test_every_command_runs_as_written(files: str, needed: list[str]) -> None:
    for program in needed:
        if shutil.which(program, path="/usr/sbin:/usr/bin:/bin") is None:
            pytest.skip(f"{program} is not installed")
    with scratch_root(own_network=files != "image") as words:
        command = [
            "env",
            "--chdir",
            str(ROOT),
            sys.executable,
            "-m",
            "tests.acceptance.server.deploy.run_deployed",
            files,
        ]
        done = subprocess.run([*words, *command], capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
