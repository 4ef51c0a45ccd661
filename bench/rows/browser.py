"""P8: what the browser loads at first, how soon a large structure is seen, and how smoothly a small one plays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.live import workroom_server
from bench.place import Place
from bench.row import Group, Row

WEB = Path(__file__).parents[2] / "web"
KILOBYTES = 350
SHOWN_MS = 2000
TASK_MS = 200


def measure(place: Place) -> Iterator[Row]:
    """In the system's Chromium, with the processor drawing (SwiftShader), against a real server.

    Shown: from going to a room of 100,000 atoms of water, in the app, until the picture is done, as the graphics
    commands' own fence says; the median of three. Playing: the longest task of the page's main thread while 1,000 atoms
    play for eight seconds. There is no floor. The app has to be built (`make web`), and its packages have to be there.
    """
    node = os.environ.get("WORKROOM_NODE") or shutil.which("node")
    assert node, "P8 needs Node and Chromium; `make web` and `make browser` bring them."
    yield _first_load(node)
    with workroom_server() as (url, data):
        environment = {
            "WORKROOM_URL": url,
            "WORKROOM_ADMIN_PASSWORD": (data / "admin-password").read_text().strip(),
            "WORKROOM_P8_ROUNDS": str(place.size(3)),
            "WORKROOM_P8_PLAY_MS": str(max(2000, place.size(8000))),
        }
        told = _run([node, "e2e/p8.mjs"], environment)
    seen = json.loads(told.strip().splitlines()[-1])
    shown, loaded, longest = seen["shownMs"], seen["shownFromLoadMs"], seen["longestTaskMs"]
    atoms = f"{seen['atoms']:,} atoms seen"
    yield Row("P8", f"{atoms}, in the app", shown, "ms", None, f"≤ {SHOWN_MS:,}", shown <= SHOWN_MS)
    yield Row("P8-load", f"{atoms}, with the app loaded first", loaded, "ms", None, "printed", ok=True)
    yield Row("P8-task", "longest task, playing 1,000 atoms", longest, "ms", None, f"≤ {TASK_MS}", longest <= TASK_MS)
    yield Row(
        "P8-pace", "1,000 atoms played, of 20 wanted", seen["framesPerSecond"], "frames/s", None, "printed", ok=True
    )


def _first_load(node: str) -> Row:
    lines = _run([node, "scripts/size.mjs"], {}, may_fail=True).splitlines()
    total = next(float(line.split()[0]) for line in reversed(lines) if "in all" in line)
    return Row("P8-size", "first load of the app, gzip", total, "kB", None, f"≤ {KILOBYTES}", total <= KILOBYTES)


def _run(command: list[str], environment: dict[str, str], *, may_fail: bool = False) -> str:
    done = subprocess.run(
        command, cwd=WEB, env=os.environ | environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert may_fail or done.returncode == 0, f"{' '.join(command)} failed:\n{done.stderr[-2000:]}"
    return done.stdout


GROUP = Group(("P8-size", "P8", "P8-load", "P8-task", "P8-pace"), measure)
