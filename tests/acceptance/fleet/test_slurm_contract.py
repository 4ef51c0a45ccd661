"""Workers that a SLURM fleet starts keep the contract of all runtimes."""

from __future__ import annotations

import dataclasses
import inspect
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.fleet import fleet_contract
from tests.acceptance.fleet.fleet_process import running_fleet, wait_until
from tests.acceptance.fleet.slurm_cluster import SlurmCluster, running_cluster
from tests.acceptance.jobs import test_runtime_contract as contract
from tests.acceptance.jobs.test_runtime_contract import Runtime
from tests.acceptance.live import ADMIN_PASSWORD, ROOT, LiveServer

from workroom import Room

pytestmark = pytest.mark.full
NAME = "slurm-room"
SCRIPT = f"""#!/bin/bash
exec "{ROOT}/.venv/bin/python" -m tests.acceptance.fleet.fleet_contract
"""


# The jobs and the tests of the contract, which use the fixtures of this module here.
ended = contract.ended
globals().update(
    {
        name: test
        for name, test in vars(contract).items()
        if name.startswith("test_") and "runtime" in inspect.signature(test).parameters
    }
)


@pytest.fixture(scope="module")
def slurm() -> Generator[SlurmCluster]:
    yield from running_cluster()


@pytest.fixture(scope="module")
def rooms(
    pool_server: LiveServer, slurm: SlurmCluster, tmp_path_factory: pytest.TempPathFactory
) -> Generator[dict[str, Runtime]]:
    template: Path = tmp_path_factory.mktemp("slurm") / "worker.sbatch"
    template.write_text(SCRIPT)
    output = f"--sbatch-option=--output={slurm.folder}/%j.out"
    arguments = [
        "slurm",
        "--template",
        str(template),
        "--room",
        NAME,
        "--name",
        NAME,
        "--min",
        "1",
        "--max",
        "1",
        output,
    ]
    environment = slurm.environment | {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT}/src"}
    # Later runtimes may name their server.
    server: dict[str, Any] = {"server": pool_server} if "server" in _fields(Runtime) else {}
    with (
        Room(NAME, pool_server.url, "admin", ADMIN_PASSWORD) as room,
        running_fleet(pool_server, *arguments, **environment) as fleet,
    ):
        one = Runtime(
            name="slurm fleet", room=room, category=fleet_contract.CATEGORY, prefix=fleet_contract.PREFIX, **server
        )
        wait_until(one.is_online, 60, lambda: fleet.output + slurm.log())
        yield {one.name: one}


@pytest.fixture(scope="module", params=["slurm fleet"])
def runtime(request: pytest.FixtureRequest, rooms: dict[str, Runtime]) -> Runtime:
    return rooms[request.param]


def _fields(kind: Any) -> set[str]:
    return {field.name for field in dataclasses.fields(kind)}
