"""What this machine is: its processor and memory, never its name."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
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
