"""What a job's process gets from its surroundings, and how much of the machine. A bound on accidents, not on malice."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

# Everything else stays outside: tokens, database URLs, WORKROOM_* and whatever else was meant for the server.
_PASSED_ON = frozenset(
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
# When memory runs out, the kernel is to choose a job before the server or the database.
_FIRST_TO_GO = 800


def scrubbed_environment(*, threads: int | None = None) -> dict[str, str]:
    """The variables of an allow-list, and how many threads numerical libraries may start, unless that was set."""
    passed = {
        name: value for name, value in os.environ.items() if name in _PASSED_ON or name.startswith(("LC_", "OMP_"))
    }
    passed |= {name: os.environ[name] for name in _THREADS if name in os.environ}
    if threads is not None:
        passed = dict.fromkeys(_THREADS, str(threads)) | passed
    return passed


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Bounds of one process."""

    memory_mb: int | None = None  # address space
    nice: int = 0
    threads: int | None = None  # of numerical libraries

    def environment(self, folder: Path) -> dict[str, str]:
        """Variables for a process whose home and temporary folder is this one."""
        return scrubbed_environment(threads=self.threads) | {"HOME": str(folder), "TMPDIR": str(folder)}

    def as_message(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Self:
        return cls(**message)

    def apply(self) -> None:
        """From inside, before anything is loaded."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.memory_mb is not None:
            _lower(resource.RLIMIT_AS, self.memory_mb * 1_000_000)
        if self.nice:
            os.nice(self.nice)
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(str(_FIRST_TO_GO))


def limit_cpu_seconds(seconds: float | None) -> None:
    """From inside: so much more processor time on every core, should nobody be there to stop the job by the clock."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard
    if seconds is not None:
        soft = int(used.ru_utime + used.ru_stime + seconds * (os.cpu_count() or 1)) + 10
        soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _lower(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))
