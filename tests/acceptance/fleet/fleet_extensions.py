"""What the workers of fleets run in tests."""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

from workroom import Category, Extension


class FleetStep(Extension):
    """Takes some seconds, and tells where it ran."""

    category = Category.ANALYSIS
    seconds: float = 0.0

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        began = time.time()
        # Another program, as jobs often run one: a signal for the worker must not end it.
        subprocess.run(["sleep", str(self.seconds)], check=True)
        job, node = os.environ.get("SLURM_JOB_ID"), os.environ.get("SLURMD_NODENAME")
        return {"pid": os.getpid(), "job": job, "node": node, "began": began}


class FleetTrain(Extension):
    """Needs a GPU."""

    category = Category.ANALYSIS
    resources = {"gpus": 1}  # noqa: RUF012 - as users write it

    def run(self, vis: Any, **kwargs: Any) -> str:
        return "trained"
