"""Runs browser scenarios of `web/e2e` with Playwright, and reads how each has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TypedDict

import orjson
import pytest
from hatch_build import find_node
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

ROOT = Path(__file__).parent.parent.parent
REPORTER = "./e2e/support/result-lines.mjs"
SCENARIO_SECONDS = 450.0  # more than Playwright gives a scenario
CHROMIUM = [
    os.environ.get("WORKROOM_CHROMIUM", ""),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
]

needs_chromium = pytest.mark.skipif(not any(Path(path).is_file() for path in CHROMIUM), reason="there is no Chromium")


class Scenario(TypedDict):
    """How one scenario ended: a line that `web/e2e/support/result-lines.mjs` writes."""

    file: str
    title: str
    status: str  # passed, failed, timedOut, skipped or interrupted
    report: str  # its errors, what it printed, and where its trace is
    counts: dict[str, int]  # such as the pages that it opened


class PlaywrightRun:
    """A run of Playwright in the background, which reports each scenario as soon as it ends."""

    def __init__(self, live: LiveServer, folder: Path, files: set[str], **more: str) -> None:
        """`more` are further variables of its environment."""
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
                    f"--reporter={REPORTER}",
                    *(f"/{file}$" for file in files),  # Playwright searches for a regular expression in the whole path
                ],
                cwd=ROOT / "web",
                env=os.environ | environment | more,
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
