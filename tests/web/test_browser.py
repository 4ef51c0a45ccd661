"""The web app in a real Chromium, with a real server and real workers.

Playwright runs every scenario of `web/e2e` once, against one server. Each scenario is a test of its own here.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Generator

import pytest
from hatch_build import find_node
from tests.acceptance.live import LiveServer
from tests.web.playwright_run import ROOT, PlaywrightRun, needs_chromium

# They need two servers, the built documentation, a million jobs, or must fail; tests of their own run them.
ELSEWHERE = {"replicas.spec.ts", "docs.spec.ts", "manyjobs.spec.ts", "mustfail.spec.ts"}
SPECS = sorted(spec for spec in (ROOT / "web/e2e").rglob("*.spec.ts") if spec.name not in ELSEWHERE)
# They take longest.
CAMPAIGN = {
    "accessibility.spec.ts",
    "edit.spec.ts",
    "firsthour.spec.ts",
    "frames.spec.ts",
    "large.spec.ts",
    "load.spec.ts",
    "look.spec.ts",
    "structures.spec.ts",
    "subpath.spec.ts",
    "together.spec.ts",
}

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


@pytest.fixture(scope="module")
def live() -> Generator[LiveServer]:
    server = LiveServer(WORKROOM_POOL="1").start()
    yield server
    server.remove()


@pytest.fixture(scope="module")
def playwright_run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, live: LiveServer
) -> Generator[PlaywrightRun]:
    """Runs the files of the scenarios that were selected (`pytest -k "wrong password"`)."""
    selected = [getattr(item, "callspec", None) for item in request.session.items]
    files: set[str] = {call.params["file"] for call in selected if call is not None and "file" in call.params}
    run = PlaywrightRun(live, tmp_path_factory.mktemp("playwright"), files)
    yield run
    run.stop()


@pytest.fixture(scope="module")
def must_fail(tmp_path_factory: pytest.TempPathFactory, live: LiveServer) -> Generator[PlaywrightRun]:
    folder = tmp_path_factory.mktemp("must_fail")
    # Playwright empties the folder of its traces at the start: those of the other scenarios stay.
    run = PlaywrightRun(live, folder, {"mustfail.spec.ts"}, WORKROOM_FAILURES=str(folder / "traces"))
    yield run
    run.stop()


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
@pytest.mark.parametrize(
    ("file", "title"),
    [
        pytest.param(file, title, id=f"{file}: {title}", marks=[pytest.mark.full] if file in CAMPAIGN else [])
        for file, title in _titles()
    ],
)
def test_scenario(
    playwright_run: PlaywrightRun, record_property: Callable[[str, object], None], file: str, title: str
) -> None:
    scenario = playwright_run.scenario(file, title)
    record_property("counts", scenario["counts"])  # `conftest.py` prints their totals
    if scenario["status"] == "skipped":
        pytest.skip("only with WORKROOM_PICTURES")
    assert scenario["status"] == "passed", scenario["report"]
    print(scenario["report"])  # what it measured


@needs_chromium
def test_every_scenario_of_playwright_is_a_test_here(playwright_run: PlaywrightRun) -> None:
    playwright_run.wait()
    expected = {(file, title) for file, title in _titles() if file in playwright_run.files}
    assert {(scenario["file"], scenario["title"]) for scenario in playwright_run.scenarios()} == expected


@needs_chromium
@pytest.mark.parametrize(
    ("title", "failure"),
    [
        ("an error in the console", "console: it is wrong"),
        ("an uncaught exception", "error: it was thrown"),
        ("an answer with the status 500", "500 GET /api/rooms"),
        ("a request to another host", "elsewhere.test"),
        ("an expected failure that does not happen", "/401 POST/"),
    ],
)
def test_a_failure_of_a_page_fails_its_scenario(must_fail: PlaywrightRun, title: str, failure: str) -> None:
    scenario = must_fail.scenario("mustfail.spec.ts", title)
    assert scenario["status"] == "failed"
    assert failure in scenario["report"]


def test_the_apps_own_tests_pass() -> None:
    process = _node("node_modules/vitest/vitest.mjs", "run", seconds=300)
    assert process.returncode == 0, process.stdout + process.stderr


def test_the_first_load_is_small() -> None:
    """P8: everything a first visit downloads before the viewer, with the lazy part of the page with the rooms."""
    process = _node("scripts/size.mjs", seconds=60)
    print(process.stdout)
    assert process.returncode == 0, process.stdout + process.stderr
