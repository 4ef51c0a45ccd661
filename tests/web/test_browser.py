"""The web app in a real Chromium, with a real server and real workers; `web/e2e/scenarios.mjs` tells what is done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hatch_build import find_node
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = [
    os.environ.get("WORKROOM_CHROMIUM", ""),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
]

pytestmark = [
    pytest.mark.skipif(not any(Path(place).is_file() for place in CHROMIUM), reason="there is no Chromium"),
    pytest.mark.skipif(not (ROOT / "web/node_modules").is_dir(), reason="the web app was not built: `make web`"),
]


@pytest.fixture(scope="module")
def web_server() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_POOL="1").start()
    yield live
    live.remove()


def _node(*arguments: str, seconds: float, **environment: str) -> subprocess.CompletedProcess[str]:
    node, _ = find_node()
    return subprocess.run(
        [str(node), *arguments],
        cwd=ROOT / "web",
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def test_people_do_their_work_in_a_real_browser(web_server: LiveServer, tmp_path: Path) -> None:
    said = _node(
        "e2e/run.mjs",
        seconds=600,
        WORKROOM_URL=web_server.url,
        WORKROOM_DATA=str(web_server.data),
        WORKROOM_ADMIN_PASSWORD=ADMIN_PASSWORD,
        WORKROOM_PYTHON=sys.executable,
        WORKROOM_FAILURES=os.environ.get("WORKROOM_FAILURES", str(tmp_path)),
        NO_PROXY="*",
    )
    print(said.stdout)
    assert said.returncode == 0, f"{said.stdout}\n{said.stderr}\n{web_server.log()[-3000:]}"


def test_the_apps_own_tests_pass() -> None:
    said = _node("node_modules/vitest/vitest.mjs", "run", seconds=300)
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_first_load_is_small() -> None:
    """P8: everything a first visit downloads before the viewer."""
    said = _node("scripts/size.mjs", seconds=60)
    print(said.stdout)
    assert said.returncode == 0, said.stdout + said.stderr
