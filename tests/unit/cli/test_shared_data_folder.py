"""Servers of several machines may share a data folder: none may take another's process for its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workroom.cli.serving.builtin_supervisor import former_pool
from workroom.cli.serving.server_process import remove_server_file
from workroom.client import discovery
from workroom.domain.errors import ServerUnreachable


@pytest.fixture
def ended_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def _write(file: Path, **content: object) -> Path:
    file.write_text(json.dumps(content))
    return file


def test_a_pool_of_this_machine_that_has_ended_is_removed(tmp_path: Path, ended_pid: int) -> None:
    here = discovery.this_machine()
    file = _write(tmp_path / "pool.json", workerId="a", pid=ended_pid, machine=here)
    assert former_pool(file) == "a"
    assert former_pool(_write(file, workerId="a", pid=os.getpid(), machine=here)) is None, "it runs"


def test_the_pool_of_another_machine_stays_although_no_process_here_has_its_id(tmp_path: Path, ended_pid: int) -> None:
    file = _write(tmp_path / "pool.json", workerId="a", pid=ended_pid, machine="elsewhere")
    assert former_pool(file) is None


def test_the_server_of_another_machine_is_not_taken_for_the_local_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a client would send the password of the admin to whatever listens on that port here."""
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))
    monkeypatch.delenv("WORKROOM_URL", raising=False)
    url = "http://127.0.0.1:9"
    file = _write(tmp_path / "server.json", url=url, pid=os.getpid(), machine=discovery.this_machine())
    (tmp_path / "admin-password").write_text("a password")
    assert discovery.admin_password(url) == "a password"
    _write(file, url=url, pid=os.getpid(), machine="elsewhere")
    assert discovery.admin_password(url) is None
    remove_server_file(tmp_path)
    assert file.exists(), "the other server's"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(ServerUnreachable):
        discovery.server_url(None)
