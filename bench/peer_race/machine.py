"""What this machine is: its processor and memory, never its name; and whether other work runs on it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workroom.store.embedded.binaries import find_binaries


def machine(load: float) -> dict[str, Any]:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memoryGB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "redis": _version(shutil.which("redis-server"), "v="),
        "postgresql": _version(find_binaries().program("postgres"), "(PostgreSQL) "),
        "loadBefore": round(load, 2),
    }


def busy(machine: Mapping[str, Any]) -> str | None:
    """Why its figures are no comparison: other work makes every figure smaller, not every one by the same share."""
    load, most = machine["loadBefore"], _QUIET * machine["cores"]
    if load <= most:
        return None
    return (
        f"Other work ran on the machine: its load was {load:g} before the start, and {most:g} is the most for figures "
        "that are compared. Measure again on a quiet machine with `make bench-peers`."
    )


_QUIET = 0.25  # load for each core, as the row `machine` of the bench allows


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _version(program: str | None, mark: str) -> str | None:
    if program is None:
        return None
    said = subprocess.run([program, "--version"], check=False, capture_output=True, text=True).stdout
    return said.partition(mark)[2].split()[0] if mark in said else None
