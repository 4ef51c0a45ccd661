"""An environment for each queue, from the package index; made at the first use and kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.peer_race.entrants import Entrant

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench-peers"
PROGRAMS = ROOT / "bench/peers"


class NotInstalled(Exception):
    """The packages of a queue cannot be installed here; the text says why."""


def python_of(entrant: Entrant) -> Path:
    """The Python that has the queue. Other packages than last time: the environment is made anew."""
    if not entrant.packages:
        return Path(sys.executable)
    folder = FOLDER / entrant.name
    python, installed = folder / "bin/python", folder / "installed"
    wanted = "\n".join(entrant.packages)
    if not (installed.exists() and installed.read_text() == wanted):
        uv = Path(sys.executable).parent / "uv"
        _run(uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder)
        _run(uv, "pip", "install", "--quiet", "--python", python, *entrant.packages)
        installed.write_text(wanted)
    return python


def _run(*words: str | Path) -> None:
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise NotInstalled(f"cannot be installed: {' '.join(done.stderr.split())[-300:]}")
