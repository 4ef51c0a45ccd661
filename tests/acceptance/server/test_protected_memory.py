"""Other processes of the same user cannot read the memory and environment of those that hold secrets."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is of Linux")

NOBODY = 65534
# Root may read everything. But the kernel gives the files in /proc to root's group when they are closed, else to the
# group of the process; so the programs run in another group here. The change itself must be before the program starts.
_IN_ANOTHER_GROUP = (
    "import os, sys\n"
    f"if os.geteuid() == 0: os.setresgid({NOBODY}, {NOBODY}, {NOBODY})\n"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n"
)


def is_closed(pid: int) -> bool:
    """Whether the user of this process is kept from its environment and its memory."""
    files = [Path(f"/proc/{pid}/{name}") for name in ("environ", "mem", "maps")]
    if os.geteuid() == 0:
        return all(file.stat().st_gid == 0 for file in files)
    return not any(os.access(file, os.R_OK) for file in files)


def until(true: Callable[[], object], within: float = 60.0) -> None:
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


def commands_of(pid: int) -> dict[str, psutil.Process]:
    """The programs of Workroom that this process has started, by their command lines."""
    started = psutil.Process(pid).children(recursive=True)
    return {" ".join(process.cmdline()): process for process in started if process.is_running()}


def found(pid: int, sign: str) -> psutil.Process | None:
    return next((process for command, process in commands_of(pid).items() if sign in command), None)


def test_an_ordinary_process_is_open_so_that_this_test_can_fail() -> None:
    command = [sys.executable, "-c", _IN_ANOTHER_GROUP, "-c", "print(flush=True); import time; time.sleep(60)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as ordinary:
        try:
            assert ordinary.stdout is not None
            ordinary.stdout.readline()
            assert not is_closed(ordinary.pid)
        finally:
            ordinary.kill()


@pytest.mark.full
def test_the_server_its_pool_and_the_pool_of_functions_are_closed_to_their_own_user() -> None:
    live = LiveServer(WORKROOM_POOL="1")
    live.program = ["-c", _IN_ANOTHER_GROUP, "-m", "workroom.cli"]
    live.start()
    try:
        until(lambda: found(live.pid, "confined_child"))
        for sign in ("workroom.worker.builtin", "confined_child"):
            process = found(live.pid, sign)
            assert process is not None
            until(lambda pid=process.pid: is_closed(pid), within=10)
        assert is_closed(live.pid)

        secrets = [ADMIN_PASSWORD, (live.data / "secret-key").read_text().strip()]
        assert not [one for one in secrets for command in commands_of(live.pid) if one in command]

        functions = [sys.executable, "-c", _IN_ANOTHER_GROUP, "-m", "workroom.cli", "pool", "--workers", "1"]
        functions += ["--import", "tests.acceptance.pool_functions", "--data", str(live.data)]
        with subprocess.Popen(functions, stdout=subprocess.PIPE, text=True) as pool:
            try:
                assert pool.stdout is not None
                assert "process runs" in pool.stdout.readline()
                until(lambda: found(pool.pid, "spawn_main"))
                process = found(pool.pid, "spawn_main")
                assert process is not None and is_closed(pool.pid)
                until(lambda: is_closed(process.pid), within=20)
            finally:
                pool.terminate()
                pool.wait(30)
    finally:
        live.remove()


def test_a_password_among_the_arguments_is_warned_of() -> None:
    url = "postgresql://user:hunter2@127.0.0.1:1/none"
    command = [sys.executable, "-m", "workroom.cli", "db", "check"]
    given = subprocess.run([*command, "--database", url], capture_output=True, text=True, check=False, timeout=60)
    assert "Set WORKROOM_DATABASE instead" in given.stderr
    environment = os.environ | {"WORKROOM_DATABASE": url}
    hidden = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert "Set WORKROOM_DATABASE instead" not in hidden.stderr
    assert "hunter2" not in given.stderr + given.stdout + hidden.stderr + hidden.stdout
