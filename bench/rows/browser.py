"""P8: the size of the app's first load, the time to show a large structure, and how smoothly a small one plays."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.environment import Environment
from bench.live_processes import workroom_server
from bench.row import Group, Row, RowSkipped, measured, printed

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable")
KILOBYTES = 350
SHOWN_MS = 2000
TASK_MS = 200


def measure_size(_environment: Environment) -> Iterator[Row]:
    """What a first visit of the app downloads before the viewer, gzipped. There is no floor. The app must be built."""
    output = _run_node("scripts/size.mjs", may_fail=True)
    total = next(float(line.split()[0]) for line in reversed(output.splitlines()) if "in all" in line)
    what, target = "first load of the app, gzip", f"≤ {KILOBYTES}"
    yield measured("P8-size", what, total, "kB", target=target, met=total <= KILOBYTES)


def measure(environment: Environment) -> Iterator[Row]:
    """In the system's Chromium, which draws with the processor (SwiftShader), against a real server.

    Shown: from opening a room of 100,000 atoms of water, in the app, until the picture is complete, as a fence behind
    the graphics commands tells; the median of three. Playing: the longest task of the page's main thread while 1,000
    atoms play for eight seconds. There is no floor. The app must be built (`make web`).
    """
    _require_chromium()
    with workroom_server() as (url, data):
        output = _run_node(
            "e2e/support/p8.mjs",
            WORKROOM_URL=url,
            WORKROOM_ADMIN_PASSWORD=(data / "admin-password").read_text().strip(),
            WORKROOM_P8_ROUNDS=str(environment.size(3)),
            WORKROOM_P8_PLAY_MS=str(max(2000, environment.size(8000))),
        )
    report = json.loads(output.strip().splitlines()[-1])
    shown, loaded, longest = report["shownMs"], report["shownFromLoadMs"], report["longestTaskMs"]
    atoms = f"{report['atoms']:,} atoms shown"
    yield measured("P8", f"{atoms}, in the app", shown, "ms", target=f"≤ {SHOWN_MS:,}", met=shown <= SHOWN_MS)
    yield printed("P8-load", f"{atoms}, with the app loaded first", loaded, "ms")
    what, target = "longest task, playing 1,000 atoms", f"≤ {TASK_MS}"
    yield measured("P8-task", what, longest, "ms", target=target, met=longest <= TASK_MS)
    yield printed("P8-pace", "1,000 atoms played, 20 requested", report["framesPerSecond"], "frames/s")


def _require_chromium() -> None:
    paths = [os.environ.get("WORKROOM_CHROMIUM") or "", *CHROMIUM]
    if not any(Path(path).is_file() for path in paths):
        raise RowSkipped("Chromium is not installed: run scripts/programs.sh, or name one in WORKROOM_CHROMIUM")


def _run_node(script: str, *, may_fail: bool = False, **variables: str) -> str:
    """The output of a script of the web app, run by the Node that builds the app."""
    if not (WEB / "node_modules").is_dir():
        raise RowSkipped("the web app is not built: `make web`")
    try:
        from hatch_build import find_node

        node, _ = find_node()
    except (ImportError, SystemExit) as error:
        raise RowSkipped(f"Node is not installed: {error}") from error
    process = subprocess.run(
        [str(node), script],
        cwd=WEB,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert may_fail or process.returncode == 0, f"{script} failed:\n{process.stderr[-2000:]}"
    return process.stdout


SIZE_GROUP = Group(("P8-size",), measure_size)
GROUP = Group(("P8", "P8-load", "P8-task", "P8-pace"), measure)
