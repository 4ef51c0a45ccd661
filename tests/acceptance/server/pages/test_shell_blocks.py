"""Every shell block of README and docs runs, as a reader would type it; `NOT_RUN` says which do not, and why.

The blocks of a page run in order, in one terminal: variables that one exports are there in the next.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, ROOT
from tests.acceptance.server.pages.page_surroundings import AS_STARTED, surroundings
from tests.acceptance.server.pages.shell_blocks import NOT_RUN, RUN_ELSEWHERE, environment, replaced, shell_blocks
from tests.store.postgres_server import throw_away_folder
from tests.structures import ase_write, bulk, molecule

from workroom import Room
from workroom.atoms.files.h5md_writing import write as write_h5md

_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MADE = re.compile(r"^Created (\S+)\. The password: (\S+)$", re.MULTILINE)
_EXTENSION = """from workroom import Category, Extension

class {name}(Extension):
    category = Category.MODIFIER

    def run(self, vis, **kwargs):
        pass
"""
_TASKS = "from workroom import job\n\n@job(name='resize')\ndef resize(path, width):\n    return width\n"
# Files that the reader has made before, by page: a text, or the number of the block of Python on that page.
FILES: dict[str, dict[str, str | int]] = {
    "docs/howto/celery.md": {"tasks.py": _TASKS, "tasks_gpu.py": _TASKS.replace("resize", "infer")},
    "docs/howto/gpu_worker.md": {"train.py": _EXTENSION.format(name="TrainHere")},
    "docs/howto/postings.md": {"tasks.py": _TASKS, "calls.jsonl": '["a.png", 10]\n'},
    "docs/howto/remote-postings.md": {"tasks.py": _TASKS},
    "docs/howto/run_a_worker.md": {
        "my_ext.py": _EXTENSION.format(name="Mine"),
        "my_package/__init__.py": "",
        "my_package/extensions.py": _EXTENSION.format(name="MyGlobal"),
    },
    "docs/howto/sign_in.md": {"stretch.py": _EXTENSION.format(name="Stretch")},
    "docs/tutorial/first_cluster.md": {"measure.py": 0},
    "docs/tutorial/first_extension.md": {"lengthen.py": 0},
    "docs/tutorial/first_posting.md": {"squares.py": 0},
}
# A program that runs beside the blocks of a page.
BESIDE = {"docs/howto/postings.md": ["pool", "--import", "tasks.py", "--workers", "1"]}


BLOCKS = shell_blocks()
EVERY = {(page, number) for page, blocks in BLOCKS.items() for number in range(len(blocks))}
HERE = EVERY - set(NOT_RUN) - set(RUN_ELSEWHERE)


def test_each_block_that_does_not_run_has_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{len(EVERY) - len(NOT_RUN)} of {len(EVERY)} shell blocks run, {len(NOT_RUN)} do not:")
        for (page, number), reason in NOT_RUN.items():
            print(f"  {page}, block {number}: {reason}")
    assert set(NOT_RUN) | set(RUN_ELSEWHERE) <= EVERY, "the list names blocks that are gone"
    assert len(NOT_RUN) <= 13
    for (page, number), file in RUN_ELSEWHERE.items():
        assert f'shell_blocks()["{page}"][{number}]' in (Path(__file__).parent / file).read_text()


@pytest.fixture
def folder() -> Generator[Path]:
    """Where the blocks run. The system account of the embedded database can enter it."""
    with throw_away_folder() as made:
        yield made


@pytest.mark.full
@pytest.mark.parametrize("page", sorted({page for page, _ in HERE}))
def test_the_shell_blocks_of_a_page_run(page: str, own_database_url: str, folder: Path) -> None:
    with surroundings(page, folder) as around:
        variables = environment(page, around, folder)
        passwords: dict[str, str] = {}
        _make_files(page, folder)
        if page != "docs/howto/upgrade.md" and page not in AS_STARTED:  # its server has stopped
            _make_rooms_and_accounts(page, around.url, variables)
        command = BESIDE.get(page)
        beside = None
        if command is not None:
            beside = subprocess.Popen([sys.executable, "-m", "workroom.cli", *command], cwd=folder, env=variables)
        try:
            for number, block in enumerate(BLOCKS[page]):
                if (page, number) in HERE:
                    script = replaced(block, around, own_database_url, folder, passwords)
                    printed = _run(f"block {number} of {page}", script, variables)
                    passwords |= dict(_MADE.findall(printed))
        finally:
            if beside is not None:
                beside.terminate()
                beside.wait(30)


def _run(name: str, script: str, variables: dict[str, str]) -> str:
    """What it prints, in the terminal of the blocks before: with their variables. A password is typed when asked."""
    terminal = Path(variables["HOME"]) / "terminal"
    terminal.touch()
    done = subprocess.run(
        # With all that a block has started, when it does not end.
        [
            "timeout",
            "--signal=KILL",
            "120",
            "bash",
            "-eu",
            "-o",
            "pipefail",
            "-c",
            f". {terminal}\n{script}\nexport -p > {terminal}",
        ],
        cwd=variables["HOME"],
        env=variables,
        input=f"{ADMIN_PASSWORD}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"{name}:\n{script}\n{done.stdout}\n{done.stderr}"
    assert done.returncode == 0 and "Traceback" not in said, said
    return done.stdout


def _make_rooms_and_accounts(page: str, url: str, variables: dict[str, str]) -> None:
    """What other pages have made before."""
    for name in ("my-room", "lab"):
        with Room(name, url, "admin", ADMIN_PASSWORD, create=True) as room:
            if not len(room):
                room.append(molecule("H2O"))
    if page == "docs/howto/hardening.md":
        subprocess.run(["workroom", "admin", "create", "ada"], env=variables, check=True, capture_output=True)


def _make_files(page: str, folder: Path) -> None:
    blocks = _PYTHON.findall((ROOT / page).read_text())
    for name, content in FILES.get(page, {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(blocks[content] if isinstance(content, int) else content)
    ase_write(folder / "water.extxyz", [molecule("H2O")] * 3)
    write_h5md([molecule("CH4")], folder / "more.h5md")
    ase_write(folder / "POSCAR", bulk("Cu"))
    shutil.copytree(ROOT / "bench", folder / "bench", ignore=shutil.ignore_patterns("__pycache__", "*.json"))
