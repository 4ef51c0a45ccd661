"""Clients compare their version with that of the server, and say once what differs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.acceptance.live import PROGRAM, ROOT, LiveServer, Someone

from workroom import __version__

MAJOR, MINOR, PATCH = (int(part) for part in __version__.split(".")[:3])
SCRIPT = """
from workroom import Room
with Room({room!r}, {url!r}, "vera") as room:
    print(len(room), len(room))
"""
WORKER = """
from workroom import Category, Extension

class Still(Extension):
    category = Category.MODIFIER

    def run(self, vis, **kwargs): ...
"""


def _run(tmp_path: Path, version: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with a package that claims to have this version."""
    (tmp_path / "sitecustomize.py").write_text(f"import workroom\nworkroom.__version__ = {version!r}\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src"), str(ROOT)])}
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


async def test_the_server_tells_its_version_with_every_response(ada: Someone) -> None:
    for path in ("/api/users/me", "/api/nothing-here"):
        assert (await ada.http.get(path)).headers["x-workroom-version"] == __version__


@pytest.mark.parametrize("client", ["script", "command"])
def test_another_version_is_told_once_and_another_major_one_is_an_error(
    server: LiveServer, name: str, tmp_path: Path, client: str
) -> None:
    source = tmp_path / "script.py"
    source.write_text(SCRIPT.format(room=name, url=server.url))
    commands = {
        "script": [str(source)],
        "command": [*PROGRAM, "rooms", "list", "--url", server.url, "--user", "vera"],
    }
    command = commands[client]
    same = _run(tmp_path, __version__, *command)
    assert (same.returncode, same.stderr) == (0, "")
    other = f"{MAJOR}.{MINOR + 1}.0"
    minor = _run(tmp_path, other, *command)
    told = f"This is workroom {other}, and the server has {__version__}: some things may not work."
    assert minor.returncode == 0 and minor.stderr.count(told) == 1, minor.stderr
    major = _run(tmp_path, f"{MAJOR + 1}.0.0", *command)
    assert major.returncode != 0 and "they do not work together" in major.stderr, major.stderr
    assert "Install the same version of workroom on both sides." in major.stderr
    assert client == "script" or "Traceback" not in major.stderr


def test_a_worker_of_another_major_version_ends_with_one_sentence(
    server: LiveServer, name: str, tmp_path: Path
) -> None:
    source = tmp_path / "still.py"
    source.write_text(WORKER)
    options = ["--room", name, "--url", server.url, "--user", "vera"]
    ended = _run(tmp_path, f"{MAJOR + 1}.0.0", *PROGRAM, "worker", str(source), *options)
    assert ended.returncode != 0 and "they do not work together" in ended.stderr
    assert "Traceback" not in ended.stderr
