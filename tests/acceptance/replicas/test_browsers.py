"""Browsers at two servers on one database."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.acceptance.replicas.conftest import Replicas
from tests.web.playwright_run import ROOT, PlaywrightRun, needs_chromium

FILE, TITLE = "replicas.spec.ts", "a browser at one server sees what happens at the other"


@needs_chromium
@pytest.mark.full
@pytest.mark.skipif(not (ROOT / "web/node_modules").is_dir(), reason="the web app was not built: `make web`")
def test_a_browser_at_one_server_sees_what_happens_at_the_other(replicas: Replicas, tmp_path: Path) -> None:
    run = PlaywrightRun(replicas.first, tmp_path, {FILE}, WORKROOM_OTHER_URL=replicas.second.url)
    try:
        scenario = run.scenario(FILE, TITLE)
    finally:
        run.stop()
    assert scenario["status"] == "passed", scenario["report"]
