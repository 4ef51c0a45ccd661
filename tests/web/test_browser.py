"""The web app in a real Chromium, with a real server and real workers.

Playwright runs every scenario of `web/e2e/*.spec.ts` once, against one server. Each scenario is a test of its own here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import TypedDict

import orjson
import pytest
from hatch_build import find_node
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

ROOT = Path(__file__).parent.parent.parent
SPECS = sorted((ROOT / "web/e2e").glob("*.spec.ts"))
REPORTER = "./e2e/result-lines.mjs"
SCENARIO_SECONDS = 450.0  # more than Playwright gives a scenario
CHROMIUM = [
    os.environ.get("WORKROOM_CHROMIUM", ""),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
]

needs_chromium = pytest.mark.skipif(not any(Path(path).is_file() for path in CHROMIUM), reason="there is no Chromium")
pytestmark = pytest.mark.skipif(
    not (ROOT / "web/node_modules").is_dir(), reason="the web app was not built: `make web`"
)


def _titles() -> list[tuple[str, str]]:
    """File and title of every scenario, read from the sources: Node is not needed to collect the tests."""
    return [
        (spec.name, title)
        for spec in SPECS
        for title in re.findall(r'^test\("([^"]+)", async', spec.read_text(), re.MULTILINE)
    ]


class Scenario(TypedDict):
    """How one scenario ended: a line that `web/e2e/result-lines.mjs` writes."""

    file: str
    title: str
    status: str  # passed, failed, timedOut, skipped or interrupted
    report: str  # its errors, what it printed, and where its trace is


class PlaywrightRun:
    """A run of Playwright in the background, which reports each scenario as soon as it ends."""

    def __init__(self, live: LiveServer, folder: Path, files: set[str]) -> None:
        self.files = files
        self._live = live
        self._results = folder / "results"
        self._output = folder / "output"
        self._results.touch()
        environment = {
            "WORKROOM_URL": live.url,
            "WORKROOM_DATA": str(live.data),
            "WORKROOM_ADMIN_PASSWORD": ADMIN_PASSWORD,
            "WORKROOM_PYTHON": sys.executable,
            "WORKROOM_RESULTS": str(self._results),
            "WORKROOM_FAILURES": os.environ.get("WORKROOM_FAILURES", str(folder / "traces")),
            "NO_PROXY": "*",
        }
        node, _ = find_node()
        with self._output.open("w") as output:
            self._process = subprocess.Popen(
                [
                    str(node),
                    "node_modules/@playwright/test/cli.js",
                    "test",
                    "--reporter=./e2e/result-lines.mjs",
                    *files,
                ],
                cwd=ROOT / "web",
                env=os.environ | environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def scenario(self, file: str, title: str) -> Scenario:
        """Wait until the scenario has ended."""
        while True:
            ended = self._process.poll() is not None  # asked first: the last results are written before the end
            found = [one for one in self.scenarios() if (one["file"], one["title"]) == (file, title)]
            if found:
                return found[0]
            assert not ended, f"Playwright did not run this scenario\n{self._logs()}"
            time.sleep(0.1)

    def scenarios(self) -> list[Scenario]:
        """Those that have ended so far."""
        return [orjson.loads(line) for line in self._results.read_bytes().split(b"\n")[:-1]]

    def wait(self) -> None:
        self._process.wait(SCENARIO_SECONDS)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()

    def _logs(self) -> str:
        return f"{self._output.read_text()}\n{self._live.log()[-3000:]}"


@pytest.fixture(scope="module")
def playwright_run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[PlaywrightRun]:
    """Runs the files of the scenarios that were selected (`pytest -k "wrong password"`)."""
    selected = [getattr(item, "callspec", None) for item in request.session.items]
    files: set[str] = {call.params["file"] for call in selected if call is not None and "file" in call.params}
    live = LiveServer(WORKROOM_POOL="1").start()
    run = PlaywrightRun(live, tmp_path_factory.mktemp("playwright"), files)
    try:
        yield run
    finally:
        run.stop()
        live.remove()


def _node(*arguments: str, seconds: float) -> subprocess.CompletedProcess[str]:
    node, _ = find_node()
    return subprocess.run(
        [str(node), *arguments],
        cwd=ROOT / "web",
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


@needs_chromium
@pytest.mark.parametrize(("file", "title"), _titles(), ids=[f"{file}: {title}" for file, title in _titles()])
def test_scenario(playwright_run: PlaywrightRun, file: str, title: str) -> None:
    scenario = playwright_run.scenario(file, title)
    if scenario["status"] == "skipped":
        pytest.skip("only with WORKROOM_PICTURES")
    assert scenario["status"] == "passed", scenario["report"]


@needs_chromium
def test_every_scenario_of_playwright_is_a_test_here(playwright_run: PlaywrightRun) -> None:
    playwright_run.wait()
    expected = {(file, title) for file, title in _titles() if file in playwright_run.files}
    assert {(scenario["file"], scenario["title"]) for scenario in playwright_run.scenarios()} == expected


def test_the_apps_own_tests_pass() -> None:
    process = _node("node_modules/vitest/vitest.mjs", "run", seconds=300)
    assert process.returncode == 0, process.stdout + process.stderr


def test_the_first_load_is_small() -> None:
    """P8: everything a first visit downloads before the viewer."""
    process = _node("scripts/size.mjs", seconds=60)
    print(process.stdout)
    assert process.returncode == 0, process.stdout + process.stderr
