"""The first block of README in a clone on a bare machine: an empty home, a path with a space. Needs the network."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.acceptance.server.pages.shell_blocks import shell_blocks

ROOT = Path(__file__).parents[4]


@pytest.fixture
def clone() -> Generator[Path]:
    """The files of this tree that git knows or would add."""
    folder = Path(tempfile.mkdtemp(prefix="workroom clone "))
    try:
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (folder / "work room" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / "work room" / name)
        yield folder / "work room"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("target", ["install", "demo"])
def test_the_documentation_is_built_with_the_rest(target: str, tmp_path: Path) -> None:
    command = ["make", "--dry-run", target, f"VENV={tmp_path / 'venv'}"]
    planned = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert planned.index("requirements-demo.lock") < planned.index("hatch_build.py") < planned.index("mkdocs build")


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.timeout(1800)
def test_the_first_block_of_the_readme_runs_in_a_fresh_clone_with_an_empty_home(clone: Path) -> None:
    home = clone.parent / "home"
    home.mkdir()
    environment = {"PATH": os.defpath + ":/usr/local/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    network = re.compile(r"(pip|uv|ssl|npm|node)_|https?_proxy", re.IGNORECASE)  # mirrors and certificates
    environment |= {name: value for name, value in os.environ.items() if network.match(name)}
    # The demo ends by itself, and the server leaves port and data of this machine alone.
    environment |= {"CHECK": "1", "WORKROOM_PORT": "0", "WORKROOM_DATA": str(home / "data")}
    started = time.monotonic()
    with (clone.parent / "errors").open("w+") as errors:
        terminal = subprocess.Popen(
            ["bash", "-e", "-o", "pipefail", "-c", shell_blocks()["README.md"][0]],
            cwd=clone,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        assert terminal.stdout is not None
        printed, minutes = "", 0.0
        for line in terminal.stdout:
            printed += line
            if "Every kind of job ended as expected" in line:
                minutes = (time.monotonic() - started) / 60
            elif minutes and "listens at" in line:
                os.killpg(terminal.pid, signal.SIGINT)  # Ctrl-C
        code = terminal.wait(60)
        errors.seek(0)
        assert code == 0 and minutes and "listens at" in printed, f"{printed}\n{errors.read()}"
    assert (clone / "src/workroom/server/docs_site/index.html").is_file()
    print(f"{minutes:.1f} minutes, {_megabytes(clone)} MB in the clone, {_megabytes(home)} MB in the home")
    assert printed.startswith("The demo first installs Python packages into .venv")


def _megabytes(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) // 1_000_000
