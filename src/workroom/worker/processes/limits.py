"""The environment variables and resource limits of a job process. They bound accidents; `confinement` bounds intent."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

# All other variables are removed: tokens, database URLs, WORKROOM_* and other settings of the server.
_ALLOWED_VARIABLES = frozenset(
    {
        "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONWARNINGS",
    }
)  # fmt: skip
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
# When memory runs out, the kernel kills a job before the server or the database.
_OOM_SCORE_ADJ = 800


def scrubbed_environment(*, threads: int | None = None) -> dict[str, str]:
    """The variables of the allow-list, and the thread count of numerical libraries unless it is set."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in _ALLOWED_VARIABLES or name.startswith(("LC_", "OMP_"))
    }
    passed |= {name: os.environ[name] for name in _THREADS if name in os.environ}
    if threads is not None:
        passed = dict.fromkeys(_THREADS, str(threads)) | passed
    return passed


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The limits of one process."""

    memory_mb: int | None = None  # address space
    nice: int = 0
    threads: int | None = None  # of numerical libraries

    def environment(self, folder: Path) -> dict[str, str]:
        """The variables of a process with this folder as its home and temporary folder.

        Libraries ask for the user's name, which a confined process cannot look up.
        """
        own = {"HOME": str(folder), "TMPDIR": str(folder), "LOGNAME": "workroom"}
        return scrubbed_environment(threads=self.threads) | own

    def as_message(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Self:
        return cls(**message)

    def apply(self) -> None:
        """Apply the limits to this process, before it loads anything."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.memory_mb is not None:
            _set_limit(resource.RLIMIT_AS, self.memory_mb * 1_000_000)
        if self.nice:
            os.nice(self.nice)
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE_ADJ))


def limit_cpu_seconds(seconds: float | None) -> None:
    """Limit the further processor time of this process, in case the worker cannot end it at its timeout."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard
    if seconds is not None:
        soft = int(used.ru_utime + used.ru_stime + seconds * (os.cpu_count() or 1)) + 10
        soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _set_limit(resource_id: int, limit: int) -> None:
    _, hard = resource.getrlimit(resource_id)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource_id, (limit, limit))
