"""Every Python block of README and docs runs, in order, in a folder of its own, as a reader would type it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.acceptance.jobs.celery.celery_fleet import redis_fleet
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer
from tests.structures import ase_write, bulk, molecule

ROOT = Path(__file__).parents[4]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
    if _BLOCK.search(page.read_text())
]
# Blocks that do not run, by page and number, and why.
NOT_RUN: dict[tuple[str, int], str] = {}
# Files that the reader has made before a block, by page.
FILES = {
    "docs/howto/celery.md": {
        "tasks.py": "from workroom import job\n\n@job(name='resize')\ndef resize(path, width):\n    return width\n",
        "proj/celery.py": "from celery import Celery\n\napp = Celery('proj', broker='memory://')\n"
        "app.conf.task_always_eager = True\n",  # its tasks run where they are called
        "proj/tasks.py": "from proj.celery import app\n\n@app.task\ndef add(one, other):\n    return one + other\n",
    },
    "docs/howto/calculators.md": {
        "mace/__init__.py": "",
        "mace/calculators.py": "from ase.calculators.emt import EMT\n\ndef mace_mp(device):\n    return EMT()\n",
    },
    "docs/howto/postings.md": {
        "tasks.py": "from workroom import job\n\n@job(name='page_square')\ndef square(n):\n    return n * n\n\n"
        "@job(name='resize', tries=3, timeout=60)\ndef resize(path, width): ...\n",
    },
    "docs/howto/remote-postings.md": {
        "tasks.py": "from workroom import job\n\n@job(name='resize')\ndef resize(path, width):\n    return width\n"
    },
    "docs/howto/gpu_worker.md": {
        "train.py": "from workroom import Category, Extension\n\nclass Train(Extension):\n"
        "    category = Category.ANALYSIS\n    epochs: int = 10\n\n    def run(self, vis, model='none', **kwargs):\n"
        "        return {'epochs': self.epochs, 'model': model}\n",
    },
    "docs/howto/test_extensions.md": {
        "stretch.py": "from workroom import Category, Extension\n\nclass Stretch(Extension):\n"
        "    category = Category.MODIFIER\n    factor: float = 1.1\n\n    def run(self, vis, **kwargs):\n"
        "        vis.append(vis.atoms)\n",
    },
}
# A program that runs beside a block, started before it: by page and number of the block.
BESIDE = {
    ("README.md", 1): ["worker", "block_0.py", "--room", "my-room"],
    ("docs/tutorial/first_extension.md", 2): ["worker", "lengthen.py", "--room", "my-room"],
    ("docs/tutorial/first_cluster.md", 1): ["worker", "measure.py", "--room", "lab", "--concurrency", "2"],
    ("docs/howto/postings.md", 0): ["pool", "--import", "tasks.py", "--workers", "1"],
    ("docs/howto/postings.md", 1): ["pool", "--import", "tasks.py", "--workers", "1"],
    ("docs/howto/remote-postings.md", 0): ["worker", "tasks.py", "--slots", "4"],
}
# Blocks that run until they are stopped, and what they offer to my-room.
FOREVER = {("docs/tutorial/first_extension.md", 1): "Lengthen", ("docs/howto/calculators.md", 0): "SimulateMACE"}
# Pages whose blocks are cells of one notebook.
NOTEBOOKS = ("docs/howto/notebook.md", "docs/howto/web_app.md")
# What a block is called, where another block imports it.
NAMES = {
    ("docs/tutorial/first_extension.md", 0): "lengthen.py",
    ("docs/tutorial/first_cluster.md", 0): "measure.py",
}


@pytest.fixture(scope="module")
def open_server() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_POOL="1", WORKROOM_LEASE_SECONDS="60").start()  # the machine may be busy
    yield live
    live.remove()


def test_each_block_that_does_not_run_has_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    every: set[tuple[str, int]] = set()
    for page in PAGES:
        text = page.read_text()
        blocks = _BLOCK.findall(text)
        assert len(re.findall(r"^\s*(?:```|~~~) *(?:py|ipython)", text, re.MULTILINE)) == len(blocks), page
        every |= {(str(page.relative_to(ROOT)), number) for number in range(len(blocks))}
    with capsys.disabled():
        print(f"\n{len(every) - len(NOT_RUN)} of {len(every)} Python blocks run, {len(NOT_RUN)} do not")
    assert set(NOT_RUN) <= every and set(BESIDE) | set(FOREVER) | set(NAMES) <= every, (
        "the lists name blocks that are gone"
    )
    assert set(FILES) | set(NOTEBOOKS) <= {page for page, _ in every}


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_python_blocks_of_a_page_run(page: Path, open_server: LiveServer, tmp_path: Path) -> None:
    name = str(page.relative_to(ROOT))
    _make_files(name, tmp_path)
    if name == "docs/howto/celery.md":
        path = os.pathsep.join([str(ROOT), str(tmp_path)])
        with redis_fleet(tmp_path, "--import", "tasks", "--import", "proj.tasks", PYTHONPATH=path) as fleet:
            _run_all(name, page, tmp_path, fleet.server)
    else:
        _run_all(name, page, tmp_path, open_server)


def _make_files(name: str, tmp_path: Path) -> None:
    for file, content in FILES.get(name, {}).items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(content)
    ase_write(tmp_path / "water.extxyz", [molecule("H2O")] * 300)
    ase_write(tmp_path / "huge.extxyz", [bulk("Cu")] * 3)


def _run_all(name: str, page: Path, folder: Path, server: LiveServer) -> None:
    blocks: list[str] = _BLOCK.findall(page.read_text())
    if name in NOTEBOOKS:
        _run_notebook(blocks, folder, server)
    else:
        for number, block in enumerate(blocks):
            file = folder / NAMES.get((name, number), f"block_{number}.py")
            file.write_text(block)
            if (name, number) not in NOT_RUN:
                _run(name, number, file, server)
    print(f"{name}: {len(blocks)} blocks ran")


def _run_notebook(blocks: list[str], folder: Path, server: LiveServer) -> None:
    cell: dict[str, Any] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [cell | {"id": f"block-{number}", "source": block} for number, block in enumerate(blocks)]
    notebook: dict[str, Any] = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (folder / "page.ipynb").write_text(json.dumps(notebook))
    ran = subprocess.run(
        [sys.executable, "-c", "from nbclient.cli import main; main()", "--timeout=120", "page.ipynb"],
        cwd=folder,
        env=_environment(server) | {"IPYTHONDIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def _environment(server: LiveServer) -> dict[str, str]:
    return os.environ | {
        "WORKROOM_URL": server.url,
        "WORKROOM_DATA": str(server.data),
        "WORKROOM_USER": "admin",
        "WORKROOM_PASSWORD": ADMIN_PASSWORD,
        "PYTHONUNBUFFERED": "1",
    }


def _run(name: str, number: int, file: Path, server: LiveServer) -> None:
    environment = _environment(server)

    def start(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *words],
            cwd=file.parent,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    beside = BESIDE.get((name, number))
    helper = start("-m", "workroom.cli", *beside) if beside else None
    try:
        if helper is not None:
            assert helper.stdout is not None
            line = ""
            while not re.search(r"offers|process(es)? runs?", line):
                line = helper.stdout.readline()
                assert line, f"{beside} ended"
        is_test = "def test_" in file.read_text()
        block = start("-m", "pytest", "-q", "-p", "no:cacheprovider", file.name) if is_test else start(file.name)
        if (name, number) in FOREVER:
            _wait_for_offer(server, FOREVER[name, number])
            block.send_signal(signal.SIGTERM)
        said, _ = block.communicate(timeout=120)
        assert block.returncode == 0, f"block {number} of {name}:\n{said}"
    finally:
        if helper is not None:
            helper.terminate()
            helper.communicate(timeout=30)


def _wait_for_offer(server: LiveServer, extension: str) -> None:
    """Wait until a worker offers an extension to the room of the pages."""
    with httpx2.Client(base_url=server.url, trust_env=False, timeout=30) as http:
        login = http.post("/api/login", json={"user": "admin", "password": ADMIN_PASSWORD}).json()
        headers = {"Authorization": f"Bearer {login['token']}"}
        until = time.monotonic() + 90
        while True:
            answer = http.get("/api/rooms/my-room/extensions", headers=headers).json()
            if any(one["name"] == extension and one["idleWorkers"] for one in answer.get("items", [])):
                return
            assert time.monotonic() < until, f"no worker offers {extension}"
            time.sleep(0.1)
