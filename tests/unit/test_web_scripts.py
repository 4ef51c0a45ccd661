"""The scripts that build the web app run in any folder."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from hatch_build import find_node

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
