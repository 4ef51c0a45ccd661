"""The scripts that build the web app run in any folder."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hatch_build import find_node, progress

WEB = Path(__file__).parents[2] / "web"


def test_they_run_in_a_folder_with_a_space(tmp_path: Path) -> None:
    root = tmp_path / "my work room"
    built = root / "src/workroom/server/static"
    built.mkdir(parents=True)
    (built / "page.html").write_text("x" * 2_000)
    (root / "web/src/lib").mkdir(parents=True)
    shutil.copytree(WEB / "scripts", root / "web/scripts")
    node, _ = find_node()
    for script in ("compress", "layers"):
        ran = subprocess.run(
            [str(node), f"web/scripts/{script}.mjs"], cwd=root, capture_output=True, text=True, timeout=60, check=False
        )
        assert ran.returncode == 0, ran.stderr
    assert [file.name for file in built.iterdir()] == ["page.html.gz"]  # the plain file would double the size
    assert not [one.name for one in (WEB / "scripts").iterdir() if ").pathname" in one.read_text()]


def test_a_long_step_tells_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("npm packages", lambda: "7 of 9", every=0.01):
        time.sleep(0.1)
    *going, last = capsys.readouterr().out.splitlines()
    assert going and set(going) == {"  npm packages: 0 s, 7 of 9 ..."}
    assert last == "  npm packages: 0 s, 7 of 9, done"
