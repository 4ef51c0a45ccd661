"""Every shell block of README and docs runs, in order, as a reader would type it; `NOT_RUN` says which do not, and why.

The blocks of cli.md run in the acceptance tests of the command line.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer
from tests.acceptance.server.shell_blocks import NOT_RUN, environment, replaced
from tests.structures import ase_write, bulk, molecule

from workroom import Room
from workroom.atoms.files.h5md_writing import write as write_h5md

ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(r"^```(console|sh|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXTENSION = """from workroom import Category, Extension

class {name}(Extension):
    category = Category.MODIFIER

    def run(self, vis, **kwargs):
        pass
"""
_TASKS = "from workroom import job\n\n@job(name='resize')\ndef resize(path, width):\n    return width\n"
# Files that the reader has made before, by page: a text, or the number of the block of Python on that page.
FILES: dict[str, dict[str, str | int]] = {
    "docs/howto/gpu_worker.md": {"train.py": _EXTENSION.format(name="TrainHere")},
    "docs/howto/postings.md": {"tasks.py": _TASKS, "calls.jsonl": '["a.png", 10]\n'},
    "docs/howto/remote-postings.md": {"tasks.py": _TASKS},
    "docs/howto/run_a_worker.md": {
        "my_ext.py": _EXTENSION.format(name="Mine"),
        "my_package/__init__.py": "",
        "my_package/extensions.py": _EXTENSION.format(name="MyGlobal"),
    },
    "docs/tutorial/first_cluster.md": {"measure.py": 0},
    "docs/tutorial/first_extension.md": {"lengthen.py": 0},
    "docs/tutorial/first_posting.md": {"squares.py": 0},
}
# A program that runs beside the blocks of a page.
BESIDE = {"docs/howto/postings.md": ["pool", "--import", "tasks.py", "--workers", "1"]}


def _blocks() -> dict[str, list[str]]:
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    found = {str(page.relative_to(ROOT)): _BLOCK.findall(page.read_text()) for page in pages}
    return {
        page: [_typed(kind, text) for kind, text in blocks]
        for page, blocks in found.items()
        if blocks and page != "docs/reference/cli.md"
    }


def _typed(kind: str, text: str) -> str:
    """The lines behind a prompt; without a prompt all lines."""
    lines = text.splitlines()
    if kind == "console" and any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return "\n".join(lines)


BLOCKS = _blocks()
RUN = [page for page, blocks in BLOCKS.items() if any((page, number) not in NOT_RUN for number in range(len(blocks)))]


def test_each_block_that_does_not_run_has_a_reason() -> None:
    every = {(page, number) for page, blocks in BLOCKS.items() for number in range(len(blocks))}
    assert set(NOT_RUN) <= every, "the list names blocks that are gone"
    print(f"{len(every) - len(NOT_RUN)} of {len(every)} shell blocks run")
    assert len(NOT_RUN) < len(every) / 2


@pytest.fixture
def open_server() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_POOL="1", WORKROOM_LEASE_SECONDS="60").start()
    yield live
    live.remove()


@pytest.mark.full
@pytest.mark.parametrize("page", RUN)
def test_the_shell_blocks_of_a_page_run(
    page: str, open_server: LiveServer, own_database_url: str, tmp_path: Path
) -> None:
    variables = environment(open_server, tmp_path)
    _make_files(page, tmp_path)
    _make_rooms_and_accounts(page, open_server, variables)
    command = BESIDE.get(page)
    beside = None
    if command is not None:
        beside = subprocess.Popen([sys.executable, "-m", "workroom.cli", *command], cwd=tmp_path, env=variables)
    try:
        for number, block in enumerate(BLOCKS[page]):
            if (page, number) in NOT_RUN:
                continue
            script = replaced(block, open_server, own_database_url, tmp_path)
            done = subprocess.run(
                ["bash", "-eu", "-o", "pipefail", "-c", script],
                cwd=tmp_path,
                env=variables,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            said = f"block {number} of {page}:\n{script}\n{done.stdout}\n{done.stderr}"
            assert done.returncode == 0 and "Traceback" not in said, said
    finally:
        if beside is not None:
            beside.terminate()
            beside.wait(30)


def _make_rooms_and_accounts(page: str, server: LiveServer, variables: dict[str, str]) -> None:
    """What other pages have made before. The tutorial of the cluster makes the room `lab` and the account `ada`."""
    rooms = {"my-room"} if page == "docs/tutorial/first_cluster.md" else {"my-room", "lab"}
    for name in rooms:
        with Room(name, server.url, "admin", ADMIN_PASSWORD, create=True) as room:
            if not len(room):
                room.append(molecule("H2O"))
    if page in ("docs/howto/hardening.md", "docs/howto/run_a_server.md"):
        # The second of them finds the account that is there.
        subprocess.run(["workroom", "admin", "create", "ada"], env=variables, check=False, capture_output=True)


def _make_files(page: str, folder: Path) -> None:
    blocks = _PYTHON.findall((ROOT / page).read_text())
    for name, content in FILES.get(page, {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(blocks[content] if isinstance(content, int) else content)
    ase_write(folder / "water.extxyz", [molecule("H2O")] * 3)
    write_h5md([molecule("CH4")], folder / "more.h5md")
    ase_write(folder / "POSCAR", bulk("Cu"))
    shutil.copytree(ROOT / "bench", folder / "bench", ignore=shutil.ignore_patterns("__pycache__", "*.json"))
