"""The facts that a worker sends about its process."""

from __future__ import annotations

import os
import platform
import socket
from typing import Any


def process_info(name: str) -> dict[str, Any]:
    """The machine, the process, and the job of SLURM that it runs in: a fleet finds its workers by it."""
    job = os.environ.get("SLURM_JOB_ID", "")
    return {
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "python": platform.python_version(),
        "name": name,
        **({"slurmJob": job} if job.isdigit() else {}),
    }
